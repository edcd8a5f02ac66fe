#!/usr/bin/env bats
# The scripts for clusters: on a cluster of one node that is started here, and with GNU parallel.

# shellcheck disable=SC2154 # stderr is what run says

load helper

set -o pipefail

SCRIPTS=$(dirname "$TESTS")/contrib

setup_file() {
  export CLUSTER=$BATS_FILE_TMPDIR
}

# Only what was started here is ended, by its pid file.
teardown_file() {
  local file pid

  for file in "$CLUSTER"/*.pid; do
    [[ -s $file ]] || continue
    pid=$(<"$file")
    kill "$pid" 2>/dev/null
    # until it has written its last, the folder cannot be removed
    timeout 30 tail --pid="$pid" -f /dev/null
  done
  return 0
}

# Eight ranks: four traces, each under two labels, as a list of traces.
setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  mkdir traces
  cp "$TRACES"/dlrm-rank-?.json.gz traces
  for set in a b; do
    for rank in 0 1 2 3; do
      printf 'traces/dlrm-rank-%s.json.gz\t%s%s\n' $rank $set $rank
    done
  done >list
  export OUT=out
}

# What the pipeline says of them in one go on this machine, in the order of the files.
one_machine() {
  sort list | while IFS=$'\t' read -r trace label; do
    tpa-extract -q -l "$label" "$trace"
  done | tpa-classify | tpa-overlap | tpa-srcmap | tpa-rank --merge --spread -t
}

# within SECONDS COMMAND...: waits until it is true
within() {
  local left=$(($1 * 5))

  while ! "${@:2}" 2>/dev/null; do
    ((left--)) || { echo "waited $1 s for: ${*:2}"; return 1; }
    sleep 0.2
  done
}

# The first tpa-overlap that is run waits, with its pid in the file waiting, to be killed.
hold_one() {
  mkdir shim
  cat >shim/tpa-overlap <<END
#!/bin/sh
if mkdir '$PWD/shim/held' 2>/dev/null; then
  echo \$\$ >'$PWD/waiting'
  exec sleep 300
fi
exec '$TPA_BIN/tpa-overlap' "\$@"
END
  chmod +x shim/tpa-overlap
  PATH=$PWD/shim:$PATH
}

# --- the scripts by themselves ---------------------------------------------------------

@test "each trace becomes a file of records; merged, they are what one machine says" {
  bash "$SCRIPTS/slurm/tpa-array.sbatch" list
  [ "$(find out -type f | wc -l)" = 8 ]
  [ -e out/traces/dlrm-rank-2.b2.tpa.gz ]
  bash "$SCRIPTS/slurm/tpa-merge.sbatch" out >table 2>note
  one_machine >want
  same want out/ranks.tpa
  same out/ranks.txt table
  [ "$(<note)" = "tpa-merge: 8 traces, out/ranks.tpa" ]
  [ "$(head -n 1 table)" = "how far the ranks are apart" ]
}

@test "without OUT, records stand next to their trace; a directory is searched" {
  unset OUT
  bash "$SCRIPTS/slurm/tpa-array.sbatch" traces
  [ "$(cd traces && echo *.tpa.gz)" = "$(echo dlrm-rank-{0..3}.tpa.gz)" ]
  bash "$SCRIPTS/slurm/tpa-merge.sbatch" traces >table
  [ "$(fields spread ranks <ranks.tpa | head -n 1)" = 4 ]
}

@test "the tasks of an array share the traces" {
  export SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=3
  mkdir out
  for SLURM_ARRAY_TASK_ID in 4 6 8; do
    export SLURM_ARRAY_TASK_ID
    before=$(find out -type f | wc -l)
    bash "$SCRIPTS/slurm/tpa-array.sbatch" list
    echo $(($(find out -type f | wc -l) - before))
  done >got
  [ "$(xargs <got)" = "3 3 2" ]
  export SLURM_ARRAY_TASK_STEP=1
  run -1 --separate-stderr bash "$SCRIPTS/slurm/tpa-array.sbatch" list
  [[ $stderr == *"equal steps"* ]]
}

@test "what is there is left alone, and a half-written file is not taken for one" {
  bash "$SCRIPTS/slurm/tpa-array.sbatch" list
  rm out/traces/dlrm-rank-1.a1.tpa.gz
  echo half >out/traces/dlrm-rank-1.a1.tpa.gz.node.1.part
  touch -d 2001-01-01 out/traces/*.gz
  bash "$SCRIPTS/slurm/tpa-array.sbatch" list
  [ "$(find out -newermt 2002-01-01 -type f)" = out/traces/dlrm-rank-1.a1.tpa.gz ]
  [ "$(find out -name '*.part')" = "" ]
}

@test "a damaged trace is tried twice, named, and leaves nothing; the others are done" {
  head -c 20000 traces/dlrm-rank-1.json.gz >short
  mv short traces/dlrm-rank-1.json.gz
  unset OUT
  run -1 --separate-stderr bash "$SCRIPTS/slurm/tpa-array.sbatch" traces
  [ "$(grep '^tpa-array' <<<"$stderr")" = "tpa-array: traces/dlrm-rank-1.json.gz: failed, once more
tpa-array: traces/dlrm-rank-1.json.gz: failed twice
tpa-array: 1 failed; submit again for what is missing" ]
  [ "$(cd traces && echo *.tpa.gz*)" = "$(echo dlrm-rank-{0,2,3}.tpa.gz)" ]
}

@test "ranks with one label do not merge, and nothing is written" {
  unset OUT
  bash "$SCRIPTS/slurm/tpa-array.sbatch" traces
  cp traces/dlrm-rank-1.tpa.gz traces/again.tpa.gz
  run -1 --separate-stderr bash "$SCRIPTS/slurm/tpa-merge.sbatch" traces
  [[ $stderr == *"tpa-extract -l"*"do not merge"* ]]
  [ ! -e ranks.tpa ]
}

@test "what is missing is said" {
  run -1 --separate-stderr bash "$SCRIPTS/slurm/tpa-array.sbatch"
  [[ $stderr == *"which traces?"* ]]
  run -1 --separate-stderr bash "$SCRIPTS/slurm/tpa-array.sbatch" nowhere
  [[ $stderr == *"nowhere: no trace"* ]]
  mkdir empty
  run -1 --separate-stderr bash "$SCRIPTS/slurm/tpa-array.sbatch" empty
  [[ $stderr == *"no traces in empty"* ]]
  run -1 --separate-stderr bash "$SCRIPTS/slurm/tpa-merge.sbatch" empty
  [[ $stderr == *"no *.tpa.gz in empty"* ]]
}

# --- GNU parallel --------------------------------------------------------------------

need_parallel() {
  parallel --version 2>/dev/null | grep -q '^GNU parallel' ||
    skip "GNU parallel is not installed; make check-cluster installs it"
}

@test "parallel: the ranking is that of one machine" {
  need_parallel
  bash "$SCRIPTS/parallel.sh" -j 2 list >table
  one_machine >want
  same want out/ranks.tpa
  same out/ranks.txt table
  [ "$(find . -name '.traces*')" = "" ]
}

@test "parallel: over hosts, and after a kill in the middle" {
  need_parallel
  hold_one
  bash "$SCRIPTS/parallel.sh" -j 2 -S : list >table 2>said &
  within 120 test -s waiting
  kill -KILL "$(<waiting)"
  wait $!
  grep -q 'failed, once more' said
  one_machine >want
  same want out/ranks.tpa
}

@test "parallel: run again, only what is missing is done" {
  need_parallel
  bash "$SCRIPTS/parallel.sh" list >table
  rm out/traces/dlrm-rank-3.b3.tpa.gz
  touch -d 2001-01-01 out/traces/*.gz
  bash "$SCRIPTS/parallel.sh" list >again
  [ "$(find out/traces -newermt 2002-01-01 -type f)" = out/traces/dlrm-rank-3.b3.tpa.gz ]
  same table again
}

# --- Slurm -----------------------------------------------------------------------------

# port OFFSET: one that is most likely free
port() {
  echo $((20000 + $$ % 20000 + $1))
}

configure() {
  mkdir -p "$CLUSTER/state" "$CLUSTER/spool"
  cat >"$CLUSTER/slurm.conf" <<END
ClusterName=tpa
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(port 0)
SlurmdPort=$(port 1)
AuthType=auth/munge
AuthInfo=socket=$CLUSTER/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$CLUSTER/state
SlurmdSpoolDir=$CLUSTER/spool
SlurmctldPidFile=$CLUSTER/slurmctld.pid
SlurmdPidFile=$CLUSTER/slurmd.pid
SlurmctldLogFile=$CLUSTER/slurmctld.log
SlurmdLogFile=$CLUSTER/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
ReturnToService=2
KillWait=2
SlurmdParameters=config_overrides
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
}

is_up() {
  sinfo -h -o %T | grep -q -e idle -e mixed -e alloc
}

# The cluster, once for all tests.
need_slurm() {
  local program

  for program in slurmctld slurmd munged sbatch; do
    command -v $program >/dev/null || skip "Slurm is not installed; make check-cluster installs it"
  done
  [ "$(id -u)" = 0 ] || skip "a cluster is only started by root"
  export SLURM_CONF=$CLUSTER/slurm.conf
  [[ -e $SLURM_CONF ]] && return
  configure
  head -c 1024 /dev/urandom >"$CLUSTER/munge.key"
  chmod 400 "$CLUSTER/munge.key"
  munged --force --num-threads=2 --key-file="$CLUSTER/munge.key" --socket="$CLUSTER/munge.socket" \
    --pid-file="$CLUSTER/munged.pid" --log-file="$CLUSTER/munged.log" \
    --seed-file="$CLUSTER/munged.seed" 3>&- 4>&-
  slurmctld -c 3>&- 4>&-
  slurmd 3>&- 4>&-
  within 120 is_up || { tail -n 20 "$CLUSTER"/*.log; return 1; }
}

# Submits the array of four tasks, and gives its number.
array() {
  sbatch --parsable --array=0-3 "$SCRIPTS/slurm/tpa-array.sbatch" list
}

is_over() {
  [[ -z $(squeue -h -j "$1") ]]
}

@test "slurm: a task killed in the middle is tried again, and the ranking is that of one machine" {
  need_slurm
  hold_one
  job=$(array)
  sbatch --wait --dependency="afterok:$job" "$SCRIPTS/slurm/tpa-merge.sbatch" out >submitted &
  within 120 test -s waiting
  [ "$(find out -name '*.part' | wc -l)" -ge 1 ]
  kill -KILL "$(<waiting)"
  wait $! || { cat tpa-*.log; squeue; false; }
  cat tpa-"$job"_*.log
  grep -q 'traces/dlrm-rank-.*: failed, once more' tpa-"$job"_*.log
  one_machine >want
  same want out/ranks.tpa
  grep '^how far the ranks are apart' tpa-merge-*.log
}

is_begun() {
  find out -name '*.gz' | grep -q .
}

@test "slurm: after a task is cancelled, the two commands again do what is missing" {
  need_slurm
  hold_one
  job=$(array)
  merge=$(sbatch --parsable --kill-on-invalid-dep=yes --dependency="afterok:$job" \
    "$SCRIPTS/slurm/tpa-merge.sbatch" out)
  within 120 test -s waiting
  within 120 is_begun
  scancel "$job"
  within 60 is_over "$job"
  within 60 is_over "$merge"
  [ ! -e out/ranks.tpa ]
  touch -d 2001-01-01 out/traces/*.gz
  done=$(find out/traces -name '*.gz' | wc -l)
  job=$(array)
  sbatch --wait --dependency="afterok:$job" "$SCRIPTS/slurm/tpa-merge.sbatch" out
  [ "$(find out/traces -name '*.gz' -newermt 2002-01-01 | wc -l)" = $((8 - done)) ]
  [ "$done" -lt 8 ]
  one_machine >want
  same want out/ranks.tpa
}
