#!/bin/bash
# The manual pages: one for the program and one per command, without warnings of man or mandoc, with every
# option of the help text in them.
# usage: tests/system/test_manual.sh FOLDER COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"
command -v man >/dev/null || { echo "no man here"; exit 77; }
folder=$1
command=$2

"$command" completion table >"$work/table"
pages=("$folder/voussoir.1")
while read -r name; do
    pages+=("$folder/voussoir-$name.1")
done < <(cut -f1 "$work/table" | sort -u)
[[ ${#pages[@]} -gt 6 ]] && ok || bad "the command lists too few subcommands"
[[ $(find "$folder" -name '*.1' | wc -l) -eq ${#pages[@]} ]] && ok || bad "there are pages of no subcommand"

for page in "${pages[@]}"; do
    if [[ ! -s $page ]]; then
        bad "$page is missing"
        continue
    fi
    if command -v mandoc >/dev/null; then
        said=$(mandoc -T lint -W warning "$page" 2>&1)
        [[ -z $said ]] && ok || bad "mandoc: $said"
    fi
    said=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l "$page" 2>&1 >"$work/page")
    [[ -z $said ]] && ok || bad "man: $page: $said"
    col -b <"$work/page" >"$work/plain"
    for section in NAME SYNOPSIS DESCRIPTION EXAMPLES 'SEE ALSO'; do
        grep -qx "$section" "$work/plain" && ok || bad "$page has no section $section"
    done
    name=$(basename "$page" .1)
    [[ $name == voussoir ]] && continue
    # Not broken across lines: the first word of an entry is alone or first.
    while IFS=$'\t' read -r _ option _; do
        [[ $option == --help || $option == -h ]] && continue
        grep -Eq -- "^ +(-o, )?$option( |,|\$)" "$work/plain" && ok || bad "$page does not tell $option"
    done < <(grep "^${name#voussoir-}	" "$work/table")
done

echo "${#pages[@]} pages, $checks checks, $failures failed"
exit $((failures > 0))
