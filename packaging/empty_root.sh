#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/empty_root.sh PROGRAM: runs a static cairn-cli where nothing else exists (no library, no /proc, no /dev, no
# shell): every golden sample of every format is what its writer noted; copies, verifies. Prints the start time of --version.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "$1")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp "$program" "$root/cairn-cli"
enter=(chroot "$root")
[ "$(id -u)" -eq 0 ] || enter=(unshare --map-root-user --root="$root") # lets users do it who are not root
run() { "${enter[@]}" /cairn-cli "$@"; } # in the empty file system
check() { # WORD... : must end well
    run "$@" >"$root/answer" 2>"$root/errors" || { echo "failed: cairn-cli $*" >&2; cat "$root/errors" >&2; exit 1; }
}
check --version
begin=$(date +%s%N)
for _ in 1 2 3 4 5 6 7 8 9 10; do run --version >/dev/null; done
echo "--version: $((($(date +%s%N) - begin) / 10000000)) ms, chroot included"
python3 tests/packaging/golden_samples.py --copy "$root/golden" --at /golden "${enter[@]}" /cairn-cli
check sample /sample
check ls /sample/tiny-llama-a/step-400
check runs /sample
check stats /sample/hf-export --tensor '*.weight'
check consolidate /sample/tiny-llama-a/step-400 -o /out.safetensors --only weights
check verify /out.safetensors
check pack /sample/hf-export -o /packed.cairnz
check hash /packed.cairnz
if run stats /out.safetensors --spectrum >/dev/null 2>"$root/errors" ||
    ! grep -q 'statically linked program cannot load' "$root/errors"; then
    echo "a request for libtorch must be refused with a reason:" >&2
    cat "$root/errors" >&2
    exit 1
fi
echo "everything ran: sample, ls, runs, stats, consolidate, verify, pack, hash"
