#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/needed_glibc.sh FOLDER: the newest version of glibc that a program or library below FOLDER refers to, in the
# form of a wheel's tag: 2_36.
set -euo pipefail
find "$1" -type f \( -perm -u+x -o -name '*.so*' \) -exec sh -c 'objdump -T "$@" 2>/dev/null' sh {} + |
    grep -o 'GLIBC_2\.[0-9]*' | sort -t. -k2 -n | tail -1 | sed 's/GLIBC_//; s/\./_/'
