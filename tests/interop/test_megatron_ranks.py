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
from safetensors.torch import load_file
from support import run
from transformers import LlamaConfig, LlamaForCausalLM


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


class TiedStages(unittest.TestCase):
    """A Llama with a tied head in stages: the last one has the embedding again, as output_layer (megatron/core/models/gpt/gpt_model.py)."""

    def write(self, folder: Path, tp: int, pp: int, change=None) -> LlamaForCausalLM:
        torch.manual_seed(4)
        config = LlamaConfig(vocab_size=32, hidden_size=16, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=24,
                             max_position_embeddings=32, rms_norm_eps=1e-5, tie_word_embeddings=True)
        model = LlamaForCausalLM(config).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(torch.randn_like(parameter) * 0.1)
        args = argparse.Namespace(tensor_model_parallel_size=tp, pipeline_model_parallel_size=pp, num_layers=2, hidden_size=16, ffn_hidden_size=24,
                                  num_attention_heads=4, group_query_attention=True, num_query_groups=2, kv_channels=4, swiglu=True, gated_linear_unit=True,
                                  normalization="RMSNorm", norm_epsilon=1e-5, layernorm_epsilon=1e-5, rotary_base=10000, rotary_percent=1.0,
                                  position_embedding_type="rope", max_position_embeddings=32, untie_embeddings_and_output_weights=False,
                                  padded_vocab_size=32, vocab_size=32, add_bias_linear=False, num_experts=None)
        for stage in range(pp):
            for rank in range(tp):
                part = {}
                if stage == 0:
                    part["embedding.word_embeddings.weight"] = rows()(model.model.embed_tokens.weight, tp, rank)
                for number, layer in enumerate(list(model.model.layers)[stage * 2 // pp:(stage + 1) * 2 // pp]):
                    name, attention, mlp = f"decoder.layers.{number}.", layer.self_attn, layer.mlp
                    groups = [torch.cat([attention.q_proj.weight[8 * g:8 * g + 8], attention.k_proj.weight[4 * g:4 * g + 4], attention.v_proj.weight[4 * g:4 * g + 4]])
                              for g in range(2)]
                    part[name + "input_layernorm.weight"] = layer.input_layernorm.weight
                    part[name + "self_attention.linear_qkv.weight"] = rows()(torch.cat(groups), tp, rank)
                    part[name + "self_attention.linear_proj.weight"] = columns(attention.o_proj.weight, tp, rank)
                    part[name + "pre_mlp_layernorm.weight"] = layer.post_attention_layernorm.weight
                    part[name + "mlp.linear_fc1.weight"] = rows(2)(torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight]), tp, rank)
                    part[name + "mlp.linear_fc2.weight"] = columns(mlp.down_proj.weight, tp, rank)
                if stage == pp - 1:
                    part["decoder.final_layernorm.weight"] = model.model.norm.weight
                    if pp > 1:
                        part["output_layer.weight"] = rows()(model.model.embed_tokens.weight, tp, rank)
                part = {name: tensor.detach().clone() for name, tensor in part.items()}
                if change and stage == pp - 1:
                    change(part)
                member = folder / (f"mp_rank_{rank:02d}" if pp == 1 else f"mp_rank_{rank:02d}_{stage:03d}")
                member.mkdir(parents=True)
                torch.save({"args": args, "model": part, "iteration": 300, "checkpoint_version": 3.0}, member / "model_optim_rng.pt")
        return model

    def test_equal_copies_are_one_tensor(self) -> None:
        for tp, pp in ((1, 1), (1, 2), (2, 2)):
            with self.subTest(tp=tp, pp=pp), tempfile.TemporaryDirectory() as place:
                source, output = Path(place) / "iter_0000300", Path(place) / "out"
                model = self.write(source, tp, pp)
                answer = run("consolidate", source, "-o", output, "--bundle", "--json")
                self.assertEqual(answer.code, 0, answer.said())
                loaded, info = LlamaForCausalLM.from_pretrained(output, output_loading_info=True)
                self.assertFalse(any(info.values()), info)
                self.assertEqual("lm_head.weight" in load_file(output / "model.safetensors"), False)
                ids = torch.arange(24).reshape(2, 12) % 32
                with torch.no_grad():
                    self.assertTrue(torch.equal(loaded(ids).logits, model(ids).logits))

    def test_copies_that_differ_are_refused(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            source = Path(place) / "iter_0000300"
            self.write(source, 1, 2, lambda part: part["output_layer.weight"][3, 4].add_(1))
            answer = run("consolidate", source, "-o", Path(place) / "out", "--bundle", "--json")
            self.assertEqual(answer.code, 1, answer.said())
            for file in ("mp_rank_00_000", "mp_rank_00_001"):
                self.assertIn(file, answer.json["error"]["message"])
            self.assertFalse((Path(place) / "out").exists())


if __name__ == "__main__":
    unittest.main()
