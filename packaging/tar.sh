#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes out/release/cairn-VERSION-linux-x86_64.tar.gz: the window with Qt and all other libraries beside it. Unpack it
# anywhere and run bin/cairn; nothing is installed, no FUSE is needed. (An AppImage is this folder with a program that
# mounts it; its tools are not in Debian.)
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/install.sh
. packaging/reproducible.sh

name=cairn-$cairn_version-linux-x86_64
rm -rf build/tar
packaging/window_tree.sh "build/tar/$name"
add_licences "build/tar/$name/share/doc/cairn" window "build/tar/$name.packages"
rm "build/tar/$name.packages"
mkdir -p out/release
pack_tar build/tar "$name" "out/release/$name.tar.gz"
ls -l "out/release/$name.tar.gz" | awk '{print $5, $9}'
