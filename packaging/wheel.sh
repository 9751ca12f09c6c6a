#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes wheels in out/release, each from a staged folder that wheel.py packs. The same checkout gives the same bytes.
#   packaging/wheel.sh           cli: the static program of packaging/static.sh, for any Linux on x86-64
#   packaging/wheel.sh window    the window with Qt beside it, for systems with a glibc at least as new as this one's
#   packaging/wheel.sh module [PYTHON...]    `import cairn`, for any Linux with glibc 2.17 or later: a wheel for each of the
#                                Pythons of app/python/pythons.txt, or for those that are named
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/install.sh
. packaging/reproducible.sh

stage=build/wheel
mkdir -p out/release

shared() { # KIND: the list of the packages inside that bundled.txt does not name, if there are any
    [ ! -f "$stage/$1-tree.packages" ] || echo "$stage/$1-tree.packages"
}

pack() { # KIND NAME TAG SUMMARY LICENCE [OPTION...]: the folder, scripts and licences staged for KIND
    local folder=$stage/$1 name=$2 tag=$3 summary=$4 licence=$5 kind=$1
    shift 5
    python3 packaging/bundled.py sbom "$kind" "$cairn_version" $(shared "$kind") >"$folder/$name.cdx.json"
    python3 packaging/wheel.py "$folder/site" --name "$name" --version "$cairn_version" --tag "$tag" --summary "$summary" \
        --licence "$licence" --scripts "$folder/scripts" --licences "$folder/licences" --sbom "$folder/$name.cdx.json" \
        --description README.md --out out/release "$@"
}

prepare() { # KIND: empty folders and the licences of the libraries inside
    rm -rf "${stage:?}/$1"
    mkdir -p "$stage/$1/site" "$stage/$1/scripts"
    add_licences "$stage/$1/licences" "$1" $(shared "$1")
}

wheel_cli() {
    packaging/static.sh --build
    say "Wheel: cairn-cli"
    prepare static
    strip --strip-all -o "$stage/static/scripts/cairn-cli" build/static/bin/cairn-cli
    # manylinux_2_17: the program needs no glibc at all, and this is the oldest that pip still knows
    pack static cairn-cli py3-none-manylinux_2_17_x86_64 "Inspect and convert training checkpoints" "Apache-2.0 AND MIT"
}

wheel_window() {
    packaging/window_tree.sh "$stage/window-tree"
    say "Wheel: cairn"
    prepare window
    cp -r "$stage/window-tree/." "$stage/window/site/cairn_window"
    rm "$stage/window/site/cairn_window/bin/cairn-cli" # has a wheel of its own
    cp packaging/window_wheel/*.py "$stage/window/site/cairn_window/"
    install -m 755 packaging/window_wheel/cairn "$stage/window/scripts/cairn"
    pack window cairn-window "py3-none-manylinux_$(packaging/needed_glibc.sh "$stage/window-tree")_x86_64" \
        "Browse, compare and consolidate training checkpoints" "GPL-3.0-or-later AND Apache-2.0 AND MIT"
}

wheel_module() { # [PYTHON...]
    local python tag
    install_packages "${static_packages[@]}" python3-venv
    packaging/static_libraries.sh build/static-libraries
    for python in ${*:-$(app/python/stage.sh)}; do
        say "Wheel: cairn, the Python module, for Python $python"
        tag=$(app/python/stage.sh "$python" "$stage/module-tree") # fills the folder, prints the wheel's tag
        prepare module
        cp -r "$stage/module-tree/." "$stage/module/site"
        pack module cairn "$tag" "Read training checkpoints of any format" "Apache-2.0 AND MIT AND BSD-3-Clause" --python '>=3.9'
    done
}

kind=${1:-cli}
"wheel_$kind" "${@:2}"
