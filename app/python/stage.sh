#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the package cairn for one of the Pythons of pythons.txt, which need not be installed: the extension with all libraries
# inside, for glibc 2.17 and later, and the static index program. Fails if it needs anything else. After
# packaging/static_libraries.sh build/static-libraries.
#   app/python/stage.sh                   prints the Pythons
#   app/python/stage.sh PYTHON FOLDER     puts the package into FOLDER, prints the wheel's tag; FOLDER.packages names nanobind
# CAIRN_NANOBIND: the folder with the package nanobind of this version, otherwise it is fetched
set -euo pipefail
table=$(dirname "$0")/pythons.txt
if [ $# -eq 0 ]; then
    sed 's/#.*//; s/ .*//; /^$/d' "$table"
    exit 0
fi
python=$1
read -r package_file sum nanobind < <(awk -v name="$python" '$1 == name {print $2, $3, $4}' "$table") ||
    { echo "$table has no Python $python" >&2; exit 1; }
site=$(realpath -m "$2")
cd "$(dirname "$0")/../.."
. packaging/install.sh

if [ "$sum" = - ]; then
    install_packages "$package_file" >&2
    headers=/usr/include/python$python
else
    headers=$PWD/build/python-headers/$sum
    if [ ! -e "$headers" ]; then
        mirror=$(apt-get indextargets --format '$(REPO_URI)|$(ORIGIN)' 'Created-By: Packages' | sed -n 's/|Debian$//p' | head -1)
        mkdir -p build/python-headers
        /usr/lib/apt/apt-helper -o APT::Sandbox::User=root download-file "${mirror%/}/$package_file" build/python-headers/package.deb "SHA256:$sum" >&2 ||
            { echo "Cannot get $package_file as in $table: update it" >&2; exit 1; }
        rm -rf build/python-headers/new
        mkdir build/python-headers/new
        dpkg-deb --fsys-tarfile build/python-headers/package.deb | tar -x -C build/python-headers/new ./usr/include
        mv build/python-headers/new "$headers"
    fi
    headers=$headers/usr/include/python$python
fi

# nanobind is C++ and the same files for all
[ -n "$nanobind" ] || nanobind=$(sed -n 's/^nanobind==//p' tests/interop/requirements.txt)
binding=${CAIRN_NANOBIND:-$PWD/build/nanobind/$nanobind}
if [ ! -e "$binding" ]; then
    [ -x build/nanobind/venv/bin/pip ] || python3 -m venv build/nanobind/venv >&2
    rm -rf build/nanobind/new
    build/nanobind/venv/bin/pip install --quiet --disable-pip-version-check --no-deps --target build/nanobind/new "nanobind==$nanobind" >&2
    mv build/nanobind/new "$binding"
fi

build=build/module-$python
cmake --preset static -B "$build" -DCMAKE_PREFIX_PATH="$PWD/build/static-libraries" -DCAIRN_PYTHON=ON -DCAIRN_PYTHON_HEADERS="$headers" \
    -Dnanobind_ROOT="$binding/nanobind/cmake" >/dev/null
cmake --build "$build" --target cairn_python cairn-hdf5-index >&2

package=$site/cairn
rm -rf "$package"
mkdir -p "$package/licences"
cp app/python/cairn/*.{py,pyi,typed} "$build"/python/cairn/_core*.so "$package/"
strip --strip-unneeded -o "$package/cairn-hdf5-index" "$build/bin/cairn-hdf5-index"
cp "$binding"/nanobind-*.dist-info/licenses/LICENSE "$package/licences/nanobind.txt" # linked in, and not a package of Debian
echo "nanobind==$nanobind" >"$site.packages"

core=$(ls "$package"/_core*.so)
# Python's own symbols have no version, and those of C++'s library come with it or not at all.
unknown=$({ nm -D --undefined-only "$core" | awk '$1 == "U" {print $2}' | grep -Ev '^_?Py|@GLIBC_|@GCC_'
    objdump -p "$core" | awk '$1 == "NEEDED" {print $2} $1 == "TEXTREL" {print "code that the loader changes"}' |
        grep -Ev '^(ld-linux-x86-64|libc|libm|libdl|libpthread|libgcc_s)\.so'; } || true)
needed=$(packaging/needed_glibc.sh "$package")
if [ -n "$unknown" ]; then
    echo "$core needs what is neither in glibc 2.17 nor in packaging/old_glibc.c:" $unknown >&2
    exit 1
fi
if [ "$(printf '%s\n' "$needed" 2_17 | sort -V | tail -1)" != 2_17 ]; then
    echo "$package needs glibc $needed, newer than 2_17" >&2
    exit 1
fi
case $core in
*.abi3.so) tag=cp312-abi3 ;;
*) tag=cp${python/./}-cp${python/./} ;;
esac
echo "$tag-manylinux_${needed}_x86_64"
