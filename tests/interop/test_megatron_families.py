# SPDX-License-Identifier: Apache-2.0
"""Megatron-core's models under the names of transformers: the bundle's logits are those of megatron-core's own forward."""

from __future__ import annotations

import json
import shutil
import unittest
from pathlib import Path

import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint import FileSystemReader
from torch.distributed.checkpoint.metadata import TensorStorageMetadata
from transformers import AutoModelForCausalLM

from support import ROOT, run, temporary

DATA = ROOT / "build" / "interop-megatron-families"
FAMILIES = ("llama", "qwen2", "qwen3", "mixtral", "qwen2_moe", "qwen3_moe", "deepseek_v3", "gpt2")
DIFFERENCE = 1e-6  # of a logit, relative to the largest: the two programs sum in another order
FORMS = ("stacked", "layers", "singleton", "legacy", "nemo")


# Transformer Engine joins norms with the next projection, and keeps them apart before experts; the local layers of these files name them otherwise.
NORMS = {"self_attention.linear_qkv.layer_norm_": "input_layernorm.", "mlp.linear_fc1.layer_norm_": "pre_mlp_layernorm.",
         "self_attention.linear_q_up_proj.layer_norm_": "self_attention.q_layernorm.",
         "self_attention.linear_kv_up_proj.layer_norm_": "self_attention.kv_layernorm."}


def tensors_of(folder: Path) -> dict[str, torch.Tensor]:
    """The floating-point tensors of a distributed checkpoint, with one name for each norm."""
    state: dict = {}
    reader = FileSystemReader(folder)
    for name, entry in reader.read_metadata().state_dict_metadata.items():
        if isinstance(entry, TensorStorageMetadata) and "_extra_state" not in name:
            state[name] = torch.empty(entry.size, dtype=entry.properties.dtype)
    dcp.load(state, storage_reader=reader, no_dist=True)
    for norm, other in NORMS.items():
        state = {name.replace(norm, other): tensor for name, tensor in state.items()}
    return state


