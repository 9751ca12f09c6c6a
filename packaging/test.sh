#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the dependencies, builds, creates the Python environment of the interop tests, and runs every test with ctest:
# all suites on a release build, the core's suites under AddressSanitizer and UndefinedBehaviorSanitizer, each fuzz target
# for CAIRN_FUZZ_SECONDS (10), the multi-threaded suites under ThreadSanitizer, the libtorch module, and the static
# cairn-cli and the Python module with their wheels.
#   packaging/test.sh          everything
#   packaging/test.sh quick    only the release build and its tests
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/install.sh

install_packages "${build_packages[@]}" "${test_packages[@]}"

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
say "Python environment in build/venv, while the compiler works: $(grep -c == tests/interop/requirements.txt) pinned packages"
mkdir -p build
install_frameworks >build/venv.log 2>&1 &
frameworks=$!
trap 'kill "$frameworks" 2>/dev/null || true' EXIT

# Configures each time: try.sh may have configured build/release without its tests.
build() {
    local preset=$1
    shift
    say "Building: preset $preset"
    cmake --preset "$preset" "$@" >/dev/null
    cmake --build "build/$preset"
}

build release -DCAIRN_TESTS=ON -DCAIRN_WERROR=ON
wait "$frameworks" || { cat build/venv.log; exit 1; }
trap - EXIT
torch_cmake=$("$venv/bin/python" -c 'import torch; print(torch.utils.cmake_prefix_path)')
say "The libtorch module, the Python module and the interop tests"
build release -DCAIRN_PYTHON=ON -DCMAKE_PREFIX_PATH="$torch_cmake" \
    -DCAIRN_INTEROP_PYTHON="$PWD/$venv/bin/python"
say "Tests on the release build"
# heavy: needs frameworks of several hundred MB, see tests/interop/README.md
ctest --test-dir build/release --output-on-failure --no-tests=error -j "$((1 + $(nproc)))" -LE heavy

if [ "${1:-}" = quick ]; then
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
ls tests/cli/test_*.py | grep -v test_try.py | xargs -P "$((1 + $(nproc)))" -I{} bash -c 'set -euo pipefail; static "$1"' static {}
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

build asan -DCAIRN_TORCH=OFF -DCAIRN_GUI=OFF
say "Tests under AddressSanitizer and UndefinedBehaviorSanitizer"
# Without the loops that kill a job at every system call: a sanitizer reports nothing of a killed process.
CAIRN_SANITIZED=1 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 GTEST_FILTER='-*Kill*' \
    ctest --test-dir build/asan --output-on-failure --no-tests=error -j "$((1 + $(nproc)))" -L 'unit|conformance|hostile|cli|fuzz'

say "The libtorch module alone: preset gpu"
cmake --preset gpu -DCAIRN_WERROR=ON -DCMAKE_PREFIX_PATH="$torch_cmake" >/dev/null
cmake --build build/gpu --parallel 2
ctest --test-dir build/gpu --output-on-failure --no-tests=error

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
export seconds ASAN_OPTIONS=allocator_may_return_null=1:malloc_context_size=4:quarantine_size_mb=32
(cd build/asan/bin && ls -d fuzz_*) | xargs -P "$(nproc)" -I{} bash -c 'set -euo pipefail; fuzz "$1"' fuzz {}

say "Building: preset tsan (the tests of jobs, statistics and diff, and of the bridge to the window)"
cmake --preset tsan -DCAIRN_TORCH=OFF >/dev/null
cmake --build build/tsan --target test_jobs test_model test_analysis test_ui_async_runner
say "Tests under ThreadSanitizer"
# Qt is not built with ThreadSanitizer, so races inside Qt are ignored.
export TSAN_OPTIONS=ignore_noninstrumented_modules=1
# Without the loops that fail or kill a job at every system call: they start thousands of processes but no other threads.
GTEST_FILTER='-Faults*:Publish*:FileOps*:*AtAnyCall*:*EveryCall*:*Kill*' ctest --test-dir build/tsan --output-on-failure --no-tests=error -R '^(jobs|model|analysis|ui_async_runner)$'

say "All of it passed"
