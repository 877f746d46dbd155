"""The completion scripts in real shells: text is typed into a terminal, Tab is pressed, the line is read back.

usage: tests/system/test_completion.py COMMAND        ends with 77 (skipped) if a shell is missing
"""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

import checks
from checks import check

command = os.path.abspath(sys.argv[1])

# Typed, and what stands there after a Tab. Blanks at the end do not count.
COMMON = [
    ("voussoir doct", "voussoir doctor"),
    ("voussoir help conv", "voussoir help convert"),
    ("voussoir run stone-b", "voussoir run stone-bridge"),
    ("voussoir run my", "voussoir run myscene.json"),  # not mynotes.txt
    ("voussoir solve my", "voussoir solve mypile.hdf5"),
    ("voussoir run arch --on-in", "voussoir run arch --on-inaccurate"),
    ("voussoir solve mypile.hdf5 --fallback com", "voussoir solve mypile.hdf5 --fallback compliant"),
    ("voussoir solve mypile.hdf5 --fallback=com", "voussoir solve mypile.hdf5 --fallback=compliant"),
    ("voussoir run arch -o myn", "voussoir run arch -o mynotes.txt"),
    ("voussoir completion fi", "voussoir completion fish"),
    ("voussoir reproduce enzenhofer-c", "voussoir reproduce enzenhofer-case"),
]


class Terminal:
    """A shell in a terminal of its own. Ctrl-T makes it print the line that is being edited, in << >>."""

    def __init__(self, words, setup, folder):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            environment = {"PATH": folder + "/bin:/usr/bin:/bin", "HOME": folder, "TERM": "dumb", "LC_ALL": "C.UTF-8"}
            os.execvpe(words[0], words, environment)
        self.send(setup + "\necho rea''dy\n")
        self.until("ready")

    def send(self, text):
        os.write(self.fd, text.encode())

    def until(self, pattern, seconds=20):
        seen, end = "", time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    seen += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    break
            found = re.search(pattern, seen, re.DOTALL)
            if found:
                return found
        sys.exit(f"test_completion: no '{pattern}' in: {seen[-800:]!r}")

    def complete(self, text):
        self.send(text + "\t\x14")
        line = self.until("<<(.*?)>>").group(1)
        self.send("\x15")  # Ctrl-U: an empty line
        return re.sub(r"[\r\n]", "", line).rstrip().rstrip("=")

    def close(self):
        self.send("\x15exit\n")
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def try_terminal(name, words, setup, folder):
    terminal = Terminal(words, setup, folder)
    for typed, wanted in COMMON:
        got = terminal.complete(typed)
        check(got == wanted, f"{name}: '{typed}' became '{got}', not '{wanted}'")
    terminal.close()


def try_fish(folder):
    script = f"source {folder}/fish\n"
    script += "".join(f"echo '# {typed}'\ncomplete -C '{typed}'\n" for typed, _ in COMMON)
    done = subprocess.run(["fish", "--no-config"], input=script, capture_output=True, text=True, cwd=folder)
    check(done.stderr == "", f"fish: {done.stderr[:300]}")
    parts = dict(part.split("\n", 1) for part in done.stdout.split("# ")[1:])
    for typed, wanted in COMMON:
        # fish gives the last word, with a text after a tab; files with all endings come after the better ones.
        got = [line.split("\t")[0] for line in parts.get(typed, "").splitlines()]
        check(got[:1] == [wanted.split(" ")[-1]], f"fish: '{typed}' became {got}, not '{wanted}'")


with tempfile.TemporaryDirectory() as folder:
    os.mkdir(folder + "/bin")
    os.symlink(command, folder + "/bin/voussoir")
    for name in ("myscene.json", "mynotes.txt", "mypile.hdf5"):
        open(f"{folder}/{name}", "w").close()
    missing = []
    for shell in ("bash", "zsh", "fish"):
        script = subprocess.run([command, "completion", shell], capture_output=True, text=True, check=True).stdout
        with open(f"{folder}/{shell}", "w") as file:
            file.write(script)
        if not shutil.which(shell):
            missing.append(shell)
    if "bash" not in missing:
        setup = 'source ./bash; bind -x \'"\\C-t": echo "<""<$READLINE_LINE>"">"\''
        try_terminal("bash", ["bash", "--norc", "--noprofile", "-i"], setup, folder)
    if "zsh" not in missing:
        setup = (
            "autoload -Uz compinit && compinit -u -D; source ./zsh; unsetopt beep; unsetopt zle_bracketed_paste; "
            "show() { print -r -- \"<\"\"<$BUFFER>\"\">\" }; zle -N show; bindkey '^T' show"
        )
        try_terminal("zsh", ["zsh", "-f", "-i"], setup, folder)
    if "fish" not in missing:
        try_fish(folder)

print(checks.summary() + (f"; not here: {', '.join(missing)}" if missing else ""))
sys.exit(1 if checks.failed else 77 if missing else 0)
