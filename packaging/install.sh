# SPDX-License-Identifier: Apache-2.0
# Sourced by all scripts: the Debian packages that Cairn needs, and a function that installs them.

build_packages=(
    build-essential cmake ninja-build ccache pkg-config python3
    qt6-base-dev qt6-base-dev-tools qt6-svg-dev qt6-charts-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools
    libgl-dev libopengl-dev libqt6opengl6-dev
    libzstd-dev libsnappy-dev libsimdjson-dev nlohmann-json3-dev libcli11-dev libexpected-dev libssl-dev zlib1g-dev libbz2-dev liblzma-dev libisal-dev libxxhash-dev libhwy-dev libre2-dev
    libblosc-dev libhdf5-dev libyaml-cpp-dev libsqlite3-dev libprotobuf-dev
    fonts-dejavu-core fonts-inter
)
# for packaging/static.sh
static_packages=(
    build-essential dpkg-dev cmake ninja-build ccache pkg-config python3 nasm xz-utils unicode-data python3-six
    libzstd-dev libsnappy-dev liblz4-dev nlohmann-json3-dev libcli11-dev libexpected-dev libssl-dev zlib1g-dev libbz2-dev liblzma-dev
    libblosc-dev libhdf5-dev libaec-dev libyaml-cpp-dev libsqlite3-dev libprotobuf-dev libsimdjson-dev libisal-dev libxxhash-dev libhwy-dev libre2-dev
)
test_packages=(
    git mold libgtest-dev python3-venv clang clang-format clang-tidy libclang-rt-14-dev strace dbus-daemon qt6-translations-l10n e2fsprogs xfsprogs btrfs-progs
    desktop-file-utils appstream libxml2-utils shared-mime-info groff-base zsh fish liblz4-dev openssh-client openssh-server
)

# build/release, build/static and build/package compile the same code with the same options: with names relative to the
# checkout the compiler cache serves all of them.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}
# Precompiled headers (tests/ui); scripts that make artefacts set another locale (reproducible.sh), in which a compiler may speak.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,locale}

# Prints with the time since the start, so that a log shows the duration of each phase.
say() { printf '\n== %d:%02d %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"; }

# The interpreter for which the Debian package of the Python module is built, in an environment that has nanobind.
module_python=$PWD/build/module-venv/bin/python
make_module_python() {
    local wanted
    wanted=$(grep '^nanobind==' tests/interop/requirements.txt)
    if [ "$("$module_python" -m pip freeze 2>/dev/null)" != "$wanted" ]; then
        rm -rf build/module-venv
        "${CAIRN_MODULE_PYTHON:-/usr/bin/python3}" -m venv build/module-venv >&2
        "$module_python" -m pip install --quiet --disable-pip-version-check "$wanted" >&2
    fi
}

# Lists and installs those of the packages that are missing.
install_packages() {
    local missing=()
    for package in "$@"; do
        if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$'; then
            missing+=("$package")
        fi
    done
    if [ ${#missing[@]} -eq 0 ]; then
        return
    fi
    say "Installing from Debian: ${missing[*]}"
    local root=()
    [ "$(id -u)" -eq 0 ] || root=(sudo)
    "${root[@]}" apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
