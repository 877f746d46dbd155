# Counting checks, for the tests of commands: a scratch folder $work, ok, bad MESSAGE…. To be sourced.
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
