#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# app/python/stage.sh FOLDER: builds the package cairn for the Python in CAIRN_MODULE_PYTHON (Debian's) and puts it into
# FOLDER with the shared libraries that it needs beside it, so that FOLDER/cairn works wherever it is. Prints the wheel's
# tag. The names of the Debian packages of these libraries are in FOLDER.packages.
# CAIRN_MODULE_BUILD: a folder in which the package has been built already.
set -euo pipefail
site=$(realpath -m "$1")
cd "$(dirname "$0")/../.."
. packaging/install.sh

build=${CAIRN_MODULE_BUILD:-build/module}
if [ -z "${CAIRN_MODULE_BUILD:-}" ]; then
    make_module_python
    cmake --preset release -B "$build" -DCAIRN_GUI=OFF -DCAIRN_TESTS=OFF -DCAIRN_TORCH=OFF -DCAIRN_PYTHON=ON -DCAIRN_WERROR=ON \
        -DCAIRN_INTEROP_PYTHON="$module_python" >&2
    cmake --build "$build" --target cairn_python_package >&2
    packaging/static.sh --build >&2
fi

package=$site/cairn
packages=$site.packages
rm -rf "$package" "$packages"
mkdir -p "$package/lib" "$package/licences"
cp "$build"/python/cairn/*.{py,pyi,so,typed} "$build/python/cairn/cairn-hdf5-index" "$package/"
# the static one, if it has been built: HDF5's library needs curl, LDAP and Kerberos
[ ! -x build/static/bin/cairn-hdf5-index ] || cp build/static/bin/cairn-hdf5-index "$package/"

python=$(sed -n 's/^CAIRN_INTEROP_PYTHON:[A-Z]*=//p' "$build/CMakeCache.txt")
cp "$("$python" -c 'import importlib.metadata as m; print(next(f.locate() for f in m.files("nanobind") if f.name == "LICENSE"))')" \
    "$package/licences/nanobind.txt" # linked in, and not a package of Debian

# of every system that has Python
system='^(ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv|libstdc\+\+|libgcc_s)\.so'
for file in "$package"/_core*.so "$package/cairn-hdf5-index"; do
    { ldd "$file" 2>/dev/null || true; } | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' | while read -r name path; do
        if [[ $name =~ $system ]] || [ -e "$package/lib/$name" ]; then
            continue
        fi
        install -m 644 "$(realpath "$path")" "$package/lib/$name"
        for owned in "$(realpath "$path")" "$(realpath "$path" | sed 's|^/usr||')"; do # dpkg has one of both names
            dpkg-query -S "$owned" 2>/dev/null | sed 's/:.*//' >>"$packages" || true
        done
    done
    if ldd "$file" 2>/dev/null | grep '=>' >/dev/null; then # patchelf breaks static programs
        patchelf --set-rpath '$ORIGIN/lib' "$file"
    fi
done
sort -u -o "$packages" "$packages"
find "$package/lib" -name '*.so*' -exec patchelf --set-rpath '$ORIGIN' {} \; -exec strip --strip-unneeded {} \;
strip --strip-unneeded "$package/cairn-hdf5-index"

version=$(ls "$package" | sed -n 's/^_core\.cpython-\([0-9]*\)-.*/cp\1-cp\1/p; s/^_core\.abi3\.so$/cp312-abi3/p')
echo "$version-manylinux_$(packaging/needed_glibc.sh "$package")_x86_64"
