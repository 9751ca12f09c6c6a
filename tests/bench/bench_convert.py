#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names and layouts of a 978 MB bf16 Llama: converted, copied by Cairn (both verified), copied by cp; alternating, medians.

    CAIRN_CLI=build/release/bin/cairn-cli build/venv/bin/python tests/bench/bench_convert.py [--folder /tmp] [--rounds 7] [--gguf PYTHON]

--gguf: also to GGUF, beside llama.cpp's own converter in that environment (tests/interop/requirements-gguf.txt)."""
import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_fold import CLI, write

LAYERS, HIDDEN, WIDE, KEYS, WORDS = 28, 1024, 4096, 256, 32000
MODULES = {"self_attn.q_proj": (HIDDEN, HIDDEN), "self_attn.k_proj": (KEYS, HIDDEN), "self_attn.v_proj": (KEYS, HIDDEN), "self_attn.o_proj": (HIDDEN, HIDDEN),
           "mlp.gate_proj": (WIDE, HIDDEN), "mlp.up_proj": (WIDE, HIDDEN), "mlp.down_proj": (HIDDEN, WIDE)}
LLAMA_CPP = """
import sys; sys.path.insert(0, sys.argv[1])
from pathlib import Path; import gguf_models
gguf_models.convert(Path(sys.argv[2]), Path(sys.argv[3]), "bf16", "llama-bpe")
"""


def make(folder: Path) -> None:
    shapes: dict[str, tuple[int, ...]] = {"model.embed_tokens.weight": (WORDS, HIDDEN), "lm_head.weight": (WORDS, HIDDEN), "model.norm.weight": (HIDDEN,)}
    for layer in range(LAYERS):
        shapes |= {f"model.layers.{layer}.{module}.weight": shape for module, shape in MODULES.items()}
        shapes |= {f"model.layers.{layer}.{norm}.weight": (HIDDEN,) for norm in ("input_layernorm", "post_attention_layernorm")}
    (folder / "hf").mkdir()
    write(folder / "hf/model.safetensors", "BF16", shapes)
    (folder / "hf/config.json").write_text(json.dumps({
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": HIDDEN, "intermediate_size": WIDE, "num_hidden_layers": LAYERS,
        "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 64, "vocab_size": WORDS, "max_position_embeddings": 4096, "rms_norm_eps": 1e-5,
        "rope_theta": 500000.0, "hidden_act": "silu", "tie_word_embeddings": False, "torch_dtype": "bfloat16", "bos_token_id": 1, "eos_token_id": 2}))


def add_tokenizer(folder: Path) -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "interop"))
    import gguf_models

    made = gguf_models.byte_pairs(folder, gguf_models.LLAMA3, gguf_models.L3, gguf_models.L3[0], True, eos_token=gguf_models.L3[1])
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    for word in range(made, WORDS):  # the rest of the vocabulary
        tokenizer["added_tokens"].append({"id": word, "content": f"<|reserved_{word}|>", "single_word": False, "lstrip": False, "rstrip": False,
                                          "normalized": False, "special": True})
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))


def remove(out: Path) -> None:
    if out.is_dir():
        shutil.rmtree(out)
    for file in (out, out.with_name(out.name + ".cairn.json")):
        file.unlink(missing_ok=True)


def measure(out: Path, words: list) -> tuple[float, float, float]:
    remove(out)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, errors[-1000:]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, usage.ru_maxrss / 1e3


def compare(title: str, rounds: int, ways: dict[str, tuple[Path, list]]) -> None:
    """Prints medians, and the medians of the ratios to the first way of the same round."""
    found: dict[str, list] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (out, words) in ways.items():
            found[name].append(measure(out, words))
    first = next(iter(found.values()))
    for name, each in found.items():
        clock, busy = ([one[i] for one in each] for i in (0, 1))
        ratios = [statistics.median(a[i] / b[i] for a, b in zip(each, first)) for i in (0, 1)]
        print(f"{title} | {name} | {statistics.median(clock):.2f} ({min(clock):.2f}-{max(clock):.2f}) s | x {ratios[0]:.2f} | "
              f"{statistics.median(busy):.2f} s of processor time | x {ratios[1]:.2f} | {max(one[2] for one in each):.0f} MB", flush=True)
    for out, _ in ways.values():
        remove(out)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--folder", default=tempfile.gettempdir())
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--gguf", type=Path)
    options.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.make:
        return make(given.make)
    with tempfile.TemporaryDirectory(dir=given.folder, prefix="cairn-bench-") as scratch:
        folder = Path(scratch)
        subprocess.run([sys.executable, __file__, "--make", folder], check=True)
        model, out = folder / "hf", folder / "out"
        megatron = folder / "megatron"
        subprocess.run([CLI, "convert", model, "--names", "megatron", "--to", "torch", "-o", megatron, "-q"], check=True)
        compare("Megatron-core to Hugging Face", given.rounds, {
            "verified copy": (out, [CLI, "consolidate", megatron, "--names", "keep", "-o", out, "-q"]),
            "convert": (folder / "hf2", [CLI, "convert", megatron, "--names", "hf", "--like", model, "-o", folder / "hf2", "-q"]),
            "cp": (folder / "cp", ["cp", "-r", "--reflink=never", megatron, folder / "cp"])})
        shutil.rmtree(megatron)
        for names in ("native", "litgpt"):
            compare(f"Hugging Face to {names}", given.rounds, {
                "verified copy": (out, [CLI, "consolidate", model, "--names", "keep", "--to", "torch", "-o", out, "-q"]),
                "convert": (folder / names, [CLI, "convert", model, "--names", names, "--to", "torch", "-o", folder / names, "-q"]),
                "cp": (folder / "cp", ["cp", "-r", "--reflink=never", model, folder / "cp"])})
        if given.gguf:
            add_tokenizer(model)
            interop = Path(__file__).resolve().parents[1] / "interop"
            compare("Hugging Face to GGUF", given.rounds, {
                "verified copy": (out, [CLI, "consolidate", model, "--names", "keep", "-o", out, "-q"]),
                "consolidate --to gguf": (folder / "a.gguf", [CLI, "consolidate", model, "--to", "gguf", "-o", folder / "a.gguf", "-q"]),
                "consolidate --to gguf --dtype q8_0": (folder / "q.gguf", [CLI, "consolidate", model, "--to", "gguf", "--dtype", "q8_0", "-o", folder / "q.gguf", "-q"]),
                "llama.cpp's converter": (folder / "b.gguf", [given.gguf, "-c", LLAMA_CPP, interop, model, folder / "b.gguf"])})


if __name__ == "__main__":
    main()
