# SPDX-License-Identifier: Apache-2.0
"""Fifty merges, exports and adapters with one thing wrong, as one table: each is refused, or becomes the original model all the same.
What cannot be known from the files alone (an alpha that was wrong in training, a rotary layout that no name tells) is judged by the
base: `diff --explain-adapter` then says that the merge is not what the adapter gives."""

from __future__ import annotations

import argparse
import functools
import json
import shutil
import unittest
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file

import peft_adapters
from support import run, temporary

L0 = "model.layers.0."
Q1 = "model.layers.1.self_attn.q_proj.weight"


def qwen3(**more):
    return transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**peft_adapters.SMALL, head_dim=12, tie_word_embeddings=False, **more))


MODELS = {"llama": peft_adapters.llama, "tied": functools.partial(peft_adapters.llama, tie_word_embeddings=True), "qwen2": peft_adapters.qwen2,
          "qwen3": qwen3, "mixtral": peft_adapters.mixtral, "gpt2": peft_adapters.gpt2}


@functools.lru_cache(maxsize=None)
def model(name: str):
    torch.manual_seed(7)
    return peft_adapters.randomised(MODELS[name](), 11).eval()


class Place:
    """One row's folder: source, config beside it, adapter, output."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.base, self.out = folder / "base", folder / "out"
        model(name).save_pretrained(self.base)

    def state(self) -> dict[str, torch.Tensor]:
        return load_file(self.base / "model.safetensors")

    def config(self, **fields) -> None:
        file = self.base / "config.json"
        file.write_text(json.dumps({key: value for key, value in (json.loads(file.read_text()) | fields).items() if value != "absent"}))

    def saved(self, state: dict) -> list:
        """As a plain torch.save beside the config."""
        (self.folder / "run").mkdir()
        torch.save(state, self.folder / "run" / "last.pt")
        shutil.copy(self.base / "config.json", self.folder / "run")
        return ["consolidate", self.folder / "run" / "last.pt", "-o", self.out, "--bundle"]

    def framework(self, names: str, change) -> list:
        """Under a framework's names, changed, and back again."""
        answer = run("convert", self.base, "-o", self.folder / "made", "--names", names, "--to", "torch")
        assert answer.code == 0, answer.said()
        file = next((self.folder / "made").glob("*.pt"))
        state = torch.load(file, weights_only=True)
        state = state if any(isinstance(value, torch.Tensor) for value in state.values()) else next(iter(state.values()))
        change(state)
        (self.folder / "run").mkdir()
        torch.save({key: value.clone() for key, value in state.items()}, self.folder / "run" / "last.pt")
        return ["convert", self.folder / "run" / "last.pt", "-o", self.out, "--names", "hf", "--like", self.base, "--require", "loadable"]

    def folded(self, settings: dict, config=None, change=None) -> list:
        peft_adapters.adapter(model(self.name), settings, 31, self.folder / "adapter")
        if change:
            file = self.folder / "adapter" / "adapter_model.safetensors"
            state = load_file(file)
            change(state)
            save_file({key: value.contiguous() for key, value in state.items()}, file)
        if config:
            file = self.folder / "adapter" / "adapter_config.json"
            file.write_text(json.dumps(json.loads(file.read_text()) | config))
        return ["fold", self.base, "--adapter", self.folder / "adapter", "-o", self.out]


def hf(change):
    """A change of the state dict under the library's names."""
    def make(place: Place) -> list:
        state = place.state()
        change(state)
        return place.saved(state)
    return make


def config(**fields):
    def make(place: Place) -> list:
        place.config(**fields)
        return place.saved(place.state())
    return make


def framework(names: str, change):
    return lambda place: place.framework(names, change)


def fold(settings: dict, **more):
    return lambda place: place.folded(settings, **more)


def drop(*parts: str):
    def change(state) -> None:
        names = [name for name in state if any(part in name for part in parts)]
        assert names, parts
        for name in names:
            state.pop(name)
    return change


def each(part: str, function):
    def change(state) -> None:
        names = [name for name in state if part in name]
        assert names, (part, sorted(state))
        for name in names:
            state[name] = function(state[name])
    return change


def padded(value: torch.Tensor, rows: int = 128) -> torch.Tensor:
    return torch.cat([value, torch.randn(rows - len(value), *value.shape[1:])])


def both(*changes):
    def change(state) -> None:
        for one in changes:
            one(state)
    return change


def prefixed(prefix: str, every: int = 1):
    def change(state) -> None:
        for i, name in enumerate(sorted(state)):
            if i % every == 0:
                state[prefix + name] = state.pop(name)
    return change


def copied_layer(state) -> None:
    state.update({name.replace(".1.", ".2."): value.clone() for name, value in list(state.items()) if "layers.1." in name or "h.1." in name})


