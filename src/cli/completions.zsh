#compdef arbiter
# Completes the words of arbiter in zsh: the program says what fits.
_arbiter() {
    local -a found begun whole
    local each
    found=("${(@f)$(
        ARBITER_COMPLETE=zsh _CLAP_IFS=$'\n' _CLAP_COMPLETE_INDEX=$((CURRENT - 1)) arbiter -- "${words[@]}" 2>/dev/null
    )}")
    for each in $found; do
        # An option goes on behind its =, a folder behind its /, without a blank. The description comes after a colon.
        case ${${each//\\:/ }%%:*} in
            *[=/]) begun+=("$each") ;;
            *) whole+=("$each") ;;
        esac
    done
    (($#begun)) && _describe -V words begun -S ''
    (($#whole)) && _describe -V words whole
}
if [[ $funcstack[1] == _arbiter ]]; then _arbiter "$@"; else compdef _arbiter arbiter; fi
