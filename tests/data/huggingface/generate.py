#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the golden Hugging Face folders beside this script and expected.json with their tensors.

Made with torch 2.13, safetensors 0.8 and transformers 5.23; run again only when a case is added.
"""
import contextlib
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import numpy
import torch
from safetensors import safe_open
from safetensors.torch import save_file
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

HERE = Path(__file__).resolve().parent
EXPECTED = {}


def gpt2():
    torch.manual_seed(3)
    return GPT2LMHeadModel(GPT2Config(vocab_size=8, n_positions=4, n_embd=4, n_layer=1, n_head=1,
                                      bos_token_id=1, eos_token_id=2))


def describe(name, tensor):
    raw = bytes(tensor.detach().contiguous().reshape(-1).view(torch.uint8).tolist()) if tensor.numel() else b""
    return {"name": name, "dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape),
            "sha256": hashlib.sha256(raw).hexdigest()}


def weights(folder):
    found = []
    for file in sorted(folder.glob("*.safetensors")):
        with safe_open(file, framework="pt") as opened:
            found += [describe(name, opened.get_tensor(name)) for name in opened.keys()]
    return found


def flat(prefix, value, found):
    if isinstance(value, numpy.ndarray):
        value = torch.from_numpy(value)  # arrays inside pickles count as tensors, too
    if isinstance(value, torch.Tensor):
        found.append(describe(prefix, value))
    elif isinstance(value, dict):
        for key, item in value.items():
            flat(f"{prefix}.{key}", item, found)
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            flat(f"{prefix}.{i}", item, found)


def fresh(name):
    shutil.rmtree(HERE / name, ignore_errors=True)
    return HERE / name


def sharded():
    folder = fresh("sharded")
    gpt2().save_pretrained(folder, max_shard_size=600)
    EXPECTED["sharded"] = weights(folder)


def adapter():
    folder = fresh("adapter")
    folder.mkdir()
    base = "base_model.model.layers.0.q_proj"
    save_file({f"{base}.lora_A.weight": torch.ones(2, 4), f"{base}.lora_B.weight": torch.zeros(4, 2)},
              folder / "adapter_model.safetensors", metadata={"format": "pt"})
    (folder / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA", "r": 2, "lora_alpha": 4}))
    EXPECTED["adapter"] = weights(folder)


class Lines(torch.utils.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        tokens = (torch.arange(4) + index) % 8
        return {"input_ids": tokens, "labels": tokens}


def trainer():
    folder = fresh("checkpoint-2")
    with tempfile.TemporaryDirectory() as work, contextlib.chdir(work):  # the output folder's name is stored
        arguments = TrainingArguments(output_dir="run", max_steps=2, save_steps=2, logging_steps=1, use_cpu=True,
                                      per_device_train_batch_size=2, report_to=[], disable_tqdm=True, seed=1)
        Trainer(model=gpt2(), args=arguments, train_dataset=Lines()).train()
        shutil.copytree("run/checkpoint-2", folder)
    state = json.loads((folder / "trainer_state.json").read_text())
    state["log_history"][0]["grad_norm"] = float("nan")  # as written by a diverging run
    (folder / "trainer_state.json").write_text(json.dumps(state, indent=2))
    found = weights(folder)
    for name in ("optimizer.pt", "scheduler.pt", "rng_state.pth"):
        flat(Path(name).stem, torch.load(folder / name, weights_only=False), found)
    EXPECTED["checkpoint-2"] = found


if __name__ == "__main__":
    sharded()
    adapter()
    trainer()
    (HERE / "expected.json").write_text(json.dumps(EXPECTED, indent=1) + "\n")
