# SPDX-License-Identifier: Apache-2.0
"""Legacy Megatron saves, cut here like in Megatron-LM's layers (tensor_parallel/layers.py, training/checkpointing.py), compared with the
original model: gates that no argument records, towers of a different width, parameters without a rule, mixed ranks."""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import unittest
from pathlib import Path

import numpy
import torch

from support import run


def rows(blocks: int = 1):
    """Each rank gets its part of every block."""
    return lambda whole, tp, rank: torch.cat([block.chunk(tp)[rank] for block in whole.chunk(blocks)])


def columns(whole, tp, rank):
    return whole.chunk(tp, dim=1)[rank]


def whole(tensor, tp, rank):
    return tensor


class Model:
    """Every tensor and how it is cut; layers are counted from 0 in the complete model."""

    def __init__(self, random: numpy.random.Generator, version: float | None, gated: bool, layers: int, mixer: bool = False) -> None:
        self.parameters: dict[str, tuple[torch.Tensor, object]] = {}
        self.random, self.layers, self.version, self.mixer = random, layers, version, mixer
        self.hidden, self.inner, self.tower = 8, int(random.choice([16, 24, 48])), int(random.choice([8, 16, 24, 32, 48, 96]))
        old = version is None or version < 1
        self.add("embedding.word_embeddings.weight", (32, 8), rows())
        for layer in range(layers):
            name = f"decoder.layers.{layer}."
            self.add(name + "input_layernorm.weight", (8,), whole)
            self.add(name + "self_attention.query_key_value.weight", (24, 8), rows(3 if old else 1))
            self.add(name + "inter_attention.key_value.weight", (16, 8), rows(2 if old else 1))
            self.add(name + "self_attention.linear_proj.weight", (8, 8), columns)
            self.add(name + "mlp.linear_fc1.weight", (self.inner * (2 if gated else 1), 8), rows(2 if gated else 1))
            self.add(name + "mlp.linear_fc1.bias", (self.inner * (2 if gated else 1),), rows(2 if gated else 1))
            self.add(name + "mlp.linear_fc2.weight", (8, self.inner), columns)
            self.add(name + "mlp.linear_fc2.bias", (8,), whole)
            self.add(name + "adapter.scale", (5,), whole)  # unknown, and the same on all ranks
        self.add("vision.mlp.linear_fc1.weight", (self.tower, 8), rows())
        self.add("vision.mlp.linear_fc2.weight", (8, self.tower), columns)
        if mixer:
            self.add("decoder.layers.0.mixer.norm.weight", (16,), rows())

    def add(self, name: str, shape: tuple, cut) -> None:
        self.parameters[name] = torch.from_numpy(self.random.normal(size=shape).astype("f4")), cut

    def save(self, folder: Path, tp: int, pp: int, iteration: int = 300, names: dict | None = None) -> None:
        args = argparse.Namespace(tensor_model_parallel_size=tp, pipeline_model_parallel_size=pp, num_layers=self.layers,
                                  hidden_size=8, ffn_hidden_size=self.inner, num_attention_heads=4, **(names or {}))
        each = self.layers // pp
        for stage in range(pp):
            for rank in range(tp):
                model = {}
                for name, (tensor, cut) in self.parameters.items():
                    parts = name.split(".")
                    if parts[1] == "layers":
                        if int(parts[2]) // each != stage:
                            continue
                        parts[2] = str(int(parts[2]) % each)
                    elif stage != (pp - 1 if parts[0] == "vision" else 0):
                        continue
                    model[".".join(parts)] = cut(tensor, tp, rank).clone()
                state = {"args": args, "model": model, "iteration": iteration}
                if self.version is not None:
                    state["checkpoint_version"] = self.version
                member = folder / (f"mp_rank_{rank:02d}" if pp == 1 else f"mp_rank_{rank:02d}_{stage:03d}")
                member.mkdir(parents=True)
                torch.save(state, member / "model_optim_rng.pt")

    def hashes(self) -> dict[str, str]:
        return {f"model.{name}": hashlib.sha256(tensor.contiguous().numpy().tobytes()).hexdigest()
                for name, (tensor, _) in self.parameters.items()}


