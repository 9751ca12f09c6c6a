# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that make artefacts: what makes two builds of one commit equal byte for byte.

cairn_version=$(sed -n 's/^project(cairn VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
# the commit's time; a folder that is not a repository has a fixed one
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1767225600)}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

# pack_tar FOLDER NAME FILE.tar.xz|FILE.tar.gz: FOLDER/NAME sorted, without user and with one time. xz needs two minutes
# for the window's folder and saves little there.
pack_tar() {
    local compress=(gzip -9n)
    [[ $3 != *.xz ]] || compress=(xz -6 --threads=1)
    tar --create --directory="$1" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        --mtime="@$SOURCE_DATE_EPOCH" "$2" | "${compress[@]}" >"$3"
}

# add_licences FOLDER static|window|module [PACKAGES]: Cairn's licence and those of the libraries inside the artefact.
add_licences() {
    mkdir -p "$1/LICENSES"
    cp LICENSE "$1/"
    cp LICENSES/*.txt "$1/LICENSES/"
    python3 packaging/bundled.py licences "$2" "$1/LICENSES/libraries" "${@:3}"
}
