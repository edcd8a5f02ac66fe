#!/usr/bin/env bats
# How every tool is asked, and what it says to that.

load helper

tools=(classify extract fmt overlap rank srcmap)

# The options of each tool: LETTER LONG ARGUMENT, "-" where there is none.
options_of() {
  case $1 in
    extract) printf '%s\n' 'a all -' 'p pid TEXT' 'l label LABEL' 's stage STAGE' 't types TYPE' ;;
    classify) printf '%s\n' 'r rules RULES' ;;
    overlap) ;;
    srcmap) printf '%s\n' 's source-only -' 'n samples SAMPLES' 'm map KERNELMAP' ;;
    rank) printf '%s\n' 'a all -' 't totals -' 'n rows ROWS' 'm map MAP' '- min-share PCT' \
      '- merge -' '- spread -' ;;
    fmt) printf '%s\n' 'f format FORMAT' 'c columns COLUMN' ;;
  esac
  printf '%s\n' 'k keep-going -' 'h help -' '- version -'
}

@test "-h and --help print the same to standard output, and exit with 0" {
  for tool in "${tools[@]}"; do
    "tpa-$tool" -h >short 2>err
    "tpa-$tool" --help >long 2>>err
    same short long
    same /dev/null err
    [[ $(head -n 1 short) = "usage: tpa-$tool "* ]]
    [ "$(wc -l <short)" -ge 6 ]
    awk 'length > 100 { print; long = 1 } END { exit long }' short
  done
}

@test "-h lists every option with its long form" {
  for tool in "${tools[@]}"; do
    "tpa-$tool" -h >help
    while read -r letter long argument; do
      [ "$argument" = - ] && argument=
      if [ "$letter" = - ]; then
        grep -qE "^      --$long${argument:+ $argument}" help
      else
        grep -qE "^  -$letter, --$long${argument:+ $argument}" help
      fi || { echo "tpa-$tool: --$long"; false; }
    done < <(options_of "$tool")
  done
}

@test "--version names the tool and the version" {
  for tool in "${tools[@]}"; do
    run -0 --separate-stderr "tpa-$tool" --version
    [[ $output =~ ^tpa-$tool\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
    [ -z "$stderr" ]
  done
}

@test "an unknown option is one sentence on standard error, and exit 2" {
  for tool in "${tools[@]}"; do
    run -2 --separate-stderr "tpa-$tool" -Z
    [ -z "$output" ]
    [ "${stderr_lines[0]}" = "tpa-$tool: unknown option: \"-Z\"" ]
    [ "${stderr_lines[1]}" = "tpa-$tool: 'tpa-$tool -h' lists the options" ]
    [ "${#stderr_lines[@]}" = 2 ]
    run -2 --separate-stderr "tpa-$tool" --no-such-option
    [ -z "$output" ]
    [ "${stderr_lines[0]}" = "tpa-$tool: unknown option: \"--no-such-option\"" ]
  done
}

# complaint TOOL ARGUMENT: the first line on stderr; nothing on stdout, exit 2
complaint() {
  local status=0

  "tpa-$1" "$2" </dev/null >out 2>err || status=$?
  [ "$status" = 2 ] && [ ! -s out ] && head -n 1 err
}

@test "an argument that is missing, or not wanted, is said" {
  for tool in "${tools[@]}"; do
    while read -r letter long argument; do
      if [ "$argument" = - ]; then
        [ "$(complaint "$tool" "--$long=x")" = "tpa-$tool: --$long takes no argument: \"--$long=x\"" ]
        continue
      fi
      want="tpa-$tool: --$long wants an argument: $argument"
      [[ "$(complaint "$tool" "--$long")" = "$want"* ]]
      [ "$letter" = - ] || [[ "$(complaint "$tool" "-$letter")" = "$want"* ]]
    done < <(options_of "$tool")
  done
}

@test "a number out of range is said" {
  run -2 --separate-stderr tpa-rank -n x
  [ "${stderr_lines[0]}" = 'tpa-rank: --rows wants a whole number from 0 to 9223372036854775807: "x"' ]
  run -2 --separate-stderr tpa-rank -n -1
  run -2 --separate-stderr tpa-rank --min-share=many
  run -2 --separate-stderr tpa-srcmap -n 1.5
  [[ ${stderr_lines[0]} = 'tpa-srcmap: --samples wants a whole number from 0 to '*': "1.5"' ]]
}

@test "options may follow operands, and -- ends them" {
  record meta key=a value=b >-k
  tpa-classify -- -k >out
  same ./-k out
  tpa-classify ./-k -k >out
  same ./-k out
}

@test "long options may be cut short while they are unambiguous" {
  record meta key=a value=b >in
  tpa-classify --keep <in >out
  same in out
}

@test "notes are silenced by -q, errors are not" {
  tpa-extract -q "$TRACES/cpu-only.json.gz" >out 2>err
  same /dev/null err
  run -1 --separate-stderr tpa-extract -q missing
  [ -n "$stderr" ]
}

@test "no locale changes a byte" {
  chain "$TRACES/mi250-minitoy.json.gz" >want 2>/dev/null
  (
    export LC_ALL=C.UTF-8 LANG=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8
    chain "$TRACES/mi250-minitoy.json.gz" 2>/dev/null
  ) >got
  same want got
}
