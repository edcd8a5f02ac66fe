# Completion of the tools of tpa for bash.
#
# Options are those that the tool at hand lists with -h, so there is no list of them
# here.  What an option wants is told by the word that -h shows for its argument.
# Installed as one link for each tool, or read by ~/.bashrc.

_tpa_words() {
  mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1")
}

# The words that complete the last member of a list with commas.
_tpa_list() {
  local before=

  [[ $1 == *,* ]] && before=${1%,*},
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$2" -- "${1##*,}")
  compopt -o nospace 2>/dev/null
}

_tpa_files() {
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
  compopt -o filenames 2>/dev/null
}

# Traces and folders; all files if there are none.
_tpa_traces() {
  mapfile -t COMPREPLY < <(compgen -d -- "$1"; compgen -f -X '!*.json*' -- "$1")
  compopt -o filenames 2>/dev/null
  ((${#COMPREPLY[@]})) || _tpa_files "$1"
}

# The rules that come with tpa, and files.
_tpa_rules() {
  local bin names

  bin=$(dirname "$(type -P tpa-classify)")
  names=$(cd "${TPA_SHARE:-$bin/../share/tpa}" 2>/dev/null || cd "$bin/../../share/tpa" 2>/dev/null &&
    printf '%s\n' *.rules)
  mapfile -t COMPREPLY < <(compgen -W "${names//.rules/}" -- "$1"; compgen -f -- "$1")
  compopt -o filenames 2>/dev/null
}

# What completes the argument that -h calls $1.
_tpa_argument() {
  case $1 in
    TYPE,...) _tpa_list "$2" 'meta kernel cpu_op python launch span' ;;
    COLUMN,...)
      _tpa_list "$2" 'type rank key value pid stage idx tid stream ts dur ext corr kind category
        hidden exclusive hidden_compute name params side us start end busy overlap idle streams
        kernels total mapped launch_op scope count order max busy_share sum_share priority
        verdict recommendation share exclusive_ratio hidden_ratio dependency mapping_ratio prev
        next suggestion ranks launches_min launches_median launches_max launches_stddev
        launches_min_rank launches_max_rank total_min total_median total_max total_stddev
        total_min_rank total_max_rank exclusive_min exclusive_median exclusive_max
        exclusive_stddev exclusive_min_rank exclusive_max_rank hidden_min hidden_median
        hidden_max hidden_stddev hidden_min_rank hidden_max_rank reading straggler loss'
      ;;
    FORMAT) _tpa_words "$2" 'table md jsonl csv text svg html chrome folded' ;;
    WHAT) _tpa_words "$2" 'total exclusive hidden' ;;
    STAGE) _tpa_words "$2" 'extend decode all' ;;
    N) _tpa_words "$2" '1 2' ;;
    RULES) _tpa_rules "$2" ;;
    MAP | KERNELMAP) _tpa_files "$2" ;;
  esac
}

# The options of a tool that -h lists, and the word for the argument of one of them.
_tpa_help() {
  local line row='^ +((-.), )?(--[a-z-]+)( ([A-Z]+(,\.\.\.)?))?( |$)'

  options=() argument=
  while IFS= read -r line; do
    [[ $line =~ $row ]] || continue
    options+=("${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}")
    [[ $2 == "${BASH_REMATCH[2]}" || $2 == "${BASH_REMATCH[3]}" ]] && argument=${BASH_REMATCH[5]}
  done < <("$1" -h 2>/dev/null)
}

_tpa() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options argument

  # --types=x is three words
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  _tpa_help "$1" "$before"
  if [[ $argument ]]; then
    _tpa_argument "$argument" "$current"
  elif [[ $current == -* ]]; then
    _tpa_words "$current" "${options[*]}"
  elif [[ ${1##*/} == tpa-@(extract|triage) ]]; then
    _tpa_traces "$current"
  else
    _tpa_files "$current"
  fi
}

complete -F _tpa tpa-extract tpa-classify tpa-overlap tpa-srcmap tpa-rank tpa-fmt tpa-triage
