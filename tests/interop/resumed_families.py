# SPDX-License-Identifier: Apache-2.0
"""Trainings of transformers' models in a loop of torch, and what Megatron-core stores of them, by rules that are written here again."""

from __future__ import annotations

import unittest
from pathlib import Path

import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint import FileSystemReader
from torch.distributed.checkpoint.metadata import TensorStorageMetadata
from transformers import AutoConfig, AutoModelForCausalLM

from support import run, temporary

MASTERS = ("optimizer.state.fp32_param.", "optimizer.state.param.")  # of mixed precision, of the distributed optimizer
STEPS, MORE, LR, DECAY, HEADS = 4, 3, 1e-2, 0.1, 4
DENSE = {"vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": HEADS, "num_key_value_heads": 2, "head_dim": 8,
         "intermediate_size": 48, "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "max_position_embeddings": 32, "hidden_act": "silu",
         "tie_word_embeddings": False, "attention_dropout": 0.0}
CONFIGS = {
    "llama": ("llama", DENSE),
    "llama_bias": ("llama", DENSE | {"num_key_value_heads": HEADS, "attention_bias": True, "mlp_bias": True}),
    "qwen2": ("qwen2", DENSE | {"tie_word_embeddings": True}),
    "qwen3": ("qwen3", DENSE | {"head_dim": 16}),
    "gpt2": ("gpt2", {"vocab_size": 64, "n_embd": 32, "n_layer": 3, "n_head": HEADS, "n_positions": 32, "n_inner": 128, "activation_function": "gelu",
                      "layer_norm_epsilon": 1e-5, "resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}),
}


def batch(step: int) -> tuple[torch.Tensor, torch.Tensor]:
    ids = (torch.arange(26).reshape(2, 13) * 7 + step * 5) % 60
    return ids[:, :-1], ids[:, 1:]


class Loop:
    """transformers' model in a loop of torch, with the groups that Megatron-core makes."""

    def __init__(self, family: str, rule=lambda name, parameter: parameter.dim() != 1 and not name.endswith(".bias"), frozen: str = "", **options) -> None:
        kind, fields = CONFIGS[family]
        self.config = AutoConfig.for_model(kind, **fields | options)
        torch.manual_seed(3)
        self.model = AutoModelForCausalLM.from_config(self.config, attn_implementation="eager", dtype=torch.float32)
        with torch.no_grad():
            for name, parameter in self.model.named_parameters():
                norm = parameter.dim() == 1 and not name.endswith(".bias")
                parameter.copy_(torch.randn(parameter.shape) * (0.1 if norm else 0.2) + (1.0 if norm else 0.0))
        if frozen:
            for name, parameter in self.model.named_parameters():
                parameter.requires_grad_(frozen not in name)
        named = [each for each in self.model.named_parameters() if each[1].requires_grad]
        groups = [{"params": [each for each in named if rule(*each)], "weight_decay": DECAY},
                  {"params": [each for each in named if not rule(*each)], "weight_decay": 0.0}]
        self.optimizer = torch.optim.AdamW([group for group in groups if group["params"]], lr=LR, betas=(0.9, 0.95), eps=1e-8)

    def train(self, first: int, count: int) -> list[float]:
        losses = []
        for step in range(first, first + count):
            ids, labels = batch(step)
            loss = torch.nn.functional.cross_entropy(self.model(ids).logits.flatten(0, 1), labels.flatten())
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return losses

    def push(self, first: int, count: int) -> None:
        """Steps with made gradients: moments and parameters that differ, without computing the model."""
        made = torch.Generator().manual_seed(first + 5)
        for _ in range(count):
            for parameter in self.model.parameters():
                parameter.grad = torch.randn(parameter.shape, generator=made) if parameter.requires_grad else None
            self.optimizer.step()

    def save(self, folder: Path) -> Path:
        folder.mkdir(parents=True)
        self.model.config.save_pretrained(folder)
        torch.save({"model_state_dict": self.model.state_dict(), "optimizer_state_dict": self.optimizer.state_dict(), "step": STEPS}, folder / "state.pt")
        return folder / "state.pt"

    def load(self, file: Path) -> None:
        state = torch.load(file, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])

    def tensors(self) -> dict[str, torch.Tensor]:
        """Parameters and moments by name."""
        found = {}
        for name, parameter in self.model.named_parameters():
            found[f"model.{name}"] = parameter.detach()
            for key, value in self.optimizer.state.get(parameter, {}).items():
                found[f"{key}.{name}"] = value
        return found


def stored(folder: Path) -> dict[str, torch.Tensor]:
    reader = FileSystemReader(next(folder.glob("iter_*")))
    state = {name: torch.empty(entry.size, dtype=entry.properties.dtype) for name, entry in reader.read_metadata().state_dict_metadata.items()
             if isinstance(entry, TensorStorageMetadata) and "_extra_state" not in name}
    dcp.load(state, storage_reader=reader, no_dist=True)
    return state


def fused(config, parameters: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The tensors that Megatron-core stores of these parameters, by Megatron-Bridge's rules (QKVMapping, GatedMLPMapping), written independently."""
    groups = getattr(config, "num_key_value_heads", HEADS)
    made: dict[str, list[torch.Tensor]] = {}

    def add(name: str, tensor: torch.Tensor) -> None:
        made.setdefault(name, []).append(tensor)

    def heads(tensors: list[torch.Tensor]) -> torch.Tensor:
        parts = [tensor.reshape(groups, -1, *tensor.shape[1:]) for tensor in tensors]
        return torch.cat(parts, 1).flatten(0, 1)

    whole = {}
    for layer in range(config.num_hidden_layers):
        if config.model_type == "gpt2":
            own = {name.removeprefix(f"transformer.h.{layer}."): value for name, value in parameters.items() if name.startswith(f"transformer.h.{layer}.")}
            for kind in ("weight", "bias"):
                add(f"self_attention.linear_qkv.layer_norm_{kind}", own[f"ln_1.{kind}"])
                add(f"mlp.linear_fc1.layer_norm_{kind}", own[f"ln_2.{kind}"])
                turn = (lambda tensor: tensor.T) if kind == "weight" else (lambda tensor: tensor)
                add(f"self_attention.linear_qkv.{kind}", heads(list(turn(own[f"attn.c_attn.{kind}"]).chunk(3))))
                for ours, theirs in (("self_attention.linear_proj", "attn.c_proj"), ("mlp.linear_fc1", "mlp.c_fc"), ("mlp.linear_fc2", "mlp.c_proj")):
                    add(f"{ours}.{kind}", turn(own[f"{theirs}.{kind}"]))
            continue
        own = {name.removeprefix(f"model.layers.{layer}."): value for name, value in parameters.items() if name.startswith(f"model.layers.{layer}.")}
        for kind in ("weight", "bias"):
            if f"self_attn.q_proj.{kind}" in own:
                add(f"self_attention.linear_qkv.{kind}", heads([own[f"self_attn.{each}_proj.{kind}"] for each in "qkv"]))
            if f"self_attn.o_proj.{kind}" in own:
                add(f"self_attention.linear_proj.{kind}", own[f"self_attn.o_proj.{kind}"])
            if f"mlp.gate_proj.{kind}" in own:
                add(f"mlp.linear_fc1.{kind}", torch.cat([own[f"mlp.gate_proj.{kind}"], own[f"mlp.up_proj.{kind}"]]))
                add(f"mlp.linear_fc2.{kind}", own[f"mlp.down_proj.{kind}"])
        add("self_attention.linear_qkv.layer_norm_weight", own["input_layernorm.weight"])
        add("mlp.linear_fc1.layer_norm_weight", own["post_attention_layernorm.weight"])
        for each in "qk":
            if f"self_attn.{each}_norm.weight" in own:
                add(f"self_attention.{each}_layernorm.weight", own[f"self_attn.{each}_norm.weight"])
    for theirs, ours in (("transformer.wte.weight", "embedding.word_embeddings.weight"), ("transformer.wpe.weight", "embedding.position_embeddings.weight"),
                         ("transformer.ln_f.weight", "decoder.final_layernorm.weight"), ("transformer.ln_f.bias", "decoder.final_layernorm.bias"),
                         ("model.embed_tokens.weight", "embedding.word_embeddings.weight"), ("model.norm.weight", "decoder.final_layernorm.weight"),
                         ("lm_head.weight", "output_layer.weight")):
        if theirs in parameters:
            whole[ours] = parameters[theirs]
    return whole | {f"decoder.layers.{name}": torch.stack(layers) for name, layers in made.items()}


class ToMegatron(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(temporary()))

    def convert(self, source: Path, trainer: str, *options: str):
        output = self.folder / f"out-{trainer}{'.pt' if trainer == 'torch' else ''}"
        return run("convert", source, "--for", trainer, "-o", output, "--json", *options), output

    def same(self, found: dict[str, torch.Tensor], expected: dict[str, torch.Tensor]) -> None:
        self.assertEqual(sorted(found), sorted(expected))
        for name, tensor in expected.items():
            self.assertTrue(torch.equal(found[name], tensor), name)

    def expect(self, loop: Loop, output: Path) -> None:
        """Every stored tensor is the one that the rules give."""
        tensors = loop.tensors()
        expected = {}
        for key, place in (("model", ""), *(("model", master) for master in MASTERS), ("exp_avg", "optimizer.state.exp_avg."),
                           ("exp_avg_sq", "optimizer.state.exp_avg_sq.")):
            own = {name.removeprefix(f"{key}."): tensor for name, tensor in tensors.items() if name.startswith(f"{key}.")}
            expected |= {place + name: tensor for name, tensor in fused(loop.config, own).items()}
        self.same(stored(output), expected)

    def to_megatron(self, family: str, train=Loop.train) -> tuple[Loop, Path]:
        loop = Loop(family)
        train(loop, 0, STEPS)
        answer, output = self.convert(loop.save(self.folder / "source"), "megatron", "--ranks", "2")
        self.assertEqual(answer.code, 0, answer.said())
        state = answer.json["training_state"]
        count = len(list(loop.model.parameters()))
        self.assertEqual((state["parameters"], state["with_moments"], state["step"], {each["id"] for each in state["lost"]}),
                         (count, count, STEPS, {"rng", "data"}))
        self.expect(loop, output)
        return loop, output

    def like(self, family: str) -> list[str]:
        """The tensors of Llama with biases do not differ from Qwen2's."""
        if family != "llama_bias":
            return []
        folder = self.folder / "like"
        Loop(family).config.save_pretrained(folder)
        return ["--like", str(folder)]
