#!/bin/bash
# parallel.sh: from traces to one ranking of all ranks, with GNU parallel.
#
#   parallel.sh [-j JOBS] [-S HOST,...] TRACE|DIRECTORY|LIST...
#
# Does what slurm/tpa-array.sbatch and slurm/tpa-merge.sbatch do (see there for operands,
# $OUT and restarting), JOBS at once on each host: this one, or those of -S, which share
# the file system and have the tools on the PATH given here.
set -u -o pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)/slurm

help() {
  echo "usage: parallel.sh [-j JOBS] [-S HOST,...] TRACE|DIRECTORY|LIST..."
}

options=()
while getopts hj:S: letter; do
  case $letter in
  h) help && exit ;;
  j) options+=(--jobs "$OPTARG") ;;
  S) options+=(--sshlogin "$OPTARG" --workdir "$PWD") ;;
  *) help >&2 && exit 2 ;;
  esac
done
shift $((OPTIND - 1))
(($#)) || { help >&2 && exit 2; }
parallel --version 2>/dev/null | grep -q '^GNU parallel' || {
  echo "parallel.sh: GNU parallel is not here; on Debian, apt-get install parallel" >&2
  exit 1
}
OUT=${OUT-}
TPA_WORK=$(<"$here/tpa-array.sbatch")
export OUT TPA_WORK

# The list is where all hosts can read it.
list=$(mktemp "$PWD/.traces.XXXXXX") || exit 1
trap 'rm -f "$list"' EXIT
bash "$here/tpa-array.sbatch" --list "$@" >"$list" || exit 1
count=$(wc -l <"$list")

# Each trace is a task of an array.
# shellcheck disable=SC2016 # expanded on the host
seq 0 $((count - 1)) | parallel --will-cite --quote --retries 2 "${options[@]}" \
  --env PATH --env OUT --env LOSSY --env TPA_SHARE --env TPA_WORK \
  env SLURM_ARRAY_TASK_ID={} SLURM_ARRAY_TASK_COUNT="$count" \
  bash -c 'eval "$TPA_WORK"' tpa-array.sbatch "$list" || {
  echo "parallel.sh: not all of $count traces are done; run it again for what is missing" >&2
  exit 1
}
bash "$here/tpa-array.sbatch" --targets "$list" | bash "$here/tpa-merge.sbatch" -
