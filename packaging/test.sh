#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the dependencies, builds, creates the Python environment of the interop tests, and runs the tests with ctest.
#   packaging/test.sh        the release build with the libtorch and the Python module, and every test that it has
#   packaging/test.sh all    what CI runs: the same with unit and conformance tests under AddressSanitizer and
#                            UndefinedBehaviorSanitizer (on the release build only those that need it), command line, hostile files
#                            and corpora under both, the static program and the wheels, each fuzz target for CAIRN_FUZZ_SECONDS (10),
#                            the multi-threaded suites under ThreadSanitizer, and the libtorch module alone
# Suites that need frameworks in separate environments run by hand; the date of their last runs is printed.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
    '') all=false ;;
    all) all=true ;;
    *) sed -n 's/^#   /  /p' "$0" >&2; exit 2 ;;
esac
. packaging/install.sh

install_packages "${build_packages[@]}" "${test_packages[@]}"
jobs=$((1 + $(nproc))) # some tests wait
mkdir -p build

venv=build/venv
install_frameworks() {
    local stamp=$venv/requirements.txt
    if ! cmp -s tests/interop/requirements.txt "$stamp"; then
        python3 -m venv "$venv"
        # torch first, so that its dependents do not install a different build
        "$venv/bin/pip" install --quiet --disable-pip-version-check "$(grep -i '^torch==' tests/interop/requirements.txt)"
        "$venv/bin/pip" install --quiet --disable-pip-version-check -r tests/interop/requirements.txt
        cp tests/interop/requirements.txt "$stamp"
    fi
}

