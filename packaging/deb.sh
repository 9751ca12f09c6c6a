#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the Debian packages cairn, cairn-cli and python3-cairn in out/release, and cairn-torch with --torch: against
# Debian's libtorch, which is installed for that (350 MB). The same checkout on the same Debian gives the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/install.sh
. packaging/reproducible.sh

torch=OFF
packages=("${build_packages[@]}" dpkg-dev file lintian python3-venv python3-dev)
if [ "${1:-}" = --torch ]; then
    torch=ON
    packages+=(libtorch-dev)
fi
install_packages "${packages[@]}"
say "Building: preset package"
make_module_python
cmake --preset package -DCAIRN_TORCH=$torch -DCAIRN_PYTHON=ON -DCAIRN_INTEROP_PYTHON="$module_python" >/dev/null
cmake --build build/package
say "Debian packages"
rm -rf build/package/debs
cpack --config build/package/CPackConfig.cmake -G DEB -B build/package/debs >build/package/cpack.log || { cat build/package/cpack.log; exit 1; }
mkdir -p out/release
cp build/package/debs/*.deb out/release/
say "lintian"
# the project has no mail address of its own yet
lintian --tag-display-limit 0 --fail-on error --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog out/release/*.deb
ls -l out/release/*.deb | awk '{print $5, $9}'
