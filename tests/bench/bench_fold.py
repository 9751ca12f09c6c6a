#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An adapter of rank 16 on all 252 linear layers of a 969 MB bf16 model: folded, copied (both verified, alternating), and merged by PEFT and mergekit.

    CAIRN_CLI=build/release/bin/cairn-cli build/venv/bin/python tests/bench/bench_fold.py [--folder /tmp] [--rounds 7] [--peft] [--mergekit PYTHON]

Prints each process, then medians (smallest and largest) of the rounds' ratios.
"""
import argparse
import json
import os
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CLI = os.environ.get("CAIRN_CLI", "build/release/bin/cairn-cli")
LAYERS, HIDDEN, WIDE, KEYS, WORDS, RANK = 36, 896, 3648, 256, 32000, 16
MODULES = {"self_attn.q_proj": (HIDDEN, HIDDEN), "self_attn.k_proj": (KEYS, HIDDEN), "self_attn.v_proj": (KEYS, HIDDEN), "self_attn.o_proj": (HIDDEN, HIDDEN),
           "mlp.gate_proj": (WIDE, HIDDEN), "mlp.up_proj": (WIDE, HIDDEN), "mlp.down_proj": (HIDDEN, WIDE)}
PEFT = """
import sys, torch, peft, transformers
model = transformers.AutoModelForCausalLM.from_pretrained(sys.argv[1], dtype=torch.bfloat16)
peft.PeftModel.from_pretrained(model, sys.argv[2]).merge_and_unload().save_pretrained(sys.argv[3])
"""


def write(path: Path, dtype: str, shapes: dict[str, tuple[int, ...]]) -> None:
    import numpy as np  # not in the process that measures: its memory would be counted before a program starts

    header, at, random = {"__metadata__": {"format": "pt"}}, 0, np.random.default_rng(0)
    for name, shape in shapes.items():
        size = int(np.prod(shape)) * (2 if dtype == "BF16" else 4)
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for shape in shapes.values():
            values = random.standard_normal(int(np.prod(shape)), dtype=np.float32) * np.float32(0.02)
            file.write(values.tobytes() if dtype == "F32" else (values.view(np.uint32) >> 16).astype(np.uint16).tobytes())


def make(folder: Path) -> None:
    base: dict[str, tuple[int, ...]] = {"model.embed_tokens.weight": (WORDS, HIDDEN), "lm_head.weight": (WORDS, HIDDEN), "model.norm.weight": (HIDDEN,)}
    adapter = {}
    for layer in range(LAYERS):
        for module, (rows, columns) in MODULES.items():
            name = f"model.layers.{layer}.{module}"
            base[f"{name}.weight"] = (rows, columns)
            adapter[f"base_model.model.{name}.lora_A.weight"] = (RANK, columns)
            adapter[f"base_model.model.{name}.lora_B.weight"] = (rows, RANK)
        base |= {f"model.layers.{layer}.{norm}.weight": (HIDDEN,) for norm in ("input_layernorm", "post_attention_layernorm")}
    for name in ("base", "adapter"):
        (folder / name).mkdir()
    write(folder / "base/model.safetensors", "BF16", base)
    write(folder / "adapter/adapter_model.safetensors", "F32", adapter)
    (folder / "base/config.json").write_text(json.dumps({
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": HIDDEN, "intermediate_size": WIDE, "num_hidden_layers": LAYERS,
        "num_attention_heads": 14, "num_key_value_heads": 4, "head_dim": 64, "vocab_size": WORDS, "tie_word_embeddings": False, "torch_dtype": "bfloat16"}))
    (folder / "adapter/adapter_config.json").write_text(json.dumps({
        "peft_type": "LORA", "task_type": "CAUSAL_LM", "r": RANK, "lora_alpha": 32, "target_modules": [name.split(".")[1] for name in MODULES]}))


def measure(what: str, out: Path, *words: object) -> tuple[float, float]:
    """Seconds on the clock, and of processor time."""
    shutil.rmtree(out, ignore_errors=True)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, what
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    seconds = time.monotonic() - start
    print(f"{what}: {seconds:.2f} s, {busy:.2f} s of processor time, {usage.ru_maxrss / 1e3:.0f} MB", flush=True)
    return seconds, busy


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--folder", default=tempfile.gettempdir())
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--peft", action="store_true")
    options.add_argument("--mergekit", metavar="PYTHON", help="an environment with mergekit")
    options.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.make:
        return make(given.make)
    with tempfile.TemporaryDirectory(dir=given.folder, prefix="cairn-bench-") as scratch:
        folder = Path(scratch)
        subprocess.run([sys.executable, __file__, "--make", folder], check=True)
        base, adapter = folder / "base", folder / "adapter"
        rounds = []
        for _ in range(given.rounds):
            copy = measure("copy", folder / "copy", CLI, "consolidate", base, "--bundle", "-o", folder / "copy", "-q")
            fold = measure("fold", folder / "fold", CLI, "fold", base, "--adapter", adapter, "-o", folder / "fold", "-q")
            rounds.append((fold[0] / copy[0], fold[1] / copy[1]))
        for what, ratios in zip(("clock", "processor time"), zip(*rounds, strict=True), strict=True):
            print(f"fold / copy, {what}: {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})")
        if given.peft:
            measure("peft", folder / "peft", sys.executable, "-c", PEFT, base, adapter, folder / "peft")
        if given.mergekit:
            recipe = folder / "mergekit.yaml"
            recipe.write_text(f"merge_method: passthrough\ndtype: bfloat16\nmodels:\n  - model: {base}+{adapter}\n")
            measure("mergekit", folder / "mergekit", given.mergekit, "-m", "mergekit.scripts.run_yaml", "--no-copy-tokenizer",
                    "--lora-merge-cache", folder / "cache", recipe, folder / "mergekit")


if __name__ == "__main__":
    main()
