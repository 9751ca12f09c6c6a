// SPDX-License-Identifier: Apache-2.0
#include "core/store/install_script.h"

#include "core/base/own_folders.h"
#include "core/base/split_text.h"
#include "core/io/folder.h"
#include "core/io/hash.h"

#include <sys/utsname.h>
#include <system_error>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace cairn::store {
namespace {

// One function, so that the shell has read all of it before it runs anything of it: the rest of its
// input belongs to the conversation.
constexpr std::string_view kScript = R"sh(cairn() {
n=@NONCE@ s=@SHA@ v='cairn-cli @VERSION@'
mask=$(umask)
hadlang=${LC_ALL+yes}
lang=${LC_ALL-}
umask 077
LC_ALL=C
export LC_ALL
begin() {
    umask "$mask"
    if [ -n "$hadlang" ]; then LC_ALL=$lang; else unset LC_ALL; fi
    echo "$n start"
    exec "$1" serve --stdio
}
own() { [ -O "$1" ] && [ ! -L "$1" ]; }
u=$(id -u)
set -- "${XDG_CACHE_HOME:-$HOME/.cache}/cairn/serve" "$HOME/.cairn/serve" "${TMPDIR:-/tmp}/cairn-$u/serve" "/var/tmp/cairn-$u/serve" "/dev/shm/cairn-$u/serve"
if [ -n "$s" ]; then
    for d do
        p=$d/$s/cairn-cli
        if own "${d%/*}" && own "$d" && own "$d/$s" && own "$p" && "$p" --version >/dev/null 2>&1; then begin "$p"; fi
    done
fi
p=$(command -v cairn-cli 2>/dev/null)
if [ -n "$p" ] && [ "$("$p" --version 2>/dev/null | head -n 1)" = "$v" ]; then begin "$p"; fi
g=
command -v gzip >/dev/null 2>&1 && g=gzip
echo "$n need $(uname -s) $(uname -m) $g"
read -r go size total
[ "$go" = plain ] || [ "$go" = gzip ] || exit 0
why=
unfit() {
    [ -z "$t" ] || rm -f "$t"
    rmdir "$d" "${d%/*}" 2>/dev/null
    why="$why$d $1; "
}
for d do
    t=
    if ! mkdir -p "$d" 2>/dev/null || ! own "$d" || ! own "${d%/*}"; then
        unfit 'cannot be created'
        continue
    fi
    chmod 700 "$d"
    t=$d/.new-$n
    if ! { printf '#!/bin/sh\nexit 0\n' >"$t"; } 2>/dev/null; then
        unfit 'is full or read-only'
        continue
    fi
    chmod 700 "$t"
    if ! "$t" 2>/dev/null; then
        unfit 'forbids programs (noexec)'
        continue
    fi
    k=$(df -Pk "$d" 2>/dev/null | { read -r a; read -r a b c k e; echo "$k"; })
    if [ -n "$k" ] && [ "$k" -lt $((total / 1024 + 1)) ]; then
        unfit "has only $k kB left"
        continue
    fi
    echo "$n send"
    if [ "$go" = gzip ]; then
        head -c "$size" | { gzip -dc >"$t"; cat >/dev/null; } 2>/dev/null
    else
        head -c "$size" | { cat >"$t"; cat >/dev/null; } 2>/dev/null
    fi
    h=$(wc -c <"$t")
    if [ "$((h + 0))" -ne "$total" ]; then
        unfit 'could not store the program (full, or over a quota)'
        continue
    fi
    if command -v sha256sum >/dev/null 2>&1; then
        h=$(sha256sum <"$t")
        if [ "${h%% *}" != "$s" ]; then
            rm -f "$t"
            echo "$n failed SHA-256 mismatch after transfer"
            exit 1
        fi
    fi
    chmod 700 "$t"
    if ! h=$("$t" --version 2>&1); then
        rm -f "$t"
        echo "$n failed the program does not run there:" $h
        exit 1
    fi
    mkdir "$d/$s" 2>/dev/null
    mv -f "$t" "$d/$s/cairn-cli"
    begin "$d/$s/cairn-cli"
done
echo "$n unfit $why"
exit 1
}
cairn
)sh";

void replaceAll(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
        text.replace(at, what.size(), by);
        at += by.size();
    }
}

std::string digestOf(const ByteSource& source) {
    constexpr std::uint64_t kPart = std::uint64_t{4} << 20U;
    Sha256 sha;
    for (std::uint64_t at = 0; at < source.size(); at += kPart) {
        const auto part = readRange(source, {at, std::min(kPart, source.size() - at)});
        if (!part) {
            return {};
        }
        sha.add(*part);
    }
    return hexText(sha.finish());
}

} // namespace

ProgramToSend programToSend() {
    std::vector<std::filesystem::path> folders = ownFolders();
    // The Python module has no program beside itself: that in PATH, which pip installs.
    const char* const listed = std::getenv("PATH");
    for (const std::string& each : splitText(listed != nullptr ? listed : "", ':')) {
        if (each.starts_with('/')) {
            folders.emplace_back(each);
        }
    }
    for (const std::filesystem::path& folder : folders) {
        for (const auto& named : {folder.parent_path() / "libexec" / "cairn" / "cairn-cli-static",
                                  folder / "cairn-cli"}) {
            std::error_code missing; // a link may lead out of the folder, which is not followed
            const auto path = std::filesystem::canonical(named, missing);
            if (missing) {
                continue;
            }
            const auto parent = Folder::open(path.parent_path());
            const auto file = parent.and_then([&](const FolderPtr& opened) {
                return opened->openFile(path.filename().string());
            });
            if (file) {
                return {path.string(), digestOf(**file), (*file)->size()};
            }
        }
    }
    return {};
}

std::string ownMachine() {
    utsname names{};
    return ::uname(&names) == 0 ? names.machine : "";
}

std::string installScript(const std::string& nonce, const ProgramToSend& program,
                          const std::string& version) {
    std::string script(kScript);
    replaceAll(script, "@NONCE@", nonce);
    replaceAll(script, "@SHA@", program.sha256);
    replaceAll(script, "@VERSION@", version);
    return script;
}

} // namespace cairn::store