# Configures each time: try.sh may have configured build/release without its tests.
build() { # PRESET [OPTION...] [-- TARGET...]
    local preset=$1 options=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
    [ $# -eq 0 ] || shift
    say "Building: preset $preset"
    cmake --preset "$preset" "${options[@]}" >/dev/null
    cmake --build "build/$preset" --parallel "$(nproc)" ${1:+--target "$@"}
}

run_tests() { # PRESET CTEST-OPTION...
    ctest --test-dir "build/$1" --output-on-failure --no-tests=error -j "$jobs" "${@:2}"
}

# Runs a function beside what follows; a later `finish` waits for it, and prints its output if it fails.
beside() { # NAME FUNCTION
    set -m # in a process group of its own, which the trap ends
    "$2" >"build/$1.log" 2>&1 </dev/null &
    set +m
    started[$1]=$!
}
finish() { # NAME
    local process=${started[$1]}
    unset "started[$1]"
    wait "$process" || { cat "build/$1.log"; exit 1; }
}
declare -A started=()
trap 'for process in "${started[@]}"; do kill -- "-$process" 2>/dev/null || true; done' EXIT

say "Python environment in build/venv, while the compiler works: $(grep -c == tests/interop/requirements.txt) pinned packages"
beside venv install_frameworks

# What has the label sanitized needs no release build: `all` runs it under sanitizers.
native=OFF on_release=(-LE 'heavy')
if $all; then
    native=ON on_release=(-LE 'heavy|sanitized')
fi
sanitized=(-L 'unit|conformance|hostile|cli|fuzz')

build release -DCAIRN_TESTS=ON -DCAIRN_WERROR=ON -DCAIRN_NATIVE_TESTS=$native
finish venv
torch_cmake=$("$venv/bin/python" -c 'import torch; print(torch.utils.cmake_prefix_path)')
say "The libtorch module, the Python module and the interop tests"
build release -DCAIRN_PYTHON=ON -DCMAKE_PREFIX_PATH="$torch_cmake" -DCAIRN_INTEROP_PYTHON="$PWD/$venv/bin/python"

# The other builds have the processor time that the tests leave: some of these wait.
build_others() {
    renice -n 15 "$BASHPID" >/dev/null
    build asan -DCAIRN_TORCH=OFF -DCAIRN_GUI=OFF
    build tsan -DCAIRN_TORCH=OFF -- test_jobs test_model test_analysis test_ui_async_runner
}
if $all; then
    beside others build_others
fi
say "Tests on the release build"
run_tests release "${on_release[@]}"

print_ledger() {
    say "Suites in separate environments (tests/interop/README.md): their last runs"
    python3 tests/interop/ledger.py
    say "All of it passed"
}
if ! $all; then
    print_ledger
    exit 0
fi

# Its objects are those of the release build, which the compiler cache has. In an empty file system with the golden
# samples of every format (static.sh), the suites of the command line, and as a wheel in a new environment.
packaging/static.sh
static() {
    local suite=$1 log=build/static/${1##*/}.log
    CAIRN_CLI=$PWD/build/static/bin/cairn-cli sh tests/support/run_test.sh "$PWD/build/static/test_homes/${suite##*/}" python3 "$suite" >"$log" 2>&1 ||
        { cat "$log"; exit 255; } # 255 stops xargs
    echo "$suite: $(sed -n 's/^Ran //p' "$log")"
}
export -f static
say "The command line's tests with the static program"
ls tests/cli/test_*.py | grep -v test_try.py | xargs -P "$jobs" -I{} bash -c 'set -euo pipefail; static "$1"' static {}
packaging/wheel.sh
say "pip install, first table"
rm -rf build/static/venv
python3 -m venv build/static/venv
build/static/venv/bin/pip install --quiet --disable-pip-version-check --no-index out/release/cairn_cli-*.whl
build/static/venv/bin/cairn-cli ls resources/sample/experiment/tiny-llama-a/step-400 | sed -n 1,4p
# with the nanobind of the release build, whose objects it is made of
python=$("$venv/bin/python" -c 'import sys; print("3.%d" % sys.version_info[1])')
CAIRN_NANOBIND=$(echo "$PWD/$venv"/lib/python3*/site-packages) packaging/wheel.sh module "$python"
say "The Python module of the wheel"
module_home=$PWD/build/static/test_homes/python
(cd tests/python && CAIRN_CLI=$PWD/../../build/static/bin/cairn-cli PYTHONPATH=$PWD/../../build/wheel/module/site \
    sh ../support/run_test.sh "$module_home" "../../$venv/bin/python" -m unittest test_package test_threads test_frameworks)

say "The libtorch module alone: preset gpu"
# Ninja, as the release build, so that the compiler cache has the objects
cmake --fresh --preset gpu -G Ninja -DCAIRN_WERROR=ON -DCMAKE_PREFIX_PATH="$torch_cmake" >/dev/null
cmake --build build/gpu --parallel "$(nproc)"
run_tests gpu

say "Waiting for the builds with sanitizers"
finish others
names() { # PRESET CTEST-OPTION...: the tests that ctest would run
    ctest --test-dir "build/$1" -N "${@:2}" | sed -n 's/^ *Test *#[0-9]*: //p' | sort
}
registered=$(names release -LE heavy)
here=$(names release "${on_release[@]}")
there=$(names asan "${sanitized[@]}")
never=$(comm -23 <(echo "$registered") <(sort -u <(echo "$here") <(echo "$there")))
if [ -n "$never" ]; then
    printf 'Registered, but neither run on the release build nor under sanitizers:\n%s\n' "$never"
    exit 1
fi
say "Of $(wc -l <<<"$registered") tests $(wc -l <<<"$here") on the release build, $(wc -l <<<"$there") under sanitizers, on both $(comm -12 <(echo "$here") <(echo "$there") | wc -l), on neither 0"

say "Tests under AddressSanitizer and UndefinedBehaviorSanitizer"
# Without the loops that kill a job at every system call: a sanitizer reports nothing of a killed process.
CAIRN_SANITIZED=1 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 GTEST_FILTER='-*Kill*' run_tests asan "${sanitized[@]}"

seconds=${CAIRN_FUZZ_SECONDS:-10}
say "Fuzzing each parser for $seconds s"
mkdir -p build/fuzz
# One process per processor; stops at the first finding.
fuzz() {
    local target=$1
    local log=build/fuzz/$target.log corpus=tests/fuzz/corpus/${target#fuzz_} found=build/fuzz/corpus/$target
    mkdir -p "$found" "$corpus"
    # Entropic scheduling would take longer than the parsers, which have thousands of features per run.
    "build/asan/bin/$target" -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=10 -print_final_stats=1 \
        -entropic=0 -print_funcs=0 -max_len=12288 \
        -artifact_prefix="build/fuzz/" "$found" "$corpus" >"$log" 2>&1 ||
        { tail -40 "$log"; exit 255; } # 255 stops xargs
    echo "$target: $(grep -oE 'number_of_executed_units: *[0-9]+|peak_rss_mb: *[0-9]+' "$log" | tr -s ' ' | paste -sd' ')"
}
export -f fuzz
export seconds
(cd build/asan/bin && ls -d fuzz_*) | ASAN_OPTIONS=allocator_may_return_null=1:malloc_context_size=4:quarantine_size_mb=32 \
    xargs -P "$(nproc)" -I{} bash -c 'set -euo pipefail; fuzz "$1"' fuzz {}

say "Tests under ThreadSanitizer: jobs, statistics and diff, and the bridge to the window"
# Qt is not built with ThreadSanitizer, so races inside Qt are ignored. Without the loops that fail or kill a job at every
# system call: they start thousands of processes but no other threads.
TSAN_OPTIONS=ignore_noninstrumented_modules=1 GTEST_FILTER='-Faults*:PartsAgain*:Publish*:FileOps*:*AtAnyCall*:*EveryCall*:*Kill*' \
    run_tests tsan -R '^(jobs|model|analysis|ui_async_runner)$'

print_ledger
