#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries every artefact in out/release where it will run, as root on Debian: an empty file system, the oldest Debian that
# the mirror still has, a minimal Debian 12, and for Python's stable ABI Debian 13. In each: install, a tour, the golden
# samples of every format (tests/packaging/golden_samples.py), bad surroundings, remove; prints sizes and times. Nothing is
# left but build/userlands, which is kept for the next time.
#   packaging/userlands.sh            all
#   packaging/userlands.sh FOLDER     the artefacts in FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/install.sh
. packaging/reproducible.sh

release=$(realpath "${1:-out/release}")
install_packages debootstrap
base=$PWD/build/userlands
mkdir -p "$base"
mirror=$(apt-get indextargets --format '$(REPO_URI)|$(ORIGIN)|$(RELEASE)' 'Created-By: Packages' | sed -n 's/|Debian|[a-z]*$//p' | head -1)

on_mirror() { # SUITE
    /usr/lib/apt/apt-helper download-file "${mirror%/}/dists/$1/InRelease" "$base/InRelease" >/dev/null 2>&1
}
# The oldest suite that the mirror has, of those whose programs still run on this kernel.
oldest_suite() {
    local suite
    for suite in buster bullseye bookworm; do
        if on_mirror "$suite"; then
            echo "$suite"
            return
        fi
    done
}

userland() { # SUITE: a minimal system in build/userlands/SUITE
    if [ ! -e "$base/$1.done" ]; then
        rm -rf "${base:?}/$1"
        debootstrap --variant=minbase "$1" "$base/$1" "$mirror" >"$base/$1.log" 2>&1 || { tail -5 "$base/$1.log"; return 1; }
        touch "$base/$1.done"
    fi
    cp /etc/resolv.conf "$base/$1/etc/"
}
inside() { # SUITE COMMAND...
    local root=$base/$1
    shift
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"
}
timed() { # TEXT COMMAND...: fails with the command
    local text=$1 begin
    shift
    begin=$(date +%s%N)
    "$@" >"$base/answer" 2>&1 || { echo "failed: $text" >&2; tail -20 "$base/answer" >&2; return 1; }
    printf '  %-60s %6d ms\n' "$text" $((($(date +%s%N) - begin) / 1000000))
}
tour() { # SUITE PROGRAM
    inside "$1" rm -rf /tmp/tour
    inside "$1" mkdir -p /tmp/tour
    timed "--version" inside "$1" "$2" --version
    timed "sample" inside "$1" "$2" sample /tmp/tour/sample
    timed "ls" inside "$1" "$2" ls /tmp/tour/sample/tiny-llama-a/step-400
    timed "runs" inside "$1" "$2" runs /tmp/tour/sample
    timed "consolidate" inside "$1" "$2" consolidate /tmp/tour/sample/tiny-llama-a/step-400 -o /tmp/tour/out.safetensors --only weights
    timed "verify" inside "$1" "$2" verify /tmp/tour/out.safetensors
    cp tests/data/keras/plain.h5 "$base/$1/tmp/tour/"
    timed "ls of HDF5" inside "$1" "$2" ls /tmp/tour/plain.h5
}
golden() { # SUITE PROGRAM: every golden sample is what its writer noted
    rm -rf "$base/$1/tmp/golden"
    timed "golden samples" python3 tests/packaging/golden_samples.py --copy "$base/$1/tmp/golden" --at /tmp/golden \
        chroot "$base/$1" env -i PATH=/usr/bin:/bin HOME=/root "$2"
    printf '  %s\n' "$(tail -1 "$base/answer")"
}
refused() { # CODE SUITE [NAME=VALUE...] PROGRAM...: ends with CODE and says why in words of its own
    local code=0 said
    timeout 120 chroot "$base/$2" env -i PATH=/usr/bin:/bin HOME=/root "${@:3}" >"$base/answer" 2>&1 || code=$?
    said=$(head -1 "$base/answer")
    printf '  %s: %s\n' "$code" "$said"
    if [ "$code" -ne "$1" ] || [[ $said != cairn* ]] || grep -Eqi 'terminate called|traceback|/ld-linux|core dumped' "$base/answer"; then
        echo "expected exit code $1 and a sentence of the program: ${*:3}" >&2
        cat "$base/answer" >&2
        return 1
    fi
}
# A home folder that is missing or cannot be written: reading works, at most without the index cache.
homeless() { # SUITE PROGRAM
    timed "HOME=/nonexistent" chroot "$base/$1" env -i HOME=/nonexistent "$2" ls /tmp/tour/sample/tiny-llama-a/step-400
    timed "no HOME" chroot "$base/$1" env -i "$2" ls /tmp/tour/sample/tiny-llama-a/step-400
    timed "HOME=/proc" chroot "$base/$1" env -i HOME=/proc "$2" runs /tmp/tour/sample
    refused 3 "$1" "$2" ls /tmp/tour/missing
}
# The window's libraries, and the index program of an installed cairn-cli, are found through /proc.
with_proc() { # SUITE COMMAND...
    mount -t proc proc "$base/$1/proc"
    "${@:2}"
    umount "$base/$1/proc"
}
trap 'umount "$base"/*/proc 2>/dev/null || true' EXIT # after a failure
stays() { # SUITE NAME=VALUE PROGRAM...: opens without a display and is still open after a while
    local code=0
    timeout 10 chroot "$base/$1" env -i PATH=/usr/bin:/bin QT_QPA_PLATFORM=offscreen "${@:2}" >"$base/answer" 2>&1 || code=$?
    printf '  %-60s %s\n' "window with $2" "$([ $code -eq 124 ] && echo open || echo "ended with $code")"
    [ $code -eq 124 ] || { cat "$base/answer" >&2; return 1; }
}
window() { # SUITE PROGRAM: pictures of every page without a display, and the errors without one
    timed "screenshots of every page" inside "$1" "$2" --screenshots /tmp/tour/pictures --sample
    [ "$(find "$base/$1/tmp/tour/pictures" -name '*.png' -size +4k | wc -l)" -ge 5 ]
    refused 4 "$1" "$2"
    refused 4 "$1" DISPLAY=:9977 "$2"
    refused 4 "$1" WAYLAND_DISPLAY=wayland-9977 XDG_RUNTIME_DIR=/tmp "$2"
    refused 4 "$1" QT_QPA_PLATFORM=nosuch "$2"
    refused 2 "$1" "$2" --nosuch
    stays "$1" HOME=/nonexistent "$2" --sample
    stays "$1" HOME=/proc "$2" /tmp/tour/sample
    refused 3 "$1" "$2" --screenshots /proc/pictures --sample
}
in_venv() { # SUITE: a new environment of Python in /tmp/venv, which sees the system's NumPy
    inside "$1" sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv python3-numpy' >/dev/null 2>&1
    inside "$1" rm -rf /tmp/venv
    inside "$1" python3 -m venv --system-site-packages /tmp/venv
}
pip_install() { # SUITE WHEEL PIP OPTION...
    cp "$2" "$base/$1/tmp/"
    timed "pip install" inside "$1" "$3" install --no-index "${@:4}" "/tmp/$(basename "$2")"
}
module() { # SUITE PYTHON: imports, reads rows, and finds in every golden sample what its writer noted
    timed "import" inside "$1" "$2" -c 'import cairn'
    timed "rows of a tensor" inside "$1" "$2" -c 'import cairn
rows = cairn.open("/tmp/tour/sample/tiny-llama-a/step-400")["lm_head.weight"][2:4].numpy()
assert rows.shape[0] == 2 and rows.dtype == "float32", rows'
    rm -rf "$base/$1/tmp/golden"
    mkdir -p "$base/$1/tmp/golden"
    cp --parents -r tests/python tests/support tests/data resources/sample "$base/$1/tmp/golden"
    cp "$static" "$base/$1/tmp/cairn-cli"
    timed "golden samples through Python" inside "$1" env CAIRN_CLI=/tmp/cairn-cli sh -c \
        "cd /tmp/golden/tests/python && $2 -m unittest test_conformance -k noted -k hashes -k values"
    printf '  %s\n' "$(tail -1 "$base/answer")"
}
one() { find "$release" -name "$1" | head -1; }

