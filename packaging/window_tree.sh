#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/window_tree.sh FOLDER: builds the programs and puts them into FOLDER with Qt and all other libraries beside
# them, so that the folder runs wherever it is: bin, lib, plugins, share, translations. Not inside, because they belong
# to the system and its graphics drivers: glibc, libstdc++, X11's and Wayland's client libraries, OpenGL, fontconfig.
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
strip --strip-all -o "$tree/lib/cairn/cairn-hdf5-index" build/static/bin/cairn-hdf5-index
package_of() { # FILE: adds the name of its package to FOLDER.packages; dpkg knows one of both names of /lib
    local file
    for file in "$(realpath "$1")" "$(realpath "$1" | sed 's|^/usr||')"; do
        dpkg-query -S "$file" 2>/dev/null | sed 's/:.*//' >>"$tree.packages" || true
    done
}
qt=$(qmake6 -query QT_INSTALL_PLUGINS)
mkdir -p "$tree/lib" "$tree/plugins" "$tree/translations"
for plugin in platforms/libq{xcb,offscreen,minimal,wayland-generic,wayland-egl}.so xcbglintegrations/*.so wayland-shell-integration/libxdg-shell.so \
    wayland-decoration-client/*.so imageformats/libq{svg,gif,jpeg,ico}.so iconengines/libqsvgicon.so platforminputcontexts/*.so \
    platformthemes/libqxdgdesktopportal.so; do
    for file in "$qt"/$plugin; do
        [ -e "$file" ] || continue
        install -D -m 644 "$file" "$tree/plugins/${file#"$qt"/}"
        package_of "$file"
    done
done
cp "$(qmake6 -query QT_INSTALL_TRANSLATIONS)"/qtbase_de.qm "$tree/translations/"

# of the system: AppImage's list of what must not be bundled, less what a system without a desktop lacks
system='^(ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv|libstdc\+\+|libgcc_s|libGL|libEGL|libGLX|libGLdispatch|libOpenGL|libdrm|libgbm|libX11|libX11-xcb|libxcb|libwayland-(client|egl|cursor)|libfontconfig|libfreetype|libexpat|libudev)\.so'
bundle() { # the libraries of one file, and theirs: ldd lists all of them
    ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' | while read -r name path; do
        if [[ ! $name =~ $system ]] && [ ! -e "$tree/lib/$name" ]; then
            install -m 644 "$(realpath "$path")" "$tree/lib/$name"
            package_of "$path"
        fi
    done
}
while IFS= read -r -d '' file; do bundle "$file"; done < <(find "$tree/bin/cairn" "$tree/plugins" -type f -print0)

sort -u -o "$tree.packages" "$tree.packages"
printf '[Paths]\nPrefix=..\nPlugins=plugins\nTranslations=translations\n' >"$tree/bin/qt.conf"
find "$tree/lib" -maxdepth 1 -name '*.so*' -exec patchelf --set-rpath '$ORIGIN' {} \; -exec strip --strip-unneeded {} \;
patchelf --set-rpath '$ORIGIN/../lib' "$tree/bin/cairn"
find "$tree/plugins" -name '*.so' -exec patchelf --set-rpath '$ORIGIN/../../lib' {} \;
