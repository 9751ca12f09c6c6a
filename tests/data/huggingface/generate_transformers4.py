#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes flax_sharded and tf_sharded, as transformers up to 4 saved Flax and TensorFlow models of more than 10 GB, and their part of expected.json.

    generate_transformers4.py

In an environment with transformers 4.57.1, flax 0.12.8, jax 0.10.2, tensorflow-cpu 2.21.0, tf_keras 2.21.0, h5py and msgpack. What is expected is what the
model in memory has, under the names that its file gives it: Flax's tree joined with dots, Keras' variables without the model's own name.
"""
import hashlib
import json
import os
from pathlib import Path

os.environ |= {"HF_HUB_OFFLINE": "1", "TF_USE_LEGACY_KERAS": "1", "TF_CPP_MIN_LOG_LEVEL": "3", "USE_TF": "1"}
import numpy as np
import tensorflow  # noqa: F401  before torch
from flax.traverse_util import flatten_dict
from transformers import FlaxGPT2LMHeadModel, GPT2Config, TFGPT2LMHeadModel

FOLDER = Path(__file__).parent
CONFIG = GPT2Config(vocab_size=12, n_embd=8, n_layer=1, n_head=2, n_positions=6)


def row(name, array):
    array = np.ascontiguousarray(array)
    return {"name": name, "dtype": str(array.dtype), "shape": list(array.shape), "sha256": hashlib.sha256(array.tobytes()).hexdigest()}


expected = json.loads((FOLDER / "expected.json").read_text())
flax = FlaxGPT2LMHeadModel(CONFIG, seed=0)
flax.save_pretrained(FOLDER / "flax_sharded", max_shard_size="2KB")
expected["flax_sharded"] = [row(".".join(path), value) for path, value in sorted(flatten_dict(flax.params).items())]
tf = TFGPT2LMHeadModel(CONFIG)
tf.build_in_name_scope()
tf.save_pretrained(FOLDER / "tf_sharded", max_shard_size="2KB")
expected["tf_sharded"] = [row(weight.name.partition("/")[2], weight.numpy()) for weight in sorted(tf.weights, key=lambda weight: weight.name)]
(FOLDER / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
