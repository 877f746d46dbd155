# The scenes and commands of the pages in docs/howto, as printed. To be sourced after checks.sh, with the command in $1.
command=$(realpath "$1")
pages=$(cd "$(dirname "$0")/../../docs/howto" && pwd)
mkdir "$work/bin"
ln -s "$command" "$work/bin/voussoir"
export PATH=$work/bin:$PATH
cd "$work" || exit 2

# save PAGE: the scene of the page and its commands, as PAGE.sh: blocks of sh that CI runs, one after the other
save() {
    "$python" - "$pages/$1.md" "$1" <<'END'
import re, sys
text = open(sys.argv[1]).read()
name = re.search(r"`([\w-]+\.json)`:\n\n```json", text).group(1)
open(name, "w").write(re.search(r"```json\n(.*?)```", text, re.S).group(1))
blocks = re.findall(r"(\*Not run in CI:[^\n]*\*\n\n)?```sh\n(.*?)```", text, re.S)
open(sys.argv[2] + ".sh", "w").write("set -e\n" + "".join(block for skipped, block in blocks if not skipped))
END
}