def swapped(state) -> None:
    """The two halves of a pair under each other's names."""
    for name in [name for name in state if "lora_A" in name]:
        other = name.replace("lora_A", "lora_B")
        state[name], state[other] = state[other], state[name]


def shards(change):
    def make(place: Place) -> list:
        shutil.rmtree(place.base)
        model(place.name).save_pretrained(place.base, max_shard_size="60KB")
        change(place.base)
        return ["consolidate", place.base, "-o", place.out, "--bundle"]
    return make


def other_shard(folder: Path) -> None:
    """One shard of another save, whose tensors have another width."""
    file = sorted(folder.glob("*.safetensors"))[1]
    save_file({name: torch.zeros(*value.shape[:-1], value.shape[-1] + 4) for name, value in load_file(file).items()}, file, metadata={"format": "pt"})


def truncated_shard(folder: Path) -> None:
    file = sorted(folder.glob("*.safetensors"))[1]
    file.write_bytes(file.read_bytes()[:-7])


def words(count: int) -> str:
    """A tokenizer.json with as many words."""
    from tokenizers import Tokenizer, models

    return Tokenizer(models.WordLevel({f"w{i}": i for i in range(count)}, unk_token="w0")).to_str()


def with_tokenizer(names: str, count: int, change, **fields):
    """A framework's save beside a tokenizer of `count` words."""
    def make(place: Place) -> list:
        command = place.framework(names, change)
        (place.base / "tokenizer.json").write_text(words(count))
        place.config(**fields)
        return command
    return make


def ranks(exchanged: bool, recorded: bool = True):
    """Two tensor parallel ranks of legacy Megatron; under each other's folder."""
    def make(place: Place) -> list:
        answer = run("convert", place.base, "-o", place.folder / "made", "--names", "megatron", "--to", "torch")
        assert answer.code == 0, answer.said()
        state = torch.load(next((place.folder / "made").glob("*.pt")), weights_only=True)
        fields = json.loads((place.base / "config.json").read_text())
        args = argparse.Namespace(tensor_model_parallel_size=2, pipeline_model_parallel_size=1, num_layers=2, hidden_size=48, ffn_hidden_size=80,
                                  num_attention_heads=4, group_query_attention=True, num_query_groups=2, kv_channels=12, padded_vocab_size=96,
                                  swiglu=True, untie_embeddings_and_output_weights=True, norm_epsilon=fields["rms_norm_eps"])
        for rank in range(2):
            if recorded:
                args.rank = rank
            cut = {}
            for key, value in state.items():
                dim = 1 if key.endswith(("linear_proj.weight", "linear_fc2.weight")) else 0
                if value.dim() == 1:
                    cut[key] = value.clone()
                elif key.endswith("linear_fc1.weight"):
                    cut[key] = torch.cat([half.chunk(2)[rank] for half in value.chunk(2)])
                else:
                    cut[key] = value.chunk(2, dim)[rank].clone()
            folder = place.folder / "iter_0000005" / f"mp_rank_{1 - rank if exchanged else rank:02d}"
            folder.mkdir(parents=True)
            torch.save({"args": args, "model": cut, "iteration": 5, "checkpoint_version": 3.0}, folder / "model_optim_rng.pt")
        return ["convert", place.folder / "iter_0000005", "-o", place.out, "--names", "hf", "--like", place.base, "--require", "loadable"]
    return make


def distributed(exchanged: bool):
    """DCP of two ranks, perhaps each with the file of the other one."""
    def make(place: Place) -> list:
        folder = place.folder / "run" / "step-5"
        answer = run("reshard", place.base, "-o", folder, "--to", "dcp", "--ranks", "2")
        assert answer.code == 0, answer.said()
        shutil.copy(place.base / "config.json", place.folder / "run")
        if exchanged:
            exchange(folder)
        return ["consolidate", folder, "-o", place.out, "--bundle"]
    return make


def exchange(folder: Path) -> None:
    first, second = folder / "__0_0.distcp", folder / "__1_0.distcp"
    first.rename(folder / "x")
    second.rename(first)
    (folder / "x").rename(second)


def merged(settings: dict, wrong):
    """PEFT's merge, done wrong: the base tells."""
    def make(place: Place) -> list:
        peft_adapters.adapter(model(place.name), settings, 31, place.folder / "adapter")
        base = type(model(place.name)).from_pretrained(place.base)
        peft_adapters.PeftModel.from_pretrained(base, place.folder / "adapter").merge_and_unload().save_pretrained(place.folder / "merged")
        file = place.folder / "merged" / "model.safetensors"
        state = load_file(file)
        wrong(state, place.state())
        save_file({key: value.contiguous() for key, value in state.items()}, file, metadata={"format": "pt"})
        return ["diff", place.base, place.folder / "merged", "--explain-adapter", place.folder / "adapter"]
    return make


