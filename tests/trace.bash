# Traces made on the spot, and what tpa-extract makes of them; loaded after helper.
#
#   ev name=gemm ts=5 args='"stream":7' | trace | extract
#   is kernel stream ts name <<<'7	5.000	gemm'
#   said 'stdin: ...'

# ev [KEY=VALUE...]: an event, a line.  Kernel k of 1 us on stream 7 of process 0 unless said
# otherwise; an empty value leaves the key out.  Text is quoted for ph, cat and name alone;
# args is what stands between its braces.
ev() {
  local ph=X cat=kernel name=k pid=0 tid=7 ts=1 dur=1 args='"stream":7' pair key out=

  for pair; do
    local "${pair%%=*}=${pair#*=}"
  done
  for key in ph cat name; do
    [[ -n ${!key} ]] && out+=",\"$key\":\"${!key}\""
  done
  for key in pid tid ts dur; do
    [[ -n ${!key} ]] && out+=",\"$key\":${!key}"
  done
  [[ -n $args ]] && out+=",\"args\":{$args}"
  echo "{${out#,}}"
}

# The lines of standard input as the events of a trace; "$1" stands before them.
trace() {
  printf '{%s"traceEvents":[\n' "${1:+$1,}"
  sed '$!s/$/,/'
  printf ']}\n'
}

# extract [OPTION...] <TRACE: its records to "out", what it says to "err"
extract() {
  tpa-extract "$@" >out 2>err
}

# is TYPE COLUMN... <<END: those columns of the records in "out" are these lines
is() {
  fields "$@" <out >got
  cat >want
  same want got
}

# said LINE...: just these lines are in "err", without the tool's name
said() {
  local line

  for line; do
    printf 'tpa-extract: %s\n' "$line"
  done >want
  same want err
}

# one KEY=VALUE...: a trace of one such event
one() {
  ev "$@" | trace | extract
}
