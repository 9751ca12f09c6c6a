#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""200 million weights of 4 bits in groups of 128, packed by compressed-tensors, written as numbers: `--dequantize` (verified) and
compressed-tensors with torch and safetensors, alternating. The library's time is without its imports; both leave the output unsynced.

    CAIRN_CLI=build/release/bin/cairn-cli build/venv/bin/python tests/bench/bench_dequantize.py [--folder /tmp] [--rounds 7] [--threads 2]

Prints each process, then medians (smallest and largest) of the rounds' ratios."""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CLI = os.environ.get("CAIRN_CLI", "build/release/bin/cairn-cli")
LAYERS, ROWS, COLUMNS, GROUP = 24, 2048, 4096, 128
SCHEME = """
import sys, time, torch
from compressed_tensors.compressors import BaseCompressor
from compressed_tensors.quantization import QuantizationArgs, QuantizationScheme
from safetensors.torch import load_file, save_file
torch.set_num_threads(int(sys.argv[1]))
scheme = QuantizationScheme(targets=["Linear"], weights=QuantizationArgs(num_bits=4, type="int", symmetric=True, strategy="group", group_size=128))
compressor = BaseCompressor.get_value_from_registry("pack-quantized")
"""
MAKE = SCHEME + f"""
made = {{}}
for layer in range({LAYERS}):
    scale = (torch.rand({ROWS}, {COLUMNS // GROUP}) + 0.1).bfloat16()
    parts = compressor.compress({{"weight": torch.randn({ROWS}, {COLUMNS}).bfloat16(), "weight_scale": scale}}, scheme)
    made |= {{f"layers.{{layer}}.q_proj.{{name}}": part.detach().contiguous() for name, part in parts.items()}}
save_file(made, sys.argv[2])
"""
PEER = SCHEME + f"""
before, busy = time.monotonic(), time.process_time()
stored, made = load_file(sys.argv[2]), {{}}
for layer in range({LAYERS}):
    stem = f"layers.{{layer}}.q_proj."
    parts = {{name.removeprefix(stem): part for name, part in stored.items() if name.startswith(stem)}}
    made[stem + "weight"] = compressor.decompress(parts, scheme)["weight"]
save_file(made, sys.argv[3])
print(time.monotonic() - before, time.process_time() - busy)
"""


def measure(what: str, *words: object) -> tuple[float, float]:
    """Seconds on the clock, and of processor time; those that the process itself prints, if it prints some."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    printed = process.stdout.read().split()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, what
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, busy = time.monotonic() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if what == "library":
        seconds, busy = (float(each) for each in printed[-2:])
    print(f"{what}: {seconds:.2f} s, {busy:.2f} s of processor time, {usage.ru_maxrss / 1e3:.0f} MB", flush=True)
    return seconds, busy


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--folder", default=tempfile.gettempdir())
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--threads", type=int, default=os.cpu_count())
    given = options.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder, prefix="cairn-bench-") as scratch:
        folder = Path(scratch)
        source, mine, other = (folder / f"{name}.safetensors" for name in ("source", "mine", "other"))
        subprocess.run([sys.executable, "-c", MAKE, str(given.threads), source], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rounds = []
        for _ in range(given.rounds):
            for made in folder.glob("mine*"):
                made.unlink()
            cairn = measure("cairn", CLI, "consolidate", source, "-o", mine, "--dequantize", "-q")
            library = measure("library", sys.executable, "-c", PEER, given.threads, source, other)
            rounds.append((cairn[0] / library[0], cairn[1] / library[1]))
        for what, ratios in zip(("clock", "processor time"), zip(*rounds, strict=True), strict=True):
            print(f"cairn / library, {what}: {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})")
        compared = subprocess.run([CLI, "diff", mine, other, "--values"], capture_output=True, text=True)
        print(compared.stdout.strip().splitlines()[-1])


if __name__ == "__main__":
    main()
