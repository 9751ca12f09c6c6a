#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Renders resources/icons/cairn.svg to cairn-SIZE.png for desktops without SVG icons (rsvg-convert: librsvg2-bin). Run it
# after a change of the drawing.
set -euo pipefail
cd "$(dirname "$0")/../../resources/icons"
for size in 16 22 24 32 48 64 128 256 512; do
    rsvg-convert --width "$size" --height "$size" --output "cairn-$size.png" cairn.svg
done
