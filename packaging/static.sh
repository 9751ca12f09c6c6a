#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds cairn-cli as one static file for Linux on x86-64, in out/release: cairn-cli-VERSION-linux-x86_64 and a .tar.xz of
# it with the manual page, the completions and the licences. The same checkout gives the same bytes, in any folder.
#   packaging/static.sh            builds, packs, and runs the program in an empty folder as root of its file system
#   packaging/static.sh --build    only builds: build/static/bin/cairn-cli
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/install.sh
. packaging/reproducible.sh

install_packages "${static_packages[@]}"
packaging/static_libraries.sh build/static-libraries
libraries=$PWD/build/static-libraries

say "Building: preset static"
cmake --preset static -DCMAKE_PREFIX_PATH="$libraries" >/dev/null
cmake --build build/static --target cairn-cli cairn_reference cairn-hdf5-index
[ "${1:-}" != --build ] || exit 0

name=cairn-cli-$cairn_version-linux-x86_64
stage=build/static/stage/$name
say "Packing: out/release/$name.tar.xz"
rm -rf build/static/stage
mkdir -p out/release
DESTDIR=$PWD/build/static/stage cmake --install build/static --strip --prefix "/$name" >/dev/null
add_licences "$stage/share/doc/cairn" static
cp "$stage/bin/cairn-cli" "out/release/$name"
pack_tar build/static/stage "$name" "out/release/$name.tar.xz"
ls -l "out/release/$name" "out/release/$name.tar.xz" | awk '{print $5, $9}'

say "In an empty file system"
packaging/empty_root.sh "out/release/$name"
