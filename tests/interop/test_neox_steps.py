# SPDX-License-Identifier: Apache-2.0
"""GPT-NeoX's tensor-parallel slices joined, and something else, in one job: the bytes are those of two jobs, the names first."""

from __future__ import annotations

import shutil
import unittest
from pathlib import Path

import torch
import transformers
from gguf_models import byte_pairs
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file
from support import run, temporary
from test_gguf_models import fields, tensors
from test_neox import HEADS, LAYERS, SETTINGS, drifted, llama_parts, made, write
from transformers import GPTNeoXForCausalLM, LlamaConfig, LlamaForCausalLM

MODULES = ["query_key_value", "dense", "dense_h_to_4h", "dense_4h_to_h"]


class Steps(unittest.TestCase):
    def setUp(self) -> None:
        place = temporary()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def do(self, *words: object) -> dict:
        answer = run(*words, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        return answer.json

    def save(self, name: str, dtype: torch.dtype, seed: int = 0, ranks: int = 2, spoil=None) -> Path:
        def cutting(part, tensor, rank, count):
            slice_ = drifted(part, tensor + (torch.randn(tensor.shape, generator=torch.Generator().manual_seed(seed)) * 0.1).to(tensor.dtype), rank, count)
            return spoil(part, slice_, rank) if spoil else slice_

        return write(self.folder / name, made().to(dtype), False, ranks, SETTINGS | {"model-parallel-size": ranks}, cutting)

    def same(self, found: Path, wanted: Path) -> None:
        """Everything but what tells of the job."""
        names = {path.name for path in wanted.iterdir()} - {"README.md", "MANIFEST.json"}
        self.assertEqual({path.name for path in found.iterdir()} - {"README.md", "MANIFEST.json"}, names)
        for name in sorted(names):
            self.assertEqual((found / name).read_bytes(), (wanted / name).read_bytes(), name)

    def adapter(self, base: Path, **settings: object) -> Path:
        folder = self.folder / f"adapter-{len(settings)}-{settings.get('use_dora', False)}"
        torch.manual_seed(4)
        model = get_peft_model(GPTNeoXForCausalLM.from_pretrained(base, dtype="auto"), LoraConfig(r=3, lora_alpha=5, task_type="CAUSAL_LM", **settings))
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.requires_grad:
                    parameter.add_((torch.randn(parameter.shape) * 0.1).to(parameter.dtype))
        model.save_pretrained(folder)
        return folder

    def test_adapters(self) -> None:
        """Of matrices that are joined, of a norm that is averaged, of biases that are added up; equal to PEFT's own merge of the first job's result."""
        for dtype in (torch.float16, torch.bfloat16, torch.float32):
            source = self.save(f"{dtype}", dtype)
            base = self.folder / f"base-{dtype}"
            self.do("consolidate", source, "-o", base, "--bundle")
            for number, settings in enumerate(({"target_modules": MODULES}, {"target_modules": MODULES, "bias": "all"},
                                               {"target_modules": ["dense"], "use_dora": True},
                                               {"target_modules": ["query_key_value"], "modules_to_save": ["input_layernorm", "final_layer_norm", "embed_out"]})):
                with self.subTest(dtype=dtype, settings=settings):
                    adapter = self.adapter(base, **settings)
                    once, twice = self.folder / f"once-{dtype}-{number}", self.folder / f"twice-{dtype}-{number}"
                    self.do("fold", source, "--adapter", adapter, "-o", once)
                    self.do("fold", base, "--adapter", adapter, "-o", twice)
                    self.same(once, twice)
                    self.assertTrue(self.do("verify", source, once)["verified"])
                    if "use_dora" not in settings:  # torch's order of additions in a norm
                        merged = PeftModel.from_pretrained(GPTNeoXForCausalLM.from_pretrained(base, dtype="auto"), adapter).merge_and_unload()
                        for name, tensor in load_file(once / "model.safetensors").items():
                            wanted = merged.state_dict()[name.replace("embed_out", "lm_head")]
                            self.assertTrue(torch.equal(tensor, wanted), name)
                    shutil.rmtree(adapter)

    def test_dtypes(self) -> None:
        for dtype in (torch.float16, torch.bfloat16, torch.float32):
            source, base = self.save(f"{dtype}", dtype), self.folder / f"base-{dtype}"
            self.do("consolidate", source, "-o", base, "--bundle")
            for precision in ("bf16", "fp16", "fp32", "fp8", "fp8_tensor", "fp8_block"):
                with self.subTest(dtype=dtype, precision=precision):
                    once, twice = self.folder / f"once-{dtype}-{precision}", self.folder / f"twice-{dtype}-{precision}"
                    self.do("consolidate", source, "-o", once, "--bundle", "--dtype", precision)
                    self.do("consolidate", base, "-o", twice, "--bundle", "--dtype", precision)
                    self.same(once, twice)
                    self.assertTrue(self.do("verify", source, once)["verified"])

    def test_averages(self) -> None:
        """The mean of what the converter makes of each save, as averaging the converted folders gives it."""
        for dtype in (torch.float16, torch.bfloat16, torch.float32):
            saves = [self.save(f"{dtype}-{seed}", dtype, seed) for seed in range(3)]
            folders = []
            for number, save in enumerate(saves):
                folders.append(self.folder / f"{dtype}-base-{number}")
                self.do("consolidate", save, "-o", folders[-1], "--bundle")
            for number, options in enumerate(((), ("--weights", "0.5,0.2,0.3"), ("--dtype", "bf16"), ("--dtype", "fp8"))):
                with self.subTest(dtype=dtype, options=options):
                    once, twice = self.folder / f"once-{dtype}-{number}", self.folder / f"twice-{dtype}-{number}"
                    self.do("average", *saves, "-o", once, "--bundle", *options)
                    self.do("average", *folders, "-o", twice, "--bundle", *options)
                    self.same(once, twice)
                    self.assertTrue(self.do("verify", saves[-1], once, "--with", saves[0], "--with", saves[1])["verified"])

    def test_gguf(self) -> None:
        """A Llama in NeoX's form, whose norms are averaged: GGUF as it is, quantised, with an adapter, the mean of two."""
        like = self.folder / "like"
        like.mkdir()
        words = byte_pairs(like, None, ["<|endoftext|>"], None, size=420)
        words = words if words % 2 == 0 else byte_pairs(like, None, ["<|endoftext|>"], None, size=421)
        for dtype in (torch.float16, torch.float32):
            saves, bases = [], []
            for seed in range(2):
                torch.manual_seed(seed)
                config = LlamaConfig(vocab_size=words, hidden_size=64, num_hidden_layers=LAYERS, num_attention_heads=HEADS, num_key_value_heads=2,
                                     intermediate_size=96, max_position_embeddings=40, rms_norm_eps=1e-5, rope_theta=20000.0, tie_word_embeddings=False)
                model = LlamaForCausalLM(config).to(dtype)
                parts = llama_parts(model, 2, True)
                generator = torch.Generator().manual_seed(seed)
                for part in parts.values():
                    for name in part:
                        if name.endswith("scale"):
                            part[name] = [each + (torch.randn(each.shape, generator=generator) * 0.3).to(dtype) for each in part[name]]
                settings = {key: value for key, value in SETTINGS.items() if key not in ("layernorm-epsilon", "rotary-pct", "gpt-j-residual")} | {
                    "norm": "rmsnorm", "rms-norm-epsilon": 1e-5, "num-kv-heads": 2, "activation": "swiglu", "rotary-emb-base": 20000, "hidden-size": 64,
                    "model-parallel-size": 2}
                saves.append(write(self.folder / f"{dtype}-{seed}", model, False, 2, settings, lambda name, tensor, rank, ranks: tensor[rank], parts))
                for path in like.iterdir():
                    shutil.copy(path, saves[-1])
                bases.append(self.folder / f"{dtype}-base-{seed}")
                self.do("consolidate", saves[-1], "-o", bases[-1], "--bundle")
            model = get_peft_model(LlamaForCausalLM.from_pretrained(bases[0], dtype="auto"),
                                   LoraConfig(r=3, lora_alpha=5, task_type="CAUSAL_LM", target_modules=["q_proj", "down_proj"]))
            with torch.no_grad():
                for parameter in model.parameters():
                    if parameter.requires_grad:
                        parameter.add_((torch.randn(parameter.shape) * 0.1).to(parameter.dtype))
            model.save_pretrained(self.folder / f"{dtype}-adapter")
            fold = ("--adapter", self.folder / f"{dtype}-adapter")
            for number, (verb, count, options) in enumerate((("consolidate", 1, ()), ("consolidate", 1, ("--dtype", "q8_0")), ("fold", 1, fold),
                                                             ("fold", 1, (*fold, "--dtype", "q4_0")), ("average", 2, ()), ("average", 2, ("--dtype", "q8_0")))):
                with self.subTest(dtype=dtype, verb=verb, options=options):
                    once, twice = self.folder / f"once-{dtype}-{number}.gguf", self.folder / f"twice-{dtype}-{number}.gguf"
                    for each, sources in ((once, saves), (twice, bases)):
                        self.do(verb, *sources[:count], "-o", each, "--to", "gguf", *options)
                    self.assertEqual(*({key: value for key, value in tensors(each).items()} for each in (once, twice)))
                    self.assertEqual(*({key: value for key, value in fields(each).items() if key != "general.name"} for each in (once, twice)))

    def test_numbers_that_are_not_finite(self) -> None:
        """A mean with NaN is NaN, one with inf is inf, inf and -inf are NaN: as in convert_neox_to_hf.py, written with --force alone, and the checks of the result report them."""
        def spoil(part, tensor, rank):
            if part == "input_layernorm.weight":
                tensor[0] = float("nan") if rank == 0 else 1
                tensor[1] = float("inf")
                tensor[2] = float("inf") if rank == 0 else float("-inf")
            return tensor

        for dtype in (torch.float16, torch.bfloat16, torch.float32):
            with self.subTest(dtype=dtype):
                source, output = self.save(f"{dtype}", dtype, spoil=spoil), self.folder / f"out-{dtype}"
                self.assertEqual(run("consolidate", source, "-o", output, "--bundle").code, 1)
                self.assertFalse(output.exists())
                self.do("consolidate", source, "-o", output, "--bundle", "--force")
                norm = load_file(output / "model.safetensors")["gpt_neox.layers.0.input_layernorm.weight"]
                self.assertTrue(norm[0].isnan() and norm[1].isposinf() and norm[2].isnan() and norm[3:].isfinite().all(), norm)
                self.assertTrue(self.do("verify", source, output)["verified"])
                for path in (source, output):
                    findings = run("check", path, "--json").json["findings"]
                    self.assertTrue(any("NaN" in each["message"] for each in findings), findings)


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    unittest.main()
