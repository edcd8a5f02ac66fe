# What the benchmarks have in common; sourced, from the top of the tree.
#
# BENCH is the folder for builds and data, PROGRAMS that of generate and measure.
# shellcheck shell=sh disable=SC2034 # used by those who source it
set -eu
export LC_ALL=C TPA_SHARE="$PWD/share/tpa"

SOURCE=tests/traces/mi300-resnet-checkpoint.json.gz
DATA=$BENCH/data
mkdir -p "$DATA"

# Tools of the fastest build that is there.
TOOLS=$BENCH/zlib/bin
[ -x "$BENCH/isal/bin/tpa-extract" ] && TOOLS=$BENCH/isal/bin

# newer FILE OTHER
newer() {
  [ "$(find "$1" -newer "$2" 2>/dev/null)" ]
}

# big FILE MB [OPTION...]: a generated trace, unless it is there
big() {
  newer "$1" "$PROGRAMS/generate" && return
  big_file=$1 big_size=$2
  shift 2
  echo "generating $(basename "$big_file")" >&2
  gzip -dc "$SOURCE" | "$PROGRAMS/generate" -m "$big_size" "$@" >"$big_file.new"
  mv "$big_file.new" "$big_file"
}

# plan NAME COMMAND: a line of the plan for measure
plan() {
  printf '%s\t%s\n' "$1" "$2"
}

# chain BUILD TRACE: the five stages, from a trace to what is to be done about it
chain() {
  set -- "$BENCH/$1/bin" "$2"
  echo "$1/tpa-extract -q $2 | $1/tpa-classify | $1/tpa-overlap | $1/tpa-srcmap |" \
 "$1/tpa-rank"
}

# stages TRACE NAME: what each stage is to read, in $DATA/NAME.[1-4]
stages() {
  "$TOOLS/tpa-extract" -q "$1" >"$DATA/$2.1"
  "$TOOLS/tpa-classify" "$DATA/$2.1" >"$DATA/$2.2"
  "$TOOLS/tpa-overlap" "$DATA/$2.2" >"$DATA/$2.3"
  "$TOOLS/tpa-srcmap" "$DATA/$2.3" >"$DATA/$2.4"
}

# Where and under what load it was measured.
machine() {
  sed -n 's/^model name[[:blank:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1 |
    tr '\n' ',' | sed 's/,$/, /'
  echo "$(nproc) CPUs, load $(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null) at the start"
}
