#!/usr/bin/env bats
# tpa-classify: what it does to the stream, and the rules that come with it.
#
# tests/rules/kernels.tsv	kernels of real traces: kind, name, params, us, category, also, note
# tests/rules/traps.tsv		names that mislead: categories, name
# tests/rules/words.tsv		the same, for rules that no other name reaches
# tests/rules/reference.tsv	every keyword of reference.rules: category, name

load helper

# kernels <<< "NAME" -> a kernel record a line
kernels() {
  awk -v OFS='\t' '{
    print "kernel", 0, 1, "all", NR, 1, 7, NR ".000", "1.000", "-", "-", "kernel", "-", "-", "-", "-", $0, "-"
  }'
}

# The rows of a table of tests/rules.
rows() {
  grep -v '^#' "$TESTS/rules/$1"
}

# The table of real kernels as records.
table() {
  rows kernels.tsv | awk -F '\t' -v OFS='\t' '{
    print "kernel", 0, 1, "all", NR, 1, 7, NR ".000", "1.000", "-", "-", $1, "-", "-", "-", "-", $2, $3
  }'
}

# names TABLE [OPTION...]: each row whose category is none of those in its first column
wrong_names() {
  rows "$1" | cut -f 2 | kernels | tpa-classify "${@:2}" | cut -f 13 >got
  rows "$1" | paste got - | awk -F '\t' '
    index("," $2 ",", "," $1 ",") == 0 { print $1 " for " $2 ": " $3; wrong = 1 }
    END { exit wrong }'
}

# Standard input must be FILE.
is() {
  cat >is.want && same is.want "$1"
}

@test "every kernel of the table has its category" {
  table | tpa-classify | cut -f 13 >got
  rows kernels.tsv | paste got - | awk -F '\t' '
    $1 != $6 && index("," $7 ",", "," $1 ",") == 0 {
      print $1 " for " $6 ": " $3 ($8 == "-" ? "" : "  (" $8 ")"); wrong = 1
    }
    END { if (NR < 600) { print "only " NR " rows"; exit 1 } exit wrong }'
}

@test "99 % of the table's time is right without the categories an expert would let pass" {
  table | tpa-classify | cut -f 13 >got
  rows kernels.tsv | paste got - | awk -F '\t' '
    { all += $5; if ($1 == $6) right += $5; else print $5 " us: " $1 " for " $6 ": " $3 }
    END { print right / all * 100 " % of " all " us"; exit !(right >= all * 0.99) }'
}

@test "every name that misleads has its category" { wrong_names traps.tsv; }

@test "every family of names has its category" { wrong_names words.tsv; }