static=$(one 'cairn-cli-*-linux-x86_64')
tar=$(one 'cairn-[0-9]*-linux-x86_64.tar.gz')
[ -n "$static" ] || { echo "no static program in $release" >&2; exit 1; }

say "Empty file system: $(basename "$static"), $(stat -c %s "$static") bytes"
packaging/empty_root.sh "$static"

suite=$(oldest_suite)
say "$suite: $(basename "$static")"
userland "$suite"
inside "$suite" sh -c 'ldd --version 2>&1 | head -1'
install -m 755 "$static" "$base/$suite/tmp/cairn-cli"
tour "$suite" /tmp/cairn-cli
golden "$suite" /tmp/cairn-cli
homeless "$suite" /tmp/cairn-cli
wheel=$(one 'cairn_cli-*.whl')
if [ -n "$wheel" ]; then
    say "$suite: $(basename "$wheel"), $(stat -c %s "$wheel") bytes"
    inside "$suite" sh -c 'command -v pip3 >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-pip; }' >/dev/null 2>&1
    pip_install "$suite" "$wheel" pip3 --target /tmp/wheel --upgrade
    tour "$suite" /tmp/wheel/bin/cairn-cli
    golden "$suite" /tmp/wheel/bin/cairn-cli
fi

unpack() { # SUITE: the window's folder in /opt/cairn
    rm -rf "$base/$1/opt/cairn"
    mkdir -p "$base/$1/opt/cairn"
    timed "unpack" tar -xf "$tar" -C "$base/$1/opt/cairn" --strip-components=1
}
window_libraries=(libx11-6 libx11-xcb1 libxcb1 libgl1 libegl1 libopengl0 libglx0 libfontconfig1 libfreetype6 libwayland-client0
    libwayland-egl1 libwayland-cursor0 fonts-dejavu-core)
