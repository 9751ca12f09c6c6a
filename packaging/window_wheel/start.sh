#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bin/cairn of the window's folder and wheel: starts the program in lib/cairn. If what belongs to the system is missing or
# too old: one sentence and the window's exit code for "cannot be opened", instead of the loader's messages.
folder=$(readlink -f "$0")
folder=${folder%/bin/*}
program=$folder/lib/cairn/cairn
loader=/lib64/ld-linux-x86-64.so.2

refuse() { # SENTENCE [FOUND]
    printf 'cairn: %s\n' "$1" >&2
    [ -z "${2:-}" ] || printf '  found:    %s\n' "$2" >&2
    printf '  hint:     cairn-cli is one static file and needs no library of the system\n' >&2
    exit 4
}
[ "$(uname -m)" = x86_64 ] || refuse "The window is a program for x86-64 processors" "$(uname -m)"
[ -e "$loader" ] || refuse "The window needs a system with glibc" "no $loader"
libraries=$(LC_ALL=C LD_TRACE_LOADED_OBJECTS=1 "$program" 2>&1)
case $libraries in
*"not found"*)
    list() { sort -rV | awk -F "$1" '!seen[$1]++' | sort | tr '\n' ' ' | sed 's/ $//'; } # by family: the newest of each
    versions=$(printf '%s\n' "$libraries" | sed -n "s/.*version .\\(.*\\)' not found.*/\\1/p" | list _)
    missing=$(printf '%s\n' "$libraries" | sed -n 's/^[[:space:]]*\(.*\) => not found.*/\1/p' | list ' ')
    [ -z "$versions" ] || refuse "The system's libraries are too old for the window, which needs $versions" "$(getconf GNU_LIBC_VERSION 2>/dev/null)"
    refuse "The window needs libraries that the system does not have: $missing"
    ;;
esac
exec "$program" "$@"
