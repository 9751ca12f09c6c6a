#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/window_tree.sh FOLDER: builds the programs and puts them into FOLDER with Qt and all other libraries beside
# them, so that the folder runs wherever it is: bin, lib, plugins, share, translations. Not inside, because they belong
# to the system and its graphics drivers: glibc, libstdc++, X11's and Wayland's client libraries, OpenGL, fontconfig.
# bin/cairn is window_wheel/start.sh, which names what of these the system lacks, and starts lib/cairn/cairn.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/install.sh
. packaging/reproducible.sh

tree=$(realpath -m "$1")
install_packages "${build_packages[@]}" patchelf qt6-wayland qt6-qpa-plugins qt6-translations-l10n
say "Building: preset package"
cmake --preset package >/dev/null
cmake --build build/package --target cairn cairn-cli cairn-hdf5-index cairn_reference
packaging/static.sh --build

say "Libraries and plugins beside the programs"
rm -rf "$tree" "$tree.packages"
cmake --install build/package --strip --prefix "$tree" --component cli >/dev/null
cmake --install build/package --strip --prefix "$tree" --component window >/dev/null
# the session bus starts only what is installed in the system
rm -r "$tree/share/dbus-1"
sed -i '/^DBusActivatable=/d' "$tree"/share/applications/*.desktop
# the static ones instead of those that need HDF5's library, which needs curl, LDAP and Kerberos
strip --strip-all -o "$tree/bin/cairn-cli" build/static/bin/cairn-cli
rm -r "$tree/libexec"
mkdir -p "$tree/lib/cairn" # beside the window's program, which looks there first
strip --strip-all -o "$tree/lib/cairn/cairn-hdf5-index" build/static/bin/cairn-hdf5-index
mv "$tree/bin/cairn" "$tree/lib/cairn/cairn"
install -m 755 packaging/window_wheel/start.sh "$tree/bin/cairn"
taken=() # files of Debian's packages; dpkg knows one of both names of those in /lib
take() { # FILE NAME: puts it into the tree
    local file
    file=$(realpath "$1")
    install -D -m 644 "$file" "$tree/$2"
    taken+=("$file" "${file#/usr}")
}
qt=$(qmake6 -query QT_INSTALL_PLUGINS)
mkdir -p "$tree/lib" "$tree/plugins" "$tree/translations"
for plugin in platforms/libq{xcb,offscreen,minimal,wayland-generic,wayland-egl}.so xcbglintegrations/*.so wayland-shell-integration/libxdg-shell.so \
    wayland-decoration-client/*.so imageformats/libq{svg,gif,jpeg,ico}.so iconengines/libqsvgicon.so platforminputcontexts/*.so \
    platformthemes/libqxdgdesktopportal.so; do
    for file in "$qt"/$plugin; do
        [ -e "$file" ] || continue
        take "$file" "plugins/${file#"$qt"/}"
    done
done
cp "$(qmake6 -query QT_INSTALL_TRANSLATIONS)"/qtbase_de.qm "$tree/translations/"

# of the system: AppImage's list of what must not be bundled, less what a system without a desktop lacks
system='^(ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv|libstdc\+\+|libgcc_s|libGL|libEGL|libGLX|libGLdispatch|libOpenGL|libdrm|libgbm|libX11|libX11-xcb|libxcb|libwayland-(client|egl|cursor)|libfontconfig|libfreetype|libexpat|libudev)\.so'
while read -r name path; do # ldd lists the libraries of libraries, too
    if [[ ! $name =~ $system ]]; then
        take "$path" "lib/$name"
    fi
done < <(find "$tree/lib/cairn/cairn" "$tree/plugins" -type f -print0 | xargs -0 ldd | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' | sort -u)
{ dpkg-query -S "${taken[@]}" 2>/dev/null || true; } | sed 's/:.*//' | sort -u >"$tree.packages"
printf '[Paths]\nPrefix=../..\nPlugins=plugins\nTranslations=translations\n' >"$tree/lib/cairn/qt.conf"
find "$tree/lib" -maxdepth 1 -name '*.so*' -exec patchelf --set-rpath '$ORIGIN' {} \; -exec strip --strip-unneeded {} \;
patchelf --set-rpath '$ORIGIN/..' "$tree/lib/cairn/cairn"
find "$tree/plugins" -name '*.so' -exec patchelf --set-rpath '$ORIGIN/../../lib' {} \;