if [ -n "$tar" ]; then
    say "$suite, too old: $(basename "$tar")"
    unpack "$suite"
    refused 4 "$suite" /opt/cairn/bin/cairn --version
    timed "--version of cairn-cli" inside "$suite" /opt/cairn/bin/cairn-cli --version
    rm -rf "$base/$suite/opt/cairn"
fi

debs=() # cairn-torch needs libtorch, twenty times as large as all of them
for name in cairn-cli cairn python3-cairn; do
    [ -z "$(one "${name}_*.deb")" ] || debs+=("$name")
done
if [ ${#debs[@]} -gt 0 ]; then
    say "bookworm, minimal: $(cd "$release" && ls -s --block-size=1 -- *.deb | tr '\n' ' ')"
    userland bookworm
    inside bookworm sh -c 'apt-get update -qq' >/dev/null 2>&1
    files() { # all that are installed; not apt's and dpkg's own records
        inside bookworm find /usr /etc /opt -xdev ! -type d | sort
    }
    for name in "${debs[@]}"; do cp "$release/$name"_*.deb "$base/bookworm/tmp/"; done
    # first what the packages need, so that the comparison sees their own files alone
    needed=$(for name in "${debs[@]}"; do dpkg-deb -f "$release/$name"_*.deb Depends; done |
        sed 's/([^)]*)//g; s/|[^,]*//g; s/,/\n/g' | tr -d ' ' | grep -vx cairn-cli | sort -u | tr '\n' ' ')
    inside bookworm sh -c "apt-get install -y -qq --no-install-recommends $needed fonts-dejavu-core hicolor-icon-theme" >"$base/answer" 2>&1 ||
        { tail -5 "$base/answer" >&2; exit 1; }
    files >"$base/before"
    timed "install" inside bookworm sh -c "apt-get install -y -qq --no-install-recommends /tmp/*.deb"
    with_proc bookworm tour bookworm cairn-cli
    with_proc bookworm golden bookworm cairn-cli
    with_proc bookworm homeless bookworm cairn-cli
    with_proc bookworm window bookworm cairn
    [[ ${debs[*]} != *python3* ]] || with_proc bookworm module bookworm /usr/bin/python3
    timed "remove" inside bookworm sh -c "apt-get purge -y -qq ${debs[*]}"
    inside bookworm sh -c 'rm -rf ~/.config/cairn ~/.cache/cairn ~/.local /tmp/*.deb'
    files >"$base/after"
    diff "$base/before" "$base/after" && echo "  nothing is left"
fi

if [ -n "$tar" ]; then
    say "bookworm, X11's and Wayland's client libraries: $(basename "$tar"), $(stat -c %s "$tar") bytes"
    userland bookworm
    inside bookworm sh -c "apt-get update -qq && apt-get install -y -qq --no-install-recommends ${window_libraries[*]}" >/dev/null 2>&1
    unpack bookworm
    tour bookworm /opt/cairn/bin/cairn-cli
    golden bookworm /opt/cairn/bin/cairn-cli
    with_proc bookworm window bookworm /opt/cairn/bin/cairn
    hidden=$(inside bookworm sh -c 'ls /usr/lib/x86_64-linux-gnu/libfontconfig.so.1')
    mv "$base/bookworm$hidden" "$base/hidden"
    refused 4 bookworm /opt/cairn/bin/cairn --version || { mv "$base/hidden" "$base/bookworm$hidden"; exit 1; }
    mv "$base/hidden" "$base/bookworm$hidden"
    rm -rf "$base/bookworm/opt/cairn"
fi

wheel=$(one 'cairn_window-*.whl')
if [ -n "$wheel" ]; then
    say "bookworm: $(basename "$wheel"), $(stat -c %s "$wheel") bytes"
    userland bookworm
    in_venv bookworm
    pip_install bookworm "$wheel" /tmp/venv/bin/pip
    tour bookworm /tmp/cairn-cli
    with_proc bookworm window bookworm /tmp/venv/bin/cairn
    inside bookworm rm -rf /tmp/venv
fi

# The Python module, on systems with its Python: the oldest glibc, that of the machine that compiled it, a newer one.
for pair in bullseye:cp39-cp39 bookworm:cp311-cp311 trixie:cp312-abi3; do
    suite=${pair%:*}
    wheel=$(one "cairn-[0-9]*-${pair#*:}-*.whl")
    [ -n "$wheel" ] || continue
    say "$suite: $(basename "$wheel"), $(stat -c %s "$wheel") bytes"
    on_mirror "$suite" || { echo "  not tried: the mirror does not have $suite"; continue; }
    userland "$suite"
    in_venv "$suite"
    inside "$suite" /tmp/venv/bin/python -c 'import os, sys; print(" ", os.confstr("CS_GNU_LIBC_VERSION"), "Python", sys.version.split()[0])'
    pip_install "$suite" "$wheel" /tmp/venv/bin/pip
    install -m 755 "$static" "$base/$suite/tmp/cairn-cli"
    tour "$suite" /tmp/cairn-cli
    with_proc "$suite" module "$suite" /tmp/venv/bin/python
    inside "$suite" rm -rf /tmp/venv
done