def scaled(state, base) -> None:
    state.update({name: base[name] + 2 * (state[name] - base[name]) for name in state})


def unrotated(state, base) -> None:
    """The adapter trained on rotary pairs next to each other, added to halves."""
    for name in [name for name in state if "q_proj" in name]:
        change = state[name] - base[name]
        state[name] = base[name] + change.view(4, 2, 6, 48).transpose(1, 2).reshape(48, 48)


def exchanged(first: str, second: str):
    def change(state, base) -> None:
        for name in [name for name in state if first in name]:
            other = name.replace(first, second)
            state[name], state[other] = state[other], state[name]
    return change


QV = {"target_modules": ["q_proj", "v_proj"]}
MLP = {"target_modules": ["gate_proj", "up_proj"]}
REFUSED, RIGHT = "refused", "right"
ROWS = [
    # what is wrong, the model, how it is made, what must become of it
    ("nothing", "llama", hf(lambda s: None), RIGHT),
    ("prefix twice", "llama", hf(prefixed("model.model.")), RIGHT),
    ("prefix on half of the names", "llama", hf(prefixed("net.", 2)), REFUSED),
    ("a layer is missing", "llama", hf(drop("layers.0.")), REFUSED),
    ("the last layer is missing", "llama", hf(drop("layers.1.")), REFUSED),
    ("a layer too many", "llama", hf(copied_layer), REFUSED),
    ("a norm is missing", "llama", hf(drop(L0 + "input_layernorm")), REFUSED),
    ("head dropped, though untied", "llama", hf(drop("lm_head")), REFUSED),
    ("tied head stored with other numbers", "tied", hf(lambda s: s.update({"lm_head.weight": s["model.embed_tokens.weight"] + 1})), REFUSED),
    ("padded vocabulary left in", "llama", hf(both(each("embed_tokens", padded), each("lm_head", padded))), REFUSED),
    ("matrix transposed", "llama", hf(each(L0 + "mlp.down_proj", lambda v: v.T.contiguous())), REFUSED),
    ("matrix as integers", "llama", hf(each(L0 + "mlp.down_proj", lambda v: (v * 100).to(torch.int32))), REFUSED),
    ("adapter left among the weights", "llama", hf(lambda s: s.update({L0 + "self_attn.q_proj.lora_A.weight": torch.ones(8, 48), L0 + "self_attn.q_proj.lora_B.weight": torch.ones(48, 8)})), REFUSED),
    ("biases missing in a layer", "qwen2", hf(drop(L0 + "self_attn.q_proj.bias")), REFUSED),
    ("norms of the heads missing", "qwen3", hf(drop("q_norm")), REFUSED),
    ("an expert is missing", "mixtral", hf(drop("layers.1.block_sparse_moe.experts.3.")), REFUSED),
    ("router missing", "mixtral", hf(drop("layers.1.block_sparse_moe.gate")), REFUSED),
    ("config of fewer layers", "llama", config(num_hidden_layers=1), REFUSED),
    ("config of more heads", "llama", config(num_key_value_heads=4), REFUSED),
    ("config of another width", "llama", config(intermediate_size=96), REFUSED),
    ("config of another vocabulary", "llama", config(vocab_size=64), REFUSED),
    ("config of another family", "qwen2", config(model_type="llama", architectures=["LlamaForCausalLM"]), REFUSED),
    ("config of more experts", "mixtral", config(num_local_experts=8), REFUSED),
    ("shard of another save", "llama", shards(other_shard), REFUSED),
    ("shard missing", "llama", shards(lambda folder: sorted(folder.glob("*.safetensors"))[1].unlink()), REFUSED),
    ("shard cut off", "llama", shards(truncated_shard), REFUSED),
    ("native: nothing", "llama", framework("native", lambda s: None), RIGHT),
    ("native: rows of another number of heads", "llama", framework("native", each("layers.0.attention.wk", lambda v: v[:12])), REFUSED),
    ("native: head dropped", "llama", framework("native", drop("output.weight")), REFUSED),
    ("torchtune: nothing, without rotary permutation", "qwen2", framework("torchtune", lambda s: None), RIGHT),
    ("Megatron: padded vocabulary left in", "llama", framework("megatron", both(each("word_embeddings", padded), each("output_layer", padded))), RIGHT),
    ("Megatron: padding of which a part is added words", "llama", with_tokenizer("megatron", 100, both(each("word_embeddings", padded), each("output_layer", padded))), REFUSED),
    ("Megatron: some padding left", "llama", framework("megatron", both(each("word_embeddings", lambda v: padded(v, 100)), each("output_layer", lambda v: padded(v, 100)))), RIGHT),
    ("Megatron: padding left in the embedding alone", "llama", framework("megatron", each("word_embeddings", lambda v: padded(v, 100))), RIGHT),
    ("Megatron: fewer rows than words", "llama", framework("megatron", both(each("word_embeddings", lambda v: v[:90]), each("output_layer", lambda v: v[:90]))), REFUSED),
    ("some padding left", "llama", hf(both(each("embed_tokens", lambda v: padded(v, 100)), each("lm_head", lambda v: padded(v, 100)))), REFUSED),
    ("DCP: two ranks", "llama", distributed(False), RIGHT),
    ("DCP: files of two ranks exchanged", "llama", distributed(True), REFUSED),
    ("Megatron: two ranks", "llama", ranks(False), RIGHT),
    ("Megatron: two ranks exchanged", "llama", ranks(True), REFUSED),
    ("Megatron: gate without up", "llama", framework("megatron", each("layers.0.mlp.linear_fc1.weight", lambda v: v[:len(v) // 2])), REFUSED),
    ("Megatron: a layer is missing", "llama", framework("megatron", drop("layers.0.")), REFUSED),
    ("LitGPT: a layer too many", "llama", framework("litgpt", copied_layer), REFUSED),
    ("adapter: halves exchanged", "llama", fold(QV, change=swapped), REFUSED),
    ("adapter: another rank in its settings", "llama", fold(QV, config={"r": 4}), REFUSED),
    ("adapter of a deeper base", "llama", fold(QV, change=lambda s: s.update({k.replace("layers.1.", "layers.7."): s.pop(k) for k in list(s) if "layers.1." in k})), REFUSED),
    ("merge with twice the alpha", "llama", merged(QV, scaled), REFUSED),
    ("merge without rotary permutation", "llama", merged(QV, unrotated), REFUSED),
    ("merge with gate and up exchanged", "llama", merged(MLP, exchanged("gate_proj", "up_proj")), REFUSED),
    ("merge of one layer into the other", "llama", merged(QV, exchanged("layers.0.self_attn.q", "layers.1.self_attn.q")), REFUSED),
    ("merge into another base", "llama", merged(QV, lambda s, b: s.update({k: v + 0.01 * torch.randn_like(v) for k, v in s.items()})), REFUSED),
    ("merge of half an adapter", "llama", merged(QV, lambda s, b: s.update({k: v for k, v in b.items() if "v_proj" in k})), REFUSED),
]


class WrongMerges(unittest.TestCase):
    def outcome(self, name: str, make) -> str:
        """Refused (and nothing is written), right (loads as the original), or what is wrong."""
        with temporary() as scratch:
            place = Place(Path(scratch), name)
            torch.manual_seed(5)
            command = make(place)
            answer = run(*command)
            if answer.code != 0:
                self.assertIn(answer.code, (1, 2, 3, 5), answer.said())  # 2: a shape or a number of layers that contradicts
                return REFUSED if not place.out.exists() else "refused, but written"
            if command[0] == "diff":
                return "explained"
            loaded, info = type(model(name)).from_pretrained(place.out, output_loading_info=True)
            wrong = {key: value for key, value in info.items() if value}
            state, found = model(name).state_dict(), loaded.state_dict()
            return str(wrong) if wrong else next((key for key in state if not torch.equal(found[key], state[key])), RIGHT)


    def test_what_cannot_be_known_is_not_ticked(self) -> None:
        """Ranks whose files have the same layout, and the order of rows, which names and shapes do not show."""
        with temporary() as scratch:
            place = Place(Path(scratch), "llama")
            state = {f"w{i}": torch.randn(8, 4) for i in range(3)}
            save_file(state, place.folder / "even.safetensors")
            folder = place.folder / "even"
            self.assertEqual(run("reshard", place.folder / "even.safetensors", "-o", folder, "--to", "dcp", "--ranks", "2").code, 0)
            exchange(folder)
            answer = run("consolidate", folder, "-o", place.out, "--bundle", "--json")
            self.assertEqual({each["item"]: each["state"] for each in answer.json["checklist"]}["shards"], "not checked")
        for make in (ranks(True, recorded=False), framework("native", lambda s: None)):
            with temporary() as scratch:
                command = [each for each in make(Place(Path(scratch), "llama")) if each not in ("--require", "loadable")]
                answer = run(*command, "--json")
                self.assertEqual(answer.code, 0, answer.said())
                self.assertEqual({each["item"]: each["state"] for each in answer.json["checklist"]}["order of rows"], "not checked")


def row(test: WrongMerges, name: str, make, wanted: str) -> None:
    test.assertEqual(test.outcome(name, make), wanted)


for number, (what, name, make, wanted) in enumerate(ROWS):
    def test(self, name=name, make=make, wanted=wanted) -> None:
        row(self, name, make, wanted)
    setattr(WrongMerges, f"test_{number:02}_{''.join(c if c.isalnum() else '_' for c in what)}", test)

if __name__ == "__main__":
    unittest.main()
