"""Walks over every command, option and choice of the voussoir command: help, and the answers to usage errors.

usage: tests/system/test_usage.py COMMAND

The commands, options and choices are those of `voussoir completion table`, from the tables by which lines are read. Nothing is simulated or solved: every line is wrong or asks for help.
"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import checks
from checks import check

command = sys.argv[1]
# A fixed kernel: without it a processor unknown to OpenBLAS means a restart for each line.
environment = dict(os.environ, OPENBLAS_CORETYPE="Haswell", OPENBLAS_NUM_THREADS="1")


def run(*words):
    return subprocess.run([command, *words], capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL)


def misspelt(word):
    """One letter too many, in the middle and at the end."""
    middle = len(word) // 2 + 1
    return [word + word[-1], word[:middle] + "x" + word[middle:]]


def check_wrong(job):
    """A wrong line: exit code 1, nothing on standard output, one line that names the reason and a remedy."""
    words, wanted = job
    done = run(*words)
    line = " ".join(words)
    good = (
        done.returncode == 1
        and done.stdout == ""
        and re.fullmatch(r"voussoir: [^\n]+\n", done.stderr)
        and re.search(r"; |\?|for instance|needs", done.stderr)
        and wanted in done.stderr
    )
    check(good, f"voussoir {line}: code {done.returncode}, wanted '{wanted}', said: {(done.stderr + done.stdout)[:300]!r}")


# ---- the tables ------------------------------------------------------------------------------------------------

table = [line.split("\t") for line in run("completion", "table").stdout.splitlines()]
top = run("help").stdout
commands = re.findall(r"^  ([a-z]+) +\S", top[top.index("\ncommands\n") : top.index("\noptions\n")], re.MULTILINE)
commands.remove("help")
check(len(commands) >= 6 and set(commands) == {row[0] for row in table}, f"help and completion differ: {commands}")

# ---- help ------------------------------------------------------------------------------------------------------

for name in commands:
    asked, told, short = run("help", name), run(name, "--help"), run(name, "-h")
    text = asked.stdout
    check(asked.returncode == 0 and asked.stderr == "", f"help {name}: code {asked.returncode}")
    check(told.stdout == text and told.returncode == 0, f"{name} --help differs from help {name}")
    check(short.stdout == text and short.returncode == 0, f"{name} -h differs from help {name}")
    check(text.startswith(f"usage: voussoir {name}"), f"help {name} does not begin with its usage")
    examples = text.partition("\nexamples\n")[2].partition("\n\n")[0]
    check(re.search(rf"^  .*\bvoussoir {name}\b", examples, re.MULTILINE), f"help {name} has no example of its own")
    check("\nExit code: 0 " in text and "1 usage error" in text, f"help {name} does not tell its exit codes")
    check(max(map(len, text.splitlines())) <= 120, f"help {name} has a line of more than 120 characters")
    # Options and help agree, both ways.
    options = {row[1] for row in table if row[0] == name}
    entries = re.findall(r"^  (--?[a-z][a-z-]*)(?:, (--[a-z-]+))?", text, re.MULTILINE)
    shown = {word for entry in entries for word in entry if word}
    check("--help" in options, f"{name} has no --help")
    untold = options - {"--help", "-h"} - shown
    check(not untold, f"help {name} does not tell: {untold}")
    check(shown <= options, f"help {name} tells what is not read: {shown - options}")
    check(all(row[4] for row in table if row[0] == name), f"an option of {name} has no text for completion")

# Options that commands share are told in the same words.
shared = {name: run("help", name).stdout.partition("\nsimulation\n")[2].partition("\n\n")[0] for name in ("run", "sweep", "find")}
if "run" in commands:
    check("--step" in shared["sweep"] and shared["sweep"] == shared["find"], "sweep and find tell different simulation options")
    check(shared["run"].startswith(shared["sweep"]), "run and sweep tell different simulation options")
    # Defaults are those of the library.
    check("; default: 1e-8\n" in run("help", "solve").stdout, "help solve does not tell the default tolerance")

# ---- usage errors ----------------------------------------------------------------------------------------------

wrong = []
for name in commands + ["help"]:
    wrong += [([bad], f"did you mean '{name}'?") for bad in misspelt(name)]
    wrong += [(["help", bad], f"did you mean '{name}'?") for bad in misspelt(name)]
wrong += [(["--versoin"], "did you mean '--version'?"), (["--hlep"], "did you mean '--help'?")]
wrong += [(["zzzzzzzz"], "'voussoir help' lists them")]

for name, option, kind, choices, _ in table:
    if option.startswith("--"):
        # One letter after --sample is as near to --samples.
        longer = any(row[0] == name and row[1] != option and row[1].startswith(option) for row in table)
        wrong.append(([name, misspelt(option)[1 if longer else len(option) % 2]], f"did you mean {option}?"))
    if kind == "flag":
        wrong.append(([name, f"{option}=yes"], option))
        continue
    wrong.append(([name, option], option))
    wrong.append(([name, option, "--help"] if option != "--set" else [name, "--set=x"], option))
    if kind in ("number", "count", "time"):
        wrong += [([name, option, value], option) for value in ("abc", "1e", "nan")]
    elif kind == "choice":
        for choice in choices.split(","):
            # One letter more makes of the shortest ones (mm, m, z) another choice or anything.
            if len(choice) < 3:
                continue
            wrong.append(([name, option, choice + choice[-1]], f"did you mean '{choice}'?"))
        wrong.append(([name, option, "qqqqqqqq"], "choose one of: " + choices.replace(",", ", ")))
    else:
        wrong.append(([name, f"{option}="], ""))
for name in commands:
    wrong.append(([name, "--qqqqqqqqqq"], f"'voussoir help {name}' lists them"))
wrong += [([name], f"{name}: ") for name in commands if name not in ("doctor", "scenes", "reproduce")]
few = {"new", "doctor", "scenes", "export", "view", "completion", "convert", "run"}
wrong += [([name, "a", "b", "c"], f"{name}: ") for name in commands if name in few]
# Names of earlier versions lead to the present ones, and nowhere if the command has no such option.
wrong += [([name, "--out", "x"], "did you mean --output?") for name in ("sweep", "find", "compare", "reproduce") if name in commands]
wrong += [(["doctor", "--out", "x"], "'voussoir help doctor' lists them")]
wrong += [(["completion", "bsh"], "did you mean 'bash'?")]
if "run" in commands:
    wrong += [(["run", "archh"], "did you mean 'arch'?"), (["reproduce", "enzenhofer-cas"], "did you mean 'enzenhofer-case'?")]

with ThreadPoolExecutor(2) as pool:
    list(pool.map(check_wrong, wrong))

print(f"{len(commands)} commands, {len(table)} options, {len(wrong)} wrong lines: {checks.summary()}")
sys.exit(checks.failed > 0)
