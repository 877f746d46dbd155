# Counting checks, for the tests of commands: a scratch folder $work, ok, bad MESSAGE…, run and expect for $command. To be sourced.
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

# run ARGUMENTS…: the command, or what a test puts in the place of this; output in $work/out and $work/err, exit code in $code
run() {
    "$command" "$@" >"$work/out" 2>"$work/err"
    code=$?
}

# expect CODE PATTERN ARGUMENTS…: exit code of a run, and one line on standard error that fits (none if empty), beside the lines
# of progress that a slow machine sees every ten seconds
expect() {
    local wanted=$1 pattern=$2
    shift 2
    run "$@"
    sed -i '/ elapsed/d' "$work/err"
    if [[ $code -ne $wanted ]]; then
        bad "$*: exit code $code instead of $wanted: $(head -c 300 "$work/err")"
    elif [[ -z $pattern && -s $work/err ]]; then
        bad "$*: standard error is not empty: $(head -c 300 "$work/err")"
    elif [[ -n $pattern ]] && ! { [[ $(wc -l <"$work/err") -eq 1 ]] && grep -Eq -- "$pattern" "$work/err"; }; then
        bad "$*: standard error is not one line like '$pattern': $(head -c 300 "$work/err")"
    else
        ok
    fi
}
