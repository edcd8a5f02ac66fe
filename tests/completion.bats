#!/usr/bin/env bats
# Completion in bash, zsh and fish: each shell is asked what it offers for a line.

load helper

shells=(bash zsh fish)
tools=(extract classify overlap srcmap rank fmt triage)

# All asked at once, since a shell takes its time to start.
asked=()
for tool in "${tools[@]}"; do
  asked+=("tpa-$tool -" "tpa-$tool --")
done
asked+=('tpa-extract -t ' 'tpa-extract -t meta,k' 'tpa-extract --types=ke' 'tpa-extract --ty'
  'tpa-fmt -c ' 'tpa-fmt -c name,hidden_c' 'tpa-fmt -f ' 'tpa-fmt --weight ' 'tpa-extract -s ' 'tpa-extract -j '
  'tpa-classify -r ' 'tpa-classify --rules=ref' 'tpa-rank -m m' 'tpa-srcmap -m m' 'tpa-rank -n '
  'tpa-extract -l ' 'tpa-extract ' 'tpa-triage tr' 'tpa-overlap ')

setup_file() {
  PATH=$TESTS/../contrib:$PATH
  mkdir "$BATS_FILE_TMPDIR/here" && cd "$BATS_FILE_TMPDIR/here"
  mkdir folder
  touch map.tpa trace.json.gz notes.txt
  for shell in "${shells[@]}"; do
    command -v "$shell" >/dev/null || continue
    # zsh only completes at a terminal
    [[ $shell != zsh ]] || has_terminal || continue
    case $shell in
      bash) bare=(--norc) ;;
      zsh) bare=(-f) ;;
      fish) bare=(-N) ;;
    esac
    HOME=$PWD "$shell" "${bare[@]}" "$TESTS/completion/$shell" "${asked[@]}" \
      >"../$shell" 2>"../$shell.err" || true
  done
}

# offers LINE WORD...: every shell that is there offers just these words for the line.
# Some shells offer the whole of --types=kernel and meta,kernel, some the end.
offers() {
  local shell line=$1

  shift
  printf '%s\n' "$@" | grep . | sort -u >want || true
  for shell in "${shells[@]}"; do
    [[ -e $BATS_FILE_TMPDIR/$shell ]] || continue
    same /dev/null "$BATS_FILE_TMPDIR/$shell.err" || return 1
    awk -v line="> $line" '/^> / { on = $0 == line; next } on' "$BATS_FILE_TMPDIR/$shell" |
      sed -E 's/^(--[a-z-]+=|.*,)//; s/\/$//' | sort -u >got
    same want got || { echo "in $shell, for: $line"; return 1; }
  done
}

words_of_help() {
  "tpa-$1" -h | sed -nE 's/^ +((-.), )?(--[a-z-]+).*/\2\n\3/p' | grep -e "^$2"
}

@test "the shells that are asked" {
  for shell in "${shells[@]}"; do
    command -v "$shell" >/dev/null || skip "$shell is not installed"
    [[ -e $BATS_FILE_TMPDIR/$shell ]] || needs_terminal
  done
}

@test "options: those of -h" {
  PATH=$TESTS/../contrib:$PATH
  for tool in "${tools[@]}"; do
    mapfile -t words < <(words_of_help "$tool" -)
    [ "${#words[@]}" -ge 2 ]
    offers "tpa-$tool -" "${words[@]}"
    mapfile -t words < <(words_of_help "$tool" --)
    offers "tpa-$tool --" "${words[@]}"
  done
}

@test "an option that is begun" {
  offers 'tpa-extract --ty' --types
}

@test "types: those that extract may write" {
  mapfile -t types < <(echo '[]' | tpa-extract -q | sed -nE 's/^#([a-z_]+)\t.*/\1/p')
  [ "${#types[@]}" = 6 ]
  offers 'tpa-extract -t ' "${types[@]}"
  offers 'tpa-extract -t meta,k' kernel
  offers 'tpa-extract --types=ke' kernel
}

@test "columns: those of all types" {
  mapfile -t columns < <(grep -v '^#' "$TESTS/data/columns.tsv" | cut -f 2- | tr '\t' '\n')
  offers 'tpa-fmt -c ' type "${columns[@]}"
  offers 'tpa-fmt -c name,hidden_c' hidden_compute
}

@test "formats: those that fmt says it has" {
  run -2 --separate-stderr tpa-fmt -f none
  read -ra formats < <(sed -E 's/.*wants (.*): .*/\1/; s/,/ /g; s/ or / /' <<<"${stderr_lines[0]}")
  [ "${#formats[@]}" -ge 3 ]
  offers 'tpa-fmt -f ' "${formats[@]}"
}

@test "weights: those that fmt says it has" {
  run -2 --separate-stderr tpa-fmt --weight none
  read -ra weights < <(sed -E 's/.*wants (.*): .*/\1/; s/,/ /g; s/ or / /' <<<"${stderr_lines[0]}")
  [ "${#weights[@]}" -ge 3 ]
  offers 'tpa-fmt --weight ' "${weights[@]}"
}

@test "stages, and numbers of threads" {
  offers 'tpa-extract -s ' extend decode all
  offers 'tpa-extract -j ' 1 2
}

@test "rules: those that come with tpa, and files" {
  mapfile -t rules < <(cd "$TPA_SHARE" && ls -- *.rules | sed 's/\.rules$//')
  offers 'tpa-classify -r ' "${rules[@]}" folder map.tpa notes.txt trace.json.gz
  offers 'tpa-classify --rules=ref' reference
}

@test "files where an option wants one" {
  offers 'tpa-rank -m m' map.tpa
  offers 'tpa-srcmap -m m' map.tpa
}

@test "nothing where an option wants a word of one's own" {
  offers 'tpa-rank -n '
  offers 'tpa-extract -l '
}

@test "traces for extract and triage, any file for the others" {
  for shell in "${shells[@]}"; do
    [[ -e $BATS_FILE_TMPDIR/$shell ]] || continue
    awk '/^> / { on = $0 == "> tpa-extract "; next } on' "$BATS_FILE_TMPDIR/$shell" >got
    [ ! -s got ] || grep -qx trace.json.gz got
  done
  offers 'tpa-triage tr' trace.json.gz
  offers 'tpa-overlap ' folder map.tpa notes.txt trace.json.gz
}
