#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds Cairn on a bare Debian 12 and opens the window on the sample experiment. Without a display, writes a screenshot
# of every page and runs a short tour on the command line. Arguments are passed to the program: packaging/try.sh ~/runs
# packaging/try.sh --picture writes the picture of README.md instead.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/install.sh

install_packages "${build_packages[@]}"

say "Building (release) in build/release"
if [ ! -f build/release/build.ninja ]; then
    cmake --preset release -DCAIRN_TESTS=OFF >/dev/null
fi
cmake --build build/release --target cairn cairn-cli
bin=build/release/bin

if [ "${1:-}" = --picture ]; then
    say "Writing resources/pictures/cairn.png"
    rm -rf out/picture
    mkdir -p out/picture
    "$bin/cairn-cli" sample out/picture/experiment
    find out/picture/experiment -exec touch -d 2026-01-01T12:00Z {} + # times and, below, language and zone: as in the last one
    program=$PWD/$bin/cairn
    (cd out/picture && env -u LANGUAGE LC_ALL=C.UTF-8 TZ=UTC QT_QPA_PLATFORM=offscreen "$program" --screenshots . --page summary experiment)
    cp out/picture/summary-light.png resources/pictures/cairn.png
    exit
fi

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    say "Opening the window"
    if [ $# -gt 0 ]; then
        exec "$bin/cairn" "$@"
    fi
    exec "$bin/cairn" --sample
fi

say "No display: writing screenshots of every page to out/pictures"
mkdir -p out
"$bin/cairn" --screenshots out/pictures "$@"

say "The same sample on the command line"
sample=out/sample
rm -rf "$sample" out/deployed.safetensors out/deployed.safetensors.cairn.json
run() {
    printf '\n$ cairn-cli %s\n' "$*"
    "$bin/cairn-cli" "$@" || printf '(exit code %s)\n' "$?"
}
run sample "$sample"
run runs "$sample"
run info "$sample/tiny-llama-a/step-400"
run placement "$sample/tiny-llama-a/step-400" --tensor model.embed_tokens.weight
run info "$sample/tiny-llama-a/step-300"
run history "$sample/tiny-llama-a" --metric '*loss'
run compare "$sample/tiny-llama-a" "$sample/tiny-llama-b"
run diff "$sample/tiny-llama-a/step-400" "$sample/hf-export" --values --tensor 'model.layers.1.*'
run stats "$sample/tiny-llama-a" --timeline --tensor lm_head.weight
run consolidate "$sample/tiny-llama-a/step-400" -o out/deployed.safetensors --only weights
run verify out/deployed.safetensors
