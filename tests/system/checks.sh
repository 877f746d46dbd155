# Counting checks, for the tests of commands: a scratch folder $work, ok, bad MESSAGE…, expect for $command. To be sourced.
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checks=0
failures=0

ok() { checks=$((checks + 1)); }
bad() {
    checks=$((checks + 1))
    failures=$((failures + 1))
    echo "FAILED: $*" >&2
}

# expect CODE PATTERN ARGUMENTS…: exit code, and one line on standard error that fits (none if empty)
expect() {
    local wanted=$1 pattern=$2
    shift 2
    "$command" "$@" >out 2>err
    code=$?
    if [[ $code -ne $wanted ]]; then
        bad "$*: exit code $code instead of $wanted: $(head -c 300 err)"
    elif [[ -z $pattern && -s err ]]; then
        bad "$*: standard error is not empty: $(head -c 300 err)"
    elif [[ -n $pattern ]] && ! { [[ $(wc -l <err) -eq 1 ]] && grep -Eq -- "$pattern" err; }; then
        bad "$*: standard error is not one line like '$pattern': $(head -c 300 err)"
    else
        ok
    fi
}
