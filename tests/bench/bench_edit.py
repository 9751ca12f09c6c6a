#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seconds of a header edit in place compared with a rename into a new file, on loop images (root, mkfs).

    CAIRN_CLI=build/release/bin/cairn-cli python3 tests/bench/bench_edit.py [--gib 4] [--folder /tmp]
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from made_files import safetensors_bytes

CLI = os.environ.get("CAIRN_CLI", "build/release/bin/cairn-cli")
KINDS = {"ext4": ["mkfs.ext4", "-q", "-F"], "xfs": ["mkfs.xfs", "-q", "-m", "reflink=1"],
         "xfs without reflink": ["mkfs.xfs", "-q", "-m", "reflink=0"]}


def write(path: Path, gib: float) -> None:
    """128 tensors of random bytes."""
    each = int(gib * (1 << 30)) // 128 // 4096 * 4096
    header = {f"module.layers.{i}.weight": {"dtype": "U8", "shape": [each], "data_offsets": [i * each, (i + 1) * each]} for i in range(128)}
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % 4096)
    block = os.urandom(1 << 20)
    with open(path, "wb") as file:
        file.write(safetensors_bytes(text))
        left = each * 128
        while left > 0:
            left -= file.write(block[:min(left, len(block))])
        os.fsync(file.fileno())


def seconds(*words: str) -> float:
    start = time.monotonic()
    subprocess.run([CLI, *words, "-q"], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--gib", type=float, default=4)
    options.add_argument("--folder", default=tempfile.gettempdir())
    given = options.parse_args()
    for kind, make in KINDS.items():
        with tempfile.TemporaryDirectory(dir=given.folder) as name:
            image, place = Path(name) / "image", Path(name) / "mounted"
            place.mkdir()
            with open(image, "wb") as file:
                file.truncate(int((2.5 * given.gib + 1) * (1 << 30)))
            subprocess.run([*make, str(image)], check=True, capture_output=True)
            subprocess.run(["mount", "-o", "loop", str(image), str(place)], check=True)
            try:
                path = place / "m.safetensors"
                write(path, given.gib)
                longer, room = [], []
                for i in range(5):
                    longer.append(seconds("edit", str(path), "--set", "t=" + "x" * (5000 * (i + 1)), "--apply"))
                    room.append(seconds("edit", str(path), "--rename", "module.=modulo." if i % 2 == 0 else "modulo.=module.", "--apply"))
                renamed = []
                for i in range(2):
                    out = place / "out.safetensors"
                    renamed.append(seconds("rename", str(path), "-o", str(out), "--rename", "strip-wrappers"))
                    out.unlink()
                    Path(f"{out}.cairn.json").unlink(missing_ok=True)
                print(f"{kind}: by inserting {statistics.median(longer) * 1e3:.1f} ms, in room {statistics.median(room) * 1e3:.1f} ms, "
                      f"rename to a new file {min(renamed) * 1e3:.0f} ms", flush=True)
            finally:
                subprocess.run(["umount", str(place)], check=True)
                shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
