#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/static_libraries.sh FOLDER: builds the archives of Highway, ISA-L, RE2 and simdjson, which Debian 12 has only as
# shared libraries (RE2 as an archive without -fPIC), from its source packages (static_sources.txt), into FOLDER/lib. Their
# headers are those of Debian's packages. Uses apt with a configuration of its own; the system's is not changed.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/install.sh

prefix=$(realpath -m "$1")
pins=packaging/static_sources.txt
made_from=$(cat packaging/static_libraries.sh "$pins" | sha256sum)
if [ "$(cat "$prefix/made_from" 2>/dev/null)" = "$made_from" ]; then
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$prefix"
mkdir -p "$prefix/lib" "$prefix/licenses"

say "Source packages: $(grep -cE "^[a-z0-9]+=" "$pins")"
apt=$work/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$work/sources"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ ! -e "$keyring" ] || signed="[signed-by=$keyring] "
# from the mirrors of the system's own configuration
apt-get indextargets --format "deb-src ${signed:-}\$(REPO_URI) \$(RELEASE) \$(COMPONENT)|\$(ORIGIN)" 'Created-By: Packages' |
    sed -n 's/|Debian$//p' | sort -u >"$apt/sources.list"
cat >"$apt/apt.conf" <<CONF
Dir::State::Lists "$apt/lists";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "-";
APT::Sandbox::User "root";
CONF
export APT_CONFIG=$apt/apt.conf
apt-get update -qq
while read -r package; do
    (cd "$work/sources" && apt-get source -qq --download-only "$package" >/dev/null) ||
        { echo "Debian's archive no longer has $package: update $pins" >&2; exit 1; }
done < <(grep -E "^[a-z0-9]+=" "$pins")
unset APT_CONFIG
(cd "$work/sources" && sha256sum --quiet --check <(grep -E '^[0-9a-f]{64} ' "$OLDPWD/$pins"))

unpack() {
    dpkg-source --no-check -x "$work/sources/$1"_*.dsc "$work/$1" >/dev/null
}
# -O2 as Debian builds them; no path of this build, no time
flags="-O2 -fPIC -g0 -ffunction-sections -fdata-sections -ffile-prefix-map=$work=."
build_with_cmake() { # PACKAGE LIBRARY OPTION...
    local package=$1 library=$2
    shift 2
    say "$package"
    unpack "$package"
    cmake -S "$work/$package" -B "$work/$package/build" -G Ninja -Wno-deprecated -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF \
        -DCMAKE_CXX_FLAGS="$flags -DNDEBUG" "$@" >/dev/null
    cmake --build "$work/$package/build" --target "$library" >/dev/null
    find "$work/$package/build" -name "lib$library.a" -exec cp {} "$prefix/lib/" \;
    cp "$work/$package/debian/copyright" "$prefix/licenses/$package"
}
build_with_cmake simdjson simdjson
build_with_cmake highway hwy -DBUILD_TESTING=OFF -DHWY_ENABLE_TESTS=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_CONTRIB=OFF
say "RE2" # Debian's source lacks the generated tables
unpack re2
PATH=/usr/bin:$PATH make -C "$work/re2" -j"$(nproc)" REBUILD_TABLES=1 CXXFLAGS="$flags -DNDEBUG -std=c++17 -pthread" obj/libre2.a >"$work/re2.log" 2>&1 ||
    { cat "$work/re2.log" >&2; exit 1; }
cp "$work/re2/obj/libre2.a" "$prefix/lib/"
mkdir -p "$prefix/lib/pkgconfig" # found before Debian's archive
sed "s|^libdir=.*|libdir=$prefix/lib|" "$(pkg-config --variable=pcfiledir re2)/re2.pc" >"$prefix/lib/pkgconfig/re2.pc"
cp "$work/re2/debian/copyright" "$prefix/licenses/re2"
say "ISA-L"
unpack libisal
make -C "$work/libisal" -f Makefile.unx -j"$(nproc)" lib units=crc DEBUG= DEBUG_nasm= CC="gcc $flags" D=PIC >"$work/isal.log" 2>&1 ||
    { cat "$work/isal.log" >&2; exit 1; }
cp "$work/libisal/bin/isa-l.a" "$prefix/lib/libisal.a"
cp "$work/libisal/debian/copyright" "$prefix/licenses/libisal"
echo "$made_from" >"$prefix/made_from"