@unittest.skipUnless((DATA / "gpt2" / "logits.pt").exists(), f"no Megatron checkpoints in {DATA}")
class MegatronFamilies(unittest.TestCase):
    def bundle(self, source: Path, output: Path, *more: object) -> None:
        answer = run("consolidate", source, "-o", output, "--bundle", "--force", *more, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertTrue(answer.json["verified"])

    def difference(self, family: str, folder: Path) -> float:
        model, report = AutoModelForCausalLM.from_pretrained(folder, output_loading_info=True, attn_implementation="eager", dtype=torch.float32)
        self.assertEqual((list(report["missing_keys"]), list(report["unexpected_keys"])), ([], []))
        oracle = torch.load(DATA / family / "logits.pt", weights_only=True)
        with torch.no_grad():
            logits = model(oracle["ids"]).logits
        self.assertEqual(logits.shape, oracle["logits"].shape)
        return ((logits - oracle["logits"]).abs().max() / oracle["logits"].abs().max()).item()

    def check(self, family: str) -> None:
        for form in FORMS:
            source = DATA / family / form
            if not source.exists():
                continue
            with self.subTest(form=form), temporary() as folder:
                self.bundle(source, Path(folder) / "out")
                self.assertLessEqual(self.difference(family, Path(folder) / "out"), DIFFERENCE)

    def test_back_to_megatron(self) -> None:
        """The inverse gives what megatron-core stored with one tensor per layer, less padding; and from there the same bundle again."""
        for family in FAMILIES:
            source = DATA / family / "layers"
            with self.subTest(family=family), temporary() as folder:
                folder = Path(folder)
                self.bundle(source, folder / "first")
                for output, names, form in ((folder / "there", "megatron", ("--to", "dcp")), (folder / "back", "hf", ())):
                    answer = run("convert", folder / ("first" if names == "megatron" else "there"), "-o", output, "--names", names, *form, "--json")
                    self.assertEqual(answer.code, 0, answer.said())
                self.assertEqual((folder / "back" / "model.safetensors").read_bytes(), (folder / "first" / "model.safetensors").read_bytes())
                stored, made = tensors_of(next(source.glob("iter_*"))), tensors_of(folder / "there")
                self.assertEqual(sorted(made), sorted(stored))
                for name, tensor in made.items():
                    expected = stored[name]
                    if name in ("embedding.word_embeddings.weight", "output_layer.weight"):
                        self.assertEqual((len(tensor), len(expected)), (61, 64))
                        expected = expected[:61]
                    self.assertTrue(torch.equal(tensor, expected), name)

    def test_config_of_another_folder(self) -> None:
        """A config beside the checkpoint is used as it is; its vocabulary is the one without padding."""
        with temporary() as folder:
            folder = Path(folder)
            self.bundle(DATA / "qwen3" / "stacked", folder / "first")
            shutil.copytree(DATA / "qwen3" / "layers", folder / "layers")
            shutil.copy(folder / "first" / "config.json", folder / "layers")
            self.bundle(folder / "layers", folder / "out")
            self.assertLessEqual(self.difference("qwen3", folder / "out"), DIFFERENCE)

    def test_nemo_says_where_each_field_is_from(self) -> None:
        with temporary() as folder:
            answer = run("consolidate", DATA / "llama" / "nemo", "-o", Path(folder) / "out", "--bundle", "--force", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            config = json.loads((Path(folder) / "out" / "config.json").read_text())
            self.assertEqual((config["max_position_embeddings"], config["vocab_size"]), (32, 61))
            plan = run("plan", "consolidate", DATA / "llama" / "nemo", "-o", Path(folder) / "planned", "--bundle", "--json").json
            said = next(each["value"] for each in plan["decisions"] if each["what"] == "config.json")
            for text in ("num_hidden_layers from model.yaml (num_layers)", "vocab_size from the tokenizer", "rms_norm_eps from model.yaml (layernorm_epsilon)"):
                self.assertIn(text, said)

    def test_other_settings_of_nemo_are_refused(self) -> None:
        """Each is refused, and the field is named; nothing in the file is imported or called."""
        wrong = {"config._target_": ("llama.Llama2Config7B", "gemma.GemmaConfig"), "_target_": ("model.llama.LlamaModel", "model.own.Model"),
                 "config._target_ ": ("nemo.collections.llm.gpt.model.llama.Llama2Config7B", "os.system"),
                 "family": ("model.llama.", "model.mixtral."),
                 "gated_linear_unit": ("gated_linear_unit: true", "gated_linear_unit: false"),
                 "activation_func": ("torch.nn.functional.silu", "torch.nn.functional.relu"),
                 "normalization": ("normalization: RMSNorm", "normalization: LayerNorm"),
                 "rotary_percent": ("rotary_percent: 1.0", "rotary_percent: 0.5"),
                 "scale_factor": ("  seq_length: 32", "  scale_factor: 8\n  low_freq_factor: 1\n  seq_length: 32"),
                 "layernorm_zero_centered_gamma": ("layernorm_zero_centered_gamma: false", "layernorm_zero_centered_gamma: true")}
        for what, (before, after) in wrong.items():
            with self.subTest(what=what), temporary() as folder:
                shutil.copytree(DATA / "llama" / "nemo", Path(folder) / "model")
                settings = Path(folder) / "model" / "context" / "model.yaml"
                self.assertIn(before, settings.read_text())
                settings.write_text(settings.read_text().replace(before, after))
                answer = run("consolidate", Path(folder) / "model", "-o", Path(folder) / "out", "--bundle", "--json")
                self.assertNotEqual(answer.code, 0)
                self.assertIn(answer.json["error"]["code"], ("unsupported",), answer.said())
                self.assertIn("model.yaml", answer.said())
                self.assertFalse((Path(folder) / "out").exists())

    def test_scaled_positions_of_llama_3_1(self) -> None:
        """The rotations of the bundle's model are those that NeMo 2's Llama31Config computes with its four numbers (llm/gpt/model/llama.py)."""
        for factor, low, high, context in ((8, 1, 4, 8192), (32.0, 1.0, 4.0, 64), (4, 2, 16, 48)):
            with self.subTest(factor=factor, context=context), temporary() as folder:
                shutil.copytree(DATA / "llama" / "nemo", Path(folder) / "model")
                settings = Path(folder) / "model" / "context" / "model.yaml"
                settings.write_text(settings.read_text().replace("  seq_length: 32", f"  scale_factor: {factor}\n  low_freq_factor: {low}\n"
                                                                 f"  high_freq_factor: {high}\n  old_context_len: {context}\n  seq_length: 32"))
                answer = run("consolidate", Path(folder) / "model", "-o", Path(folder) / "out", "--bundle", "--json")
                self.assertEqual(answer.code, 0, answer.said())
                model = AutoModelForCausalLM.from_pretrained(Path(folder) / "out")
                size = model.config.hidden_size // model.config.num_attention_heads
                plain = 1 / 10000 ** (torch.arange(0, size, 2, dtype=torch.float32) / size)
                turns = context * plain / (2 * torch.pi)
                smooth = ((turns - low) / (high - low)).clamp(0, 1)
                self.assertTrue(torch.allclose(model.model.rotary_emb.inv_freq, (1 - smooth) * plain / factor + smooth * plain, rtol=1e-6, atol=0))

    def test_the_wrong_family_is_refused(self) -> None:
        for source, family in (("qwen3", "llama"), ("gpt2", "llama"), ("mixtral", "qwen2"), ("deepseek_v3", "qwen3_moe"), ("llama", "gpt2"),
                               ("qwen2_moe", "mixtral")):
            with self.subTest(source=source, family=family), temporary() as folder:
                answer = run("consolidate", DATA / source / "stacked", "-o", Path(folder) / "out", "--bundle", "--family", family)
                self.assertNotEqual(answer.code, 0)
                self.assertFalse((Path(folder) / "out").exists())


for each in FAMILIES:
    setattr(MegatronFamilies, f"test_{each}", lambda self, family=each: self.check(family))

if __name__ == "__main__":
    unittest.main()
