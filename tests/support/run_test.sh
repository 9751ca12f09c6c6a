#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run_test.sh FOLDER COMMAND...: runs a test with its own home, cache, config, data, state and runtime folders below
# FOLDER, emptied first, so that no test reads files of another test or of the user. See cairn_add_test().
set -eu
folder=$1
shift
[ ! -e "$folder" ] || chmod -R u+rwX "$folder"
rm -rf "$folder"
mkdir -p "$folder/home" "$folder/cache" "$folder/config" "$folder/data" "$folder/state"
mkdir -m 700 "$folder/runtime"
export CAIRN_TEST_HOME="$folder" HOME="$folder/home" XDG_CACHE_HOME="$folder/cache" XDG_CONFIG_HOME="$folder/config" XDG_DATA_HOME="$folder/data" \
    XDG_STATE_HOME="$folder/state" XDG_RUNTIME_DIR="$folder/runtime"
exec "$@"