def edit(file: Path, change) -> None:
    state = torch.load(file, weights_only=False)
    change(state)
    torch.save(state, file)


class MegatronRanks(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name) / "iter_0000300"
        self.random = numpy.random.default_rng(11)

    def found(self, folder: Path) -> dict[str, str]:
        return {one["name"]: one["sha256"] for one in run("hash", folder, "--json").json["tensors"]}

    def refused(self, folder: Path, word: str) -> dict:
        check = run("check", folder, "--json")
        self.assertEqual(check.code, 1, check.said())
        self.assertIn(word, check.text)
        answer = run("consolidate", folder, "-o", folder.parent / "out.safetensors", "--json")
        self.assertNotEqual(answer.code, 0, answer.said())
        return check.json

    def test_random_cuts(self) -> None:
        spelled = ({}, {"swiglu": True}, {"glu_activation": "swiglu"}, {"swiglu": False})
        for number in range(16):
            version = (None, 0, 1.0, 2.0, 3.0)[number % 5]
            pp = int(self.random.choice([1, 2]))
            model = Model(self.random, version, gated=bool(number % 2), layers=2 * pp)
            folder = self.folder.parent / str(number) / "iter_0000300"
            model.save(folder, int(self.random.choice([1, 2, 4])), pp, names=spelled[number % 4])
            with self.subTest(number):
                self.assertEqual(self.found(folder), model.hashes())
                self.assertEqual(run("info", folder, "--json").json["complete"], "complete")

    def test_a_mixers_norm_is_not_taken_for_a_copy(self) -> None:
        for constant in (False, True):
            model = Model(self.random, 3.0, True, 2, mixer=True)
            if constant:  # as initialised: equal bytes on all ranks are no evidence
                model.parameters["decoder.layers.0.mixer.norm.weight"][0].fill_(1)
            folder = self.folder.parent / str(constant) / "iter_0000300"
            model.save(folder, 2, 1)
            found = {one["name"]: one["shape"] for one in run("ls", folder, "--json").json["tensors"]}
            self.assertNotIn("model.decoder.layers.0.mixer.norm.weight", found)
            self.assertEqual(found["mp_rank_01.model.decoder.layers.0.mixer.norm.weight"], [8])
            self.refused(folder, "mixer.norm")

    def test_copies_that_differ(self) -> None:
        Model(self.random, 3.0, True, 2).save(self.folder, 2, 1)
        edit(self.folder / "mp_rank_01/model_optim_rng.pt", lambda state: state["model"]["decoder.layers.0.input_layernorm.weight"].add_(1))
        self.refused(self.folder, "input_layernorm")

    def test_a_parameter_that_one_rank_lacks(self) -> None:
        name = "decoder.layers.0.mlp.linear_fc1.weight"
        for rank in (0, 1):
            folder = self.folder.parent / str(rank) / "iter_0000300"
            Model(self.random, 3.0, True, 2).save(folder, 2, 1)
            edit(folder / f"mp_rank_{rank:02d}/model_optim_rng.pt", lambda state: state["model"].pop(name))
            self.refused(folder, "linear_fc1")

    def test_rows_that_fit_neither(self) -> None:
        Model(self.random, 3.0, True, 2).save(self.folder, 2, 1)
        for rank in (0, 1):
            def change(state):
                state["model"]["decoder.layers.0.mlp.linear_fc1.weight"] = torch.ones(3, 8)
            edit(self.folder / f"mp_rank_{rank:02d}/model_optim_rng.pt", change)
        self.refused(self.folder, "linear_fc1")

    def test_ranks_of_different_iterations(self) -> None:
        Model(self.random, 3.0, True, 2).save(self.folder, 2, 1)
        edit(self.folder / "mp_rank_01/model_optim_rng.pt", lambda state: state.update(iteration=290))
        self.refused(self.folder, "290")

    def test_the_step_is_in_the_folders_name(self) -> None:
        Model(self.random, 3.0, True, 2).save(self.folder, 2, 1)
        for rank in (0, 1):
            edit(self.folder / f"mp_rank_{rank:02d}/model_optim_rng.pt", lambda state: state.pop("iteration"))
        self.assertEqual(run("info", self.folder, "--json").json["step"], 300)


if __name__ == "__main__":
    unittest.main()