@test "every rule, and every alternative in it, has a name that it decides" {
  {
    rows kernels.tsv | cut -f 1,2
    cat "$TESTS/rules/traps.tsv" "$TESTS/rules/words.tsv" | grep -v '^#' | sed 's/^[^\t]*/kernel/'
  } | awk -F '\t' -v OFS='\t' '{
    print "kernel", 0, 1, "all", NR, 1, 7, NR ".000", "1.000", "-", "-", $1, "-", "-", "-", "-", $2, "-"
  }' | tpa-classify --why | awk -F '\t' -v OFS='\t' '{ print $NF, $12 " " $17 }' >decided
  awk -F '\t' '
    function plain(text) { text = tolower(text); gsub(/[^a-z0-9]/, "", text); return text }
    NR == FNR {
      sub(/.*:/, "", $1)
      names[$1] = names[$1] " " plain($2)
      next
    }
    /^(#|$|wrapper )/ { next }
    { rules++ }
    !(FNR in names) { print "no name for line " FNR ": " $0; bad = 1; next }
    {
      sub(/ +#.*/, "")
      count = split($0, condition, / and /)
      for (i = 1; i <= count; i++) {
        match(condition[i], /^[a-z]+ [a-z]+ +/)
        pattern = substr(condition[i], RLENGTH + 1)
        if (i == count) sub(/ +[^ ]+$/, "", pattern)
        alternatives = split(pattern, alternative, "|")
        for (j = 1; j <= alternatives; j++)
          if (!index(names[FNR], plain(alternative[j]))) {
            print "no name for \"" alternative[j] "\" in line " FNR; bad = 1
          }
      }
    }
    END { exit bad || rules < 100 }' decided "$TPA_SHARE/kernel.rules"
}

@test "reference: every keyword, and which of two counts" { wrong_names reference.tsv -r reference; }

@test "reference: it looks at the parameters too, and kernel.rules does not" {
  record kernel name=bounds_check "params=(fbgemm_gpu::Tensor)" >in
  [ "$(tpa-classify -r reference in | fields kernel category)" = compute ]
  [ "$(tpa-classify in | fields kernel category)" = elementwise ]
}

@test "reference: all golden kernels" {
  for golden in "$GOLDEN"/*.tsv.gz; do
    gzip -dc "$golden" | grep '^kernel' >want || continue
    awk -F '\t' -v OFS='\t' '{ $13 = "-"; print }' want | tpa-classify -r reference >got
    same want got
  done
  [ -s want ]
}

@test "nothing but the category changes, and the class is appended" {
  record kernel name='a\tb  "\\x\x01' params='(int)' category=memory dur=not-looked-at >in
  printf 'name substring x compute/gemm\n' >x.rules
  tpa-classify -r ./x.rules <in >got
  awk -F '\t' -v OFS='\t' '{ $13 = "compute"; print $0, "class=compute/gemm" }' in >want
  same want got
}

@test "without a class nothing is appended; what no rule knows is other" {
  record kernel name=abc >in
  printf 'name equal abc memory\n' >abc.rules
  printf 'name equal ab memory\n' >ab.rules
  tpa-classify -r ./abc.rules <in >got
  [ "$(cut -f 13 got)" = memory ]
  [ "$(awk -F '\t' '{ print NF }' got)" = 18 ]
  tpa-classify -r ./ab.rules <in >got
  [ "$(cut -f 13 got)" = other ]
  [ "$(awk -F '\t' '{ print NF }' got)" = 18 ]
}

@test "extension fields stay, in order, even empty ones; an earlier class and rule go" {
  record kernel name=abc >in
  printf '%s\tmine=1\tclass=memory/old\t\trule=old.rules:3\tclassic=2\t\n' "$(cat in)" >extended
  printf 'name equal abc compute/new\n' >abc.rules
  tpa-classify --why -r ./abc.rules <extended >got
  cut -f 19- got >added
  printf 'mine=1\t\tclassic=2\t\tclass=compute/new\trule=./abc.rules:1\n' | is added
  printf 'name equal abc compute\n' >abc.rules
  tpa-classify -r ./abc.rules <got >again
  cut -f 19- again >added
  printf 'mine=1\t\tclassic=2\t\n' | is added
}

@test "everything else passes" {
  {
    echo '#tpa 1'
    printf 'kernels\tno kernel\n'
    record cpu_op ts=1.000 dur=1.000 name=gemm
    record total name=gemm category=memory
    echo
  } >in
  tpa-classify <in >got
  same in got
}

@test "the kind of the event comes before its name" {
  record kernel kind=gpu_memcpy name=nvjet_copy >in
  record kernel kind=gpu_memset name=nvjet_copy >>in
  record kernel kind=kernel name=nvjet_copy >>in
  [ "$(tpa-classify in | fields kernel category | xargs)" = "memory memory compute" ]
}

@test "--why says which line of which file" {
  printf '# mine\n\nname equal abc other/mine\n' >mine.rules
  { record kernel name=abc; record kernel name=nvjet_x; record kernel name=qqq; } >in
  tpa-classify --why -r ./mine.rules -r kernel <in | awk -F '\t' '{ print $NF }' >got
  line=$(grep -n 'prefix *nvjet' "$TPA_SHARE/kernel.rules" | cut -d : -f 1)
  printf 'rule=./mine.rules:3\nrule=kernel.rules:%s\nrule=-\n' "$line" | is got
}

@test "--why escapes a file's name" {
  printf 'name equal abc other\n' >$'a\tb.rules'
  record kernel name=abc >in
  [ "$(tpa-classify --why -r $'./a\tb.rules' <in | cut -f 19)" = 'rule=./a\tb.rules:1' ]
}

@test "several -r are read in the order given" {
  printf 'name substring gemm memory\n' >a.rules
  printf 'name substring gemm other\nname equal last communication\n' >b.rules
  { record kernel name=my_gemm; record kernel name=last; record kernel name=nvjet_x; } >in
  [ "$(tpa-classify -r ./a.rules --rules ./b.rules -r kernel in | fields kernel category | xargs)" = \
    "memory communication compute" ]
  [ "$(tpa-classify -r ./b.rules -r ./a.rules in | fields kernel category | xargs)" = \
    "other communication other" ]
}

@test "a name without slash and dot is a file in share/tpa" {
  mkdir share
  printf 'name equal abc memory\n' >share/own.rules
  printf 'name equal abc compute\n' >own
  record kernel name=abc >in
  [ "$(TPA_SHARE=share tpa-classify -r own in | fields kernel category)" = memory ]
  [ "$(TPA_SHARE=share tpa-classify -r ./own in | fields kernel category)" = compute ]
  TPA_SHARE=share run -1 --separate-stderr tpa-classify -r none in
  [ "$stderr" = "tpa-classify: share/none.rules: cannot open: No such file or directory" ]
  TPA_SHARE=share run -1 --separate-stderr tpa-classify -r own.rules in
  [ "$stderr" = "tpa-classify: own.rules: cannot open: No such file or directory" ]
}

unmatched() {
  printf 'name equal known memory\n' >known.rules
  tpa-classify -r ./known.rules --unmatched "$@"
}

@test "--unmatched lists what no rule knows, by falling time, with its share" {
  {
    echo '#tpa 1'
    record kernel name=zzz dur=2.000
    record kernel name=known dur=90.000
    record kernel name='a\tb' dur=3.000
    record kernel name=zzz dur=2.500
    record kernel name=aaa dur=4.500 params='(int)'
    record span name=zzz ts=1.000 dur=1.000
  } >in
  unmatched <in >got
  printf 'unmatched\t1\t4.500\taaa\nunmatched\t2\t4.500\tzzz\nunmatched\t1\t3.000\ta\\tb\n' >want
  printf 'unmatched_share\t4\t12.000\t11.765\n' >>want
  same want got
}

@test "--unmatched of nothing, and of nothing unmatched" {
  unmatched </dev/null >got
  printf 'unmatched_share\t0\t0.000\t0.000\n' | is got
  record kernel name=known dur=90.000 | unmatched >got
  printf 'unmatched_share\t0\t0.000\t0.000\n' | is got
}

@test "--unmatched: times at the end of their range add up without overflow" {
  for i in 1 2 3; do record kernel idx=$i name=zzz dur=4000000000000000.000; done | unmatched >got
  [ "$(tail -n 1 got | cut -f 2,4)" = $'3\t100.000' ]
}

@test "--max-unmatched fails above the share, with or without the list" {
  { record kernel name=zzz dur=1.000; record kernel name=known dur=9.000; } >in
  unmatched --max-unmatched 10 <in >got
  run -1 --separate-stderr unmatched --max-unmatched 9.9 in
  [ "$stderr" = "tpa-classify: no rule knows 10.000 % of the kernel time, which is more than 9.9 %" ]
  [ "$output" = "$(cat got)" ]
  tpa-classify -r ./known.rules in >want
  run -1 --separate-stderr tpa-classify -r ./known.rules --max-unmatched 0 in
  [ "$output" = "$(cat want)" ]
  tpa-classify -r ./known.rules --max-unmatched 10 in >got
  same want got
}

@test "--max-unmatched wants a percentage" {
  for bad in x -1 101 '' 5%; do
    run -2 --separate-stderr tpa-classify --max-unmatched "$bad" </dev/null
    [[ ${stderr_lines[0]} = 'tpa-classify: --max-unmatched wants a number from 0 to 100: '* ]]
  done
}

@test "a time that is none is a fault only where times are counted" {
  { record kernel name=zzz dur=abc; record kernel name=zzz dur=1.000; } >in
  tpa-classify -r reference in >/dev/null
  run -1 --separate-stderr unmatched in
  [ "$stderr" = 'tpa-classify: in:1: kernel: dur: not a time: "abc"' ]
  run -3 --separate-stderr unmatched -k in
  [ "${lines[0]}" = $'unmatched\t1\t1.000\tzzz' ]
}

@test "too few columns: what came before is written, -k goes on" {
  { record kernel name=nvjet_x; printf 'kernel\t0\t1\n'; record kernel name=nvjet_y; } >in
  run -1 --separate-stderr tpa-classify in
  [ "$stderr" = $'tpa-classify: in:2: kernel: too few columns: "kernel\\x090\\x091"' ]
  [ "${#lines[@]}" = 1 ]
  run -3 --separate-stderr tpa-classify --keep-going in
  [ "${#lines[@]}" = 2 ]
}

@test "a full disk" {
  record kernel name=nvjet_x dur=1.000 >in
  for mode in '' --why --unmatched; do
    full() { tpa-classify ${mode:+"$mode"} in >/dev/full; }
    run -1 --separate-stderr full
    [ "$stderr" = "tpa-classify: stdout: cannot write: No space left on device" ]
  done
}

@test "a hundred thousand different names take bounded memory and keep their categories" {
  needs_own_memory
  awk -v OFS='\t' 'BEGIN {
    filler = sprintf("%400s", ""); gsub(/ /, "x", filler)
    for (i = 0; i < 100000; i++)
      print "kernel", 0, 1, "all", i, 1, 7, i ".000", "1.000", "-", "-", "kernel", "-", "-", "-", "-",
        (i % 3 == 0 ? "gemm_" : i % 3 == 1 ? "rms_norm_" : "nccl") filler i, "-"
  }' >in
  (ulimit -v 40000 && tpa-classify in >out)
  cut -f 13 out | sort | uniq -c | awk '{ print $1, $2 }' >got
  printf '33333 communication\n33334 compute\n33333 elementwise\n' | is got
}

@test "a name of a megabyte, and brackets that never close" {
  name=$(head -c 1000000 /dev/zero | tr '\0' '<')
  printf 'kernel\t0\t1\tall\t0\t1\t7\t1.000\t1.000\t-\t-\tkernel\t-\t-\t-\t-\t%s\t-\n' \
    "elementwise_kernel$name" "_ZN$name" "void f(((((<<<((($name" >in
  timeout 20 tpa-classify in >out
  [ "$(wc -l <out)" = 3 ]
  deep=$(printf 'elementwise_kernel<%.0s' {1..20000})
  printf 'kernel\t0\t1\tall\t0\t1\t7\t1.000\t1.000\t-\t-\tkernel\t-\t-\t-\t-\t%s\t-\n' "$deep" >in
  timeout 20 tpa-classify in >out
  [ "$(cut -f 13 out)" = elementwise ]
}
