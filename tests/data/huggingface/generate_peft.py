#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes golden files with PEFT next to this script, and their tensors into expected.json: `adapters`, the default adapter and
a second one with a name, and `named`, a Trainer's checkpoint whose only adapter has a name.

Made with torch 2.13, transformers 5.23 and peft 0.21; peft is not in the environment of the interop tests.
"""
import contextlib
import json
import shutil
import tempfile
import warnings
from pathlib import Path

import torch
from generate import HERE, Lines, flat, fresh, gpt2, weights
from peft import LoraConfig, get_peft_model
from transformers import Trainer, TrainingArguments

EXPECTED = json.loads((HERE / "expected.json").read_text())


def lora(rank):
    return LoraConfig(r=rank, target_modules=["c_attn"], fan_in_fan_out=True, init_lora_weights=False)


def part(folder, prefix):
    return [entry | {"name": prefix + entry["name"]} for entry in weights(folder)]


def adapters():
    folder = fresh("adapters")
    model = get_peft_model(gpt2(), lora(1))
    model.add_adapter("other", lora(2))
    model.save_pretrained(folder)
    (folder / "README.md").write_text("A model card.\n")
    EXPECTED["adapters"] = part(folder, "") + part(folder / "other", "other.")


def named():
    folder = fresh("named")
    with tempfile.TemporaryDirectory() as work, contextlib.chdir(work):
        arguments = TrainingArguments(output_dir="run", max_steps=1, save_steps=1, logging_steps=1, use_cpu=True,
                                      per_device_train_batch_size=2, report_to=[], disable_tqdm=True, seed=1)
        Trainer(model=get_peft_model(gpt2(), lora(1), adapter_name="mine"), args=arguments, train_dataset=Lines()).train()
        shutil.copytree("run/checkpoint-1", folder)
    (folder / "README.md").unlink()
    (folder / "rng_state.pth").unlink()
    found = part(folder / "mine", "")
    for name in ("optimizer.pt", "scheduler.pt"):
        flat(Path(name).stem, torch.load(folder / name, weights_only=False), found)
    EXPECTED["named"] = found


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    adapters()
    named()
    (HERE / "expected.json").write_text(json.dumps(EXPECTED, indent=1) + "\n")
