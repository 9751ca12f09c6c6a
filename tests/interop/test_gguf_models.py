# SPDX-License-Identifier: Apache-2.0
"""GGUF that llama.cpp loads: its own converter's tensors bit by bit and metadata key by key, its own tokens and log probabilities."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import unittest
from pathlib import Path

import gguf
import torch
import torch.distributed.checkpoint as dcp
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

from support import ROOT, run, temporary

DATA = Path(os.environ.get("CAIRN_GGUF_MODELS", ROOT / "build" / "interop-gguf"))
PYTHON = Path(os.environ.get("CAIRN_GGUF_PYTHON", ROOT / "build" / "venv-gguf" / "bin" / "python"))
CASES = sorted(folder.name for folder in DATA.iterdir()) if DATA.exists() and PYTHON.exists() else []
STORED = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16"}
# The converter derives a title from the folder's name.
DESCRIBING = {"general.name", "general.basename", "general.finetune", "general.version", "general.organization"}
TEXTS = ["Hello world, it's 12345 o'clock", "  we'll  SEE\n\n\tTHEY'RE <|im_start|>x naïve Größe", "числа 987 中文!!! 🙂 ... e\u0301\r\n"]


def fields(path: Path) -> dict:
    reader = gguf.GGUFReader(path)
    return {key: ([each.name for each in field.types], field.contents()) for key, field in reader.fields.items() if not key.startswith("GGUF.")}


def tensors(path: Path) -> dict:
    return {t.name: (t.tensor_type.name, t.shape.tolist(), t.data.tobytes()) for t in gguf.GGUFReader(path).tensors}


def answers(path: Path, texts: list[str] = TEXTS) -> list[dict]:
    done = subprocess.run([PYTHON, Path(__file__).with_name("gguf_models.py"), "run", path, *texts], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError("llama.cpp does not load it: " + done.stderr[-2000:])
    return json.loads(done.stdout)


@unittest.skipUnless(CASES, f"no models of llama.cpp's families in {DATA}")
class GgufModels(unittest.TestCase):
    maxDiff = 2000

    def convert(self, source: Path, output: Path, *options) -> None:
        answer = run("consolidate", source, "-o", output, "--to", "gguf", *options)
        self.assertEqual(answer.code, 0, answer.said())

    def refused(self, source: Path, *words: str) -> None:
        with temporary() as folder:
            output = Path(folder) / "out.gguf"
            answer = run("consolidate", source, "-o", output, "--to", "gguf")
            self.assertNotEqual(answer.code, 0, answer.said())
            self.assertFalse(output.exists())
            for word in words:
                self.assertIn(word, answer.said())
            self.assertEqual(run("consolidate", source, "-o", output, "--to", "gguf", "--names", "keep").code, 0)

    def same(self, found: Path, expected: Path, scores: bool = True) -> None:
        got, want = tensors(found), tensors(expected)
        self.assertEqual(sorted(got), sorted(want))
        for name, tensor in want.items():
            self.assertEqual(got[name][:2], tensor[:2], name)
            self.assertEqual(got[name][2], tensor[2], name)
        ours, theirs = fields(found), fields(expected)
        leave = DESCRIBING | (set() if scores else {"tokenizer.ggml.scores", "tokenizer.ggml.token_type"})
        self.assertEqual(sorted(set(ours) - leave), sorted(set(theirs) - leave))
        for key in set(theirs) - leave:
            self.assertEqual(ours[key], theirs[key], key)

    def check(self, case: str) -> None:
        model = DATA / case / "model"
        weights = load_file(model / "model.safetensors")
        stored = STORED[next(t.dtype for t in weights.values() if t.dim() > 1)]
        scores = case != "llama2_json"  # see test_tokens
        with temporary() as folder:
            folder = Path(folder)
            for dtype, option in ((stored, "keep"), ("bf16", "bf16"), ("f16", "fp16"), ("f32", "fp32"), ("q8_0", "q8_0")):
                with self.subTest(dtype=option):
                    output = folder / f"{option}.gguf"
                    self.convert(model, output, "--dtype", option)
                    self.same(output, DATA / case / f"{dtype}.gguf", scores)
            state = folder / "state" / "step-3"
            state.parent.mkdir()
            for each in model.iterdir():
                if each.suffix != ".safetensors":
                    shutil.copy(each, state.parent)
            dcp.save({"model": self.in_memory(model), "step": 3}, checkpoint_id=state)
            self.convert(state, folder / "state.gguf")
            self.same(folder / "state.gguf", DATA / case / f"{stored}.gguf", scores)
            if scores:
                self.assertEqual(answers(folder / "keep.gguf"), answers(DATA / case / f"{stored}.gguf"))

    def changed(self, folder: Path, case: str, config: dict | None = None, without: str = "", weights=None) -> Path:
        """A copy of a model with another config, without some files, or with its tensors changed by a function."""
        shutil.copytree(DATA / case / "model", folder, ignore=shutil.ignore_patterns(without))
        if config:
            fields = json.loads((folder / "config.json").read_text()) | config
            (folder / "config.json").write_text(json.dumps(fields))
        if weights:
            loaded = load_file(folder / "model.safetensors")
            weights(loaded)
            save_file(loaded, folder / "model.safetensors", {"format": "pt"})
        return folder

    def test_what_llama_cpp_cannot_load_is_refused(self) -> None:
        def shared(w):
            w["model.layers.0.block_sparse_moe.shared_expert.w1.weight"] = torch.zeros(96, 64)

        def lacking(w):
            del w["model.layers.1.mlp.up_proj.weight"]

        def padded(w):
            w["model.embed_tokens.weight"] = torch.cat([w["model.embed_tokens.weight"], torch.zeros(8, 64, dtype=torch.bfloat16)])

        def biased(w):
            w["model.layers.0.self_attn.o_proj.bias"] = torch.zeros(64, dtype=torch.bfloat16)

        def experts(w):
            del w["model.layers.0.block_sparse_moe.experts.2.w1.weight"]

        cases = [("llama3", dict(without="tokenizer*"), ["tokenizer"]), ("llama3", dict(without="config.json"), ["config.json"]),
                 ("llama2_padded", dict(without="tokenizer.model"), ["tokenizer"]), ("phi3", dict(config={"rope_parameters": {"rope_type": "yarn"}}), ["rotary"]),
                 ("llama3", dict(config={"architectures": ["FalconForCausalLM"]}), ["FalconForCausalLM"]),
                 ("llama3", dict(config={"num_attention_heads": 5}), ["attn_q", "q_proj"][1:]), ("llama3", dict(config={"num_hidden_layers": 3}), ["layer"]),
                 ("llama3", dict(config={"num_hidden_layers": 1}), ["layer"]), ("llama3", dict(config={"vocab_size": 500}), ["vocab_size"]),
                 ("mixtral", dict(weights=shared), ["shared_expert"]), ("llama3", dict(weights=lacking), ["ffn_up"]),
                 ("llama3", dict(weights=padded), ["token_embd"]), ("qwen2", dict(weights=biased), ["o_proj.bias"]),
                 ("mixtral", dict(weights=experts), ["experts.2.w1"]),
                 ("gemma3", dict(config={"layer_types": ["full_attention"] * 7}), ["layer_types"])]
        with temporary() as folder:
            for number, (case, change, words) in enumerate(cases):
                with self.subTest(case=case, words=words):
                    self.refused(self.changed(Path(folder) / str(number), case, **change), *words)

    def test_pieces_from_tokenizer_json_alone(self) -> None:
        """As transformers 5 saves them; the converter refuses Gemma's, and gives Llama's pieces scores that merge others."""
        lines = [" ".join(line.split()) or "x" for line in Path(unittest.__file__).read_text().splitlines()[:60]]
        with temporary() as folder:
            for case in ("gemma2", "llama2", "llama2_added"):
                with self.subTest(case=case):
                    source = self.changed(Path(folder) / case, case, without="tokenizer.model")
                    self.convert(source, Path(folder) / f"{case}.gguf")
                    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
                    for text, answer in zip(TEXTS + lines, answers(Path(folder) / f"{case}.gguf", TEXTS + lines), strict=True):
                        self.assertEqual(answer["tokens"], tokenizer.encode(text).ids, text)

    def test_force_writes_the_names_as_they_are(self) -> None:
        with temporary() as folder:
            source = self.changed(Path(folder) / "model", "llama3", without="tokenizer*")
            answer = run("consolidate", source, "-o", Path(folder) / "out.gguf", "--to", "gguf", "--force")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertIn("model.norm.weight", tensors(Path(folder) / "out.gguf"))

    def test_wrapped_names_and_splits(self) -> None:
        with temporary() as folder:
            folder = Path(folder)
            for case in ("llama3", "gpt2"):
                source = self.changed(folder / case, case, without="*.safetensors")
                state = self.in_memory(DATA / case / "model")
                torch.save({"model": {f"module._orig_mod.{name}": tensor for name, tensor in state.items()}}, source / "last.pt")
                self.convert(source / "last.pt", folder / f"{case}.gguf")
                expected = DATA / case / ("bf16.gguf" if case == "llama3" else "f32.gguf")
                self.same(folder / f"{case}.gguf", expected)
            self.convert(DATA / "llama3" / "model", folder / "split", "--max-shard-size", "60KB")
            parts = sorted((folder / "split").glob("*.gguf"))
            self.assertGreater(len(parts), 2)
            self.assertEqual(answers(parts[0]), answers(DATA / "llama3" / "bf16.gguf"))

    def test_names_of_another_format_are_refused(self) -> None:
        with temporary() as folder:
            answer = run("consolidate", DATA / "llama3" / "model", "-o", Path(folder) / "out.safetensors", "--names", "gguf")
            self.assertNotEqual(answer.code, 0)
            self.assertIn("--to gguf", answer.said())

    def in_memory(self, model: Path) -> dict:
        import transformers

        name = json.loads((model / "config.json").read_text())["architectures"][0]
        return getattr(transformers, name).from_pretrained(model, dtype="auto").state_dict()

    def test_tokens(self) -> None:
        """llama.cpp divides texts as the tokenizer does, for each kind of tokenizer.json."""
        with temporary() as folder:
            for case in CASES:
                source = DATA / case / "model"
                if not (source / "tokenizer.json").exists():
                    continue
                with self.subTest(case=case):
                    output = Path(folder) / f"{case}.gguf"
                    self.convert(source, output)
                    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
                    for text, answer in zip(TEXTS, answers(output), strict=True):
                        self.assertEqual(answer["tokens"], tokenizer.encode(text).ids, text)


for each in CASES:
    setattr(GgufModels, f"test_{each}", lambda self, case=each: self.check(case))

if __name__ == "__main__":
    unittest.main()
