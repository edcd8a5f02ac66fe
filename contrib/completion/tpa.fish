# Completion of the tools of tpa for fish.
#
# Options are those that the tool at hand lists with -h, so there is no list of them
# here.  What an option wants is told by the word that -h shows for its argument.

# The words that complete the last member of a list with commas.
function __tpa_list
    set -l token (commandline -ct | string replace -r '^--[a-z-]+=' '')
    set -l before (string match -r '^.*,' -- $token)
    printf '%s\n' "$before"$argv
end

function __tpa_columns
    __tpa_list type rank key value pid stage idx tid stream ts dur ext corr kind category \
        hidden exclusive hidden_compute name params side us start end busy overlap idle \
        streams kernels total mapped launch_op scope count order max busy_share sum_share \
        priority verdict recommendation share exclusive_ratio hidden_ratio dependency \
        mapping_ratio prev next suggestion ranks launches_min launches_median launches_max \
        launches_stddev launches_min_rank launches_max_rank total_min total_median total_max \
        total_stddev total_min_rank total_max_rank exclusive_min exclusive_median \
        exclusive_max exclusive_stddev exclusive_min_rank exclusive_max_rank hidden_min \
        hidden_median hidden_max hidden_stddev hidden_min_rank hidden_max_rank reading \
        straggler loss
end

# The rules that come with tpa.
function __tpa_rules
    set -l bin (path dirname (command -s tpa-classify))
    for folder in $TPA_SHARE $bin/../share/tpa $bin/../../share/tpa
        if test -d $folder
            path basename $folder/*.rules | string replace .rules ''
            return
        end
    end
end

# -f: no files; -F: files, too.
function __tpa_argument
    switch $argv[1]
        case 'TYPE,...'
            printf '%s\n' -fa '(__tpa_list meta kernel cpu_op python launch span)'
        case 'COLUMN,...'
            printf '%s\n' -fa '(__tpa_columns)'
        case FORMAT
            printf '%s\n' -fa 'table md jsonl csv text svg html chrome folded'
        case WHAT
            printf '%s\n' -fa 'total exclusive hidden'
        case STAGE
            printf '%s\n' -fa 'extend decode all'
        case N
            printf '%s\n' -fa '1 2'
        case RULES
            printf '%s\n' -Fa '(__tpa_rules)'
        case MAP KERNELMAP
            printf '%s\n' -F
        case '*'
            printf '%s\n' -f
    end
end

function __tpa_complete --argument-names tool
    set -l row '^ +(?:-(?<short>.), )?--(?<long>[a-z-]+)(?: (?<argument>[A-Z]+(?:,\.\.\.)?))?(?: +(?<help>.*))?$'

    complete -c $tool -e
    for line in ($tool -h 2>/dev/null)
        string match -rq $row -- $line; or continue
        set -l option -l $long
        test -n "$short"; and set -a option -s $short
        test -n "$help"; and set -a option -d $help
        test -n "$argument"; and set -a option -r (__tpa_argument $argument)
        complete -c $tool $option
    end
end

for tool in tpa-extract tpa-classify tpa-overlap tpa-srcmap tpa-rank tpa-fmt tpa-triage
    command -q $tool; and __tpa_complete $tool
end
