#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes every artefact in out/release, and their SHA-256 sums: SHA256SUMS. With a key, signs the folder (OpenSSF Model
# Signing): cairn.sig, which `cairn-cli verify out/release --signature out/release/cairn.sig --public-key …` checks.
#   packaging/release.sh [KEY.pem]
#   packaging/release.sh --twice    makes everything again from a copy in another folder; fails if a byte differs
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/install.sh
. packaging/reproducible.sh

python3 tests/interop/ledger.py check || { echo "These suites must pass first: tests/interop/README.md" >&2; exit 1; }

make_all() {
    rm -rf out/release
    packaging/static.sh
    packaging/wheel.sh
    packaging/wheel.sh window
    [ ! -x app/python/stage.sh ] || packaging/wheel.sh module
    packaging/tar.sh
    packaging/deb.sh
    say "Licences"
    python3 packaging/bundled.py check out/release/*
    (cd out/release && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
}

if [ "${1:-}" = --twice ]; then
    copy=$(mktemp -d)/another-folder
    trap 'rm -rf "$(dirname "$copy")"' EXIT
    git clone --quiet . "$copy"
    [ -f out/release/SHA256SUMS ] || make_all
    # compiled there, with a compiler cache of its own that only the presets of that build share
    (cd "$copy" && CCACHE_DIR=$copy/build/ccache CCACHE_CONFIGPATH=/dev/null CCACHE_BASEDIR=$copy packaging/release.sh)
    say "Both builds"
    diff out/release/SHA256SUMS "$copy/out/release/SHA256SUMS"
    echo "the same bytes"
    exit 0
fi

make_all
if [ -n "${1:-}" ]; then
    say "Signing"
    build/static/bin/cairn-cli sign out/release --key "$1" -o out/release/cairn.sig
    openssl pkey -in "$1" -pubout -out build/public_key.pem
    build/static/bin/cairn-cli verify out/release --signature out/release/cairn.sig --public-key build/public_key.pem
fi
say "out/release"
cat out/release/SHA256SUMS
