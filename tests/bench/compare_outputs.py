#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the same jobs with two programs and compares every byte of their outputs, their exit codes and their errors: for changes that must not change
what is written. Manifests are compared without times, versions and the digest of the plan; of the documents only `seconds` and rates are left out.

    compare_outputs.py OLD/cairn-cli NEW/cairn-cli [SAMPLES] [SEED]      20 samples by default, ten jobs each

Exit 1 if anything differs.
"""

import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import golden  # noqa: E402

LEFT_OUT = {"seconds", "bytes_per_second", "rate", "version", "plan", "digest", "command", "mtime_ns", "id", "signature"}

JOBS = {
    "consolidate": lambda source, out: ["consolidate", source, "-o", out / "o.safetensors", "--force"],
    "torch": lambda source, out: ["consolidate", source, "-o", out / "o.pt", "--to", "torch", "--only", "all", "--force"],
    "bundle": lambda source, out: ["consolidate", source, "-o", out / "o", "--bundle", "--dtype", "bf16", "--max-shard-size", "20KB", "--force"],
    "reshard": lambda source, out: ["reshard", source, "-o", out / "o", "--grid", "2x2", "--dim", "0,1", "--force"],
    "layers": lambda source, out: ["reshard", source, "-o", out / "o", "--per-layer", "--strip", "optimizer,rng", "--force"],
    "cast": lambda source, out: ["cast", source, "-o", out / "o.safetensors", "--to", "safetensors", "--dtype", "fp16", "--keep-fp32", "*norm*", "--cast-all"],
    "rename": lambda source, out: ["rename", source, "-o", out / "o.safetensors", "--to", "safetensors", "--rename", "strip-prefixes", "--rename", "weight=w"],
    "average": lambda source, out: ["average", source, source, "-o", out / "o.safetensors", "--weights", "0.25,1", "--force"],
    "export": lambda source, out: ["export", source, "--tensor", "*weight*", "-o", out / "o.npz"],
    "pack": lambda source, out: ["pack", source, "-o", out / "o.cairnz", "--level", "3"],
}


def without(value, place):
    if isinstance(value, dict):
        return {key: without(each, place) for key, each in value.items() if key not in LEFT_OUT}
    if isinstance(value, list):
        return [without(each, place) for each in value]
    return value.replace(place, "PLACE") if isinstance(value, str) else value


def contents(folder):
    """Every file below the folder: its digest; of manifests and model cards the parts that two runs share."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        if path.name == "MANIFEST.json" or path.name.endswith(".cairn.json"):
            document = without(json.loads(data), str(folder))
            for file in document["output"]["files"] if isinstance(document.get("output"), dict) else []:
                if file["path"] == "README.md":  # names the output's folder
                    file.pop("sha256")
            data = json.dumps(document, sort_keys=True).encode()
        found[str(path.relative_to(folder))] = hashlib.sha256(data).hexdigest()
    return found


def outcome(program, arguments, place, home):
    environment = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home), "XDG_CACHE_HOME": str(home), "NO_COLOR": "1"}
    run = subprocess.run([program, *map(str, arguments), "--json"], capture_output=True, text=True, env=environment, timeout=300)
    try:
        document = without(json.loads(run.stdout), str(place))
    except json.JSONDecodeError:
        document = run.stdout
    return {"rc": run.returncode, "document": document, "files": contents(place)}


def main():
    old, new = (str(pathlib.Path(each).resolve()) for each in sys.argv[1:3])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    samples = golden.samples()
    random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1).shuffle(samples)
    jobs = differ = written = 0
    with tempfile.TemporaryDirectory() as scratch:
        place, home = pathlib.Path(scratch) / "out", pathlib.Path(scratch) / "home"
        for label, source in samples[:count]:
            for name, job in JOBS.items():
                results = []
                for program in (old, new):
                    for folder in (place, home):
                        shutil.rmtree(folder, ignore_errors=True)
                        folder.mkdir()
                    results.append(outcome(program, job(source, place), place, home))
                jobs += 1
                written += results[0]["rc"] == 0
                if results[0] != results[1]:
                    differ += 1
                    print(f"{label} {name}:")
                    for key in results[0]:
                        if results[0][key] != results[1][key]:
                            print(f"  {key}: {json.dumps(results[0][key])[:600]}\n   now: {json.dumps(results[1][key])[:600]}")
    print(f"{jobs} jobs of {min(count, len(samples))} samples, {written} written, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
