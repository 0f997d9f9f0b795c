# Completes the words of arbiter in bash: the program says what fits.
_arbiter() {
    # bash ends words at = and : too, but builtin:greedy and n=10 are one word to arbiter.
    local rest=${COMP_LINE:0:COMP_POINT} words=() count=0 blanks part i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        blanks=${rest%%[![:blank:]]*}
        rest=${rest#"$blanks"}
        part=${COMP_WORDS[i]}
        if ((i == COMP_CWORD)); then part=$rest; fi
        rest=${rest#"$part"}
        if [[ $i == 0 || -n $blanks ]]; then
            words[count++]=$part
        else
            words[count - 1]+=$part
        fi
    done
    IFS=$'\v' read -r -d '' -a COMPREPLY < <(
        ARBITER_COMPLETE=bash _CLAP_IFS=$'\v' _CLAP_COMPLETE_INDEX=$((count - 1)) "$1" -- "${words[@]}" 2>/dev/null
    )
    # bash puts what fits in place of the last part of the word alone.
    local kept=${words[count - 1]%"$2"}
    for i in "${!COMPREPLY[@]}"; do
        COMPREPLY[i]=${COMPREPLY[i]#"$kept"}
        if [[ ${COMPREPLY[i]} == *[[:blank:]]* ]]; then COMPREPLY[i]=$(printf %q "${COMPREPLY[i]}"); fi
    done
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=:/] ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o nosort -F _arbiter arbiter 2>/dev/null || complete -F _arbiter arbiter
