# SPDX-License-Identifier: Apache-2.0
"""`convert --for megatron` and back without megatron-core: what is stored follows the rules of its names and layout, comes back bit for bit,
and what cannot be converted is refused by name. megatron-core's own loader: test_resume_megatron.py."""

from __future__ import annotations

import json
import shutil
import unittest
import warnings
from pathlib import Path

import torch
import torch.distributed.checkpoint as dcp

from resumed_families import CONFIGS, DECAY, MASTERS, STEPS, Loop, ToMegatron, stored
from support import run, temporary


class Names(ToMegatron):
    def to_megatron(self, family: str, train=Loop.push) -> tuple[Loop, Path]:
        return super().to_megatron(family, train)

    def test_there_and_back(self) -> None:
        for family in CONFIGS:
            with self.subTest(family=family), temporary() as folder:
                self.folder = Path(folder)
                loop, output = self.to_megatron(family)
                self.assertEqual((output / "latest_checkpointed_iteration.txt").read_text(), str(STEPS))
                self.assertEqual(run("check", output, "--json").code, 0)
                answer, file = self.convert(output, "torch", *self.like(family))
                self.assertEqual(answer.code, 0, answer.said())
                again = Loop(family)
                again.load(file)
                self.same(again.tensors(), loop.tensors())

    def changed(self, family: str, change, *options: str, config=lambda fields: None, rule=None, optimizer=None):
        with temporary() as folder:
            self.folder = Path(folder)
            loop = Loop(family, rule) if rule else Loop(family)
            if optimizer:
                loop.optimizer = optimizer([{"params": [each for each in loop.model.named_parameters() if (each[1].dim() == 1) == plain],
                                             "weight_decay": 0.0 if plain else DECAY} for plain in (False, True)])
            loop.push(0, 2)
            source = loop.save(self.folder / "source")
            state = torch.load(source, weights_only=True)
            change(state, state["optimizer_state_dict"]["state"])
            torch.save(state, source)
            fields = json.loads((source.parent / "config.json").read_text())
            config(fields)
            (source.parent / "config.json").write_text(json.dumps(fields))
            answer, output = self.convert(source, "megatron", *options)
            return answer, output.exists()

    def test_refused(self) -> None:
        def cut(state, states):
            del states[next(number for number, each in states.items() if each["exp_avg"].shape == (32, 32))]["exp_avg"]

        def later(state, states):
            states[3]["step"] += 1

        def fewer(state, states):
            del states[1]

        def untied(state, states):
            state["model_state_dict"]["lm_head.weight"] = state["model_state_dict"]["lm_head.weight"] + 1

        def rates(state, states):
            state["optimizer_state_dict"]["param_groups"][1]["lr"] = 1.0

        keep = lambda state, states: None  # noqa: E731
        for text, family, change, config in (
                ("two moments", "llama", cut, None), ("different steps", "llama", later, None), ("joined", "llama", fewer, None),
                ("ties the head", "qwen2", untied, None), ("lr", "llama", rates, None), ("iteration", "llama", lambda state, _: state.pop("step"), None),
                ("both or neither", "llama_bias", keep, lambda fields: fields.update(mlp_bias=False)),
                ("model family", "llama", keep, lambda fields: fields.update(model_type="mixtral")),
                ("cannot be divided", "llama", keep, lambda fields: fields.update(num_key_value_heads=4))):
            with self.subTest(text=text):
                answer, exists = self.changed(family, change, **({"config": config} if config else {}))
                self.assertNotEqual(answer.code, 0)
                self.assertRegex(answer.errors, text)
                self.assertFalse(exists)

    def test_what_is_lost_is_named(self) -> None:
        def schedule(state, _):
            state["scheduler_state_dict"] = {"last_epoch": 2, "base_lrs": [0.1], "_step_count": 3}

        keep = lambda state, states: None  # noqa: E731
        for lost, change, rule in (("schedule", schedule, None), ("optimizer", keep, lambda name, parameter: "embed" not in name or True)):
            answer, exists = self.changed("llama", change, rule=rule)
            self.assertEqual(answer.code, 0, answer.said())
            self.assertTrue(exists)
            self.assertIn(lost, {each["id"] for each in answer.json["training_state"]["lost"]})
            answer, exists = self.changed("llama", change, "--require", "resumable", rule=rule)
            self.assertEqual((answer.code, exists), (1, False), answer.said())

    def test_other_optimizers_with_the_moments_of_adam(self) -> None:
        keep = lambda state, states: None  # noqa: E731
        for said, optimizer in (("as a part of the gradients", torch.optim.Adam), ("maximize", lambda groups: torch.optim.AdamW(groups, maximize=True)),
                                ("is not Adam", lambda groups: torch.optim.RAdam(groups, decoupled_weight_decay=True))):
            with self.subTest(said=said):
                answer, exists = self.changed("llama", keep, optimizer=optimizer)
                self.assertTrue(exists, answer.said())
                self.assertIn(said, str([each for each in answer.json["training_state"]["lost"] if each["id"] == "optimizer"]))
                answer, exists = self.changed("llama", keep, "--require", "resumable", optimizer=optimizer)
                self.assertEqual((answer.code, exists), (1, False), answer.said())

    def test_heads_and_buffers(self) -> None:
        """The optimizer lists a tied tensor as the head; an untied head is missing; masks and positions beside the parameters."""
        def as_head(state, _):
            for group in state["optimizer_state_dict"]["param_groups"]:
                group["param_names"] = ["lm_head.weight" if name == "model.embed_tokens.weight" else name for name in group["param_names"]]

        def headless(state, _):
            del state["model_state_dict"]["lm_head.weight"]

        def buffers(state, _):
            for layer in range(3):
                state["model_state_dict"] |= {f"transformer.h.{layer}.attn.bias": torch.ones(1, 1, 32, 32, dtype=torch.uint8),
                                              f"transformer.h.{layer}.attn.masked_bias": torch.tensor(-1e4)}

        def angles(state, _):
            state["model_state_dict"] |= {f"model.layers.{layer}.self_attn.rotary_emb.inv_freq": torch.ones(4) for layer in range(3)}

        for family, change in (("qwen2", as_head), ("gpt2", buffers), ("llama", angles)):
            with self.subTest(family=family), temporary() as folder:
                self.folder = Path(folder)
                loop = Loop(family)
                loop.push(0, STEPS)
                source = loop.save(self.folder / "source")
                state = torch.load(source, weights_only=True)
                change(state, None)
                torch.save(state, source)
                answer, output = self.convert(source, "megatron", "--require", "resumable")
                self.assertEqual(answer.code, 0, answer.said())
                self.expect(loop, output)
        loop = Loop("llama", frozen="lm_head")
        loop.push(0, STEPS)
        source = loop.save(self.folder / "headless")
        state = torch.load(source, weights_only=True)
        headless(state, None)
        torch.save(state, source)
        answer, output = self.convert(source, "megatron")
        self.assertNotEqual(answer.code, 0)
        self.assertIn("no head", answer.errors)
        self.assertFalse(output.exists())

    def test_frozen(self) -> None:
        """A frozen embedding or norm has no moments there, and none again; a frozen projection of three has nothing to be joined with."""
        for family, frozen, kept in (("llama", "embed_tokens", "word_embeddings"), ("llama", "model.norm", "final_layernorm"), ("gpt2", "wte", "word_embeddings")):
            with self.subTest(family=family, frozen=frozen), temporary() as folder:
                self.folder = Path(folder)
                loop = Loop(family, frozen=frozen)
                loop.push(0, STEPS)
                source = loop.save(self.folder / "source")
                answer, output = self.convert(source, "megatron")
                self.assertEqual(answer.code, 0, answer.said())
                self.assertIn("moments", {each["id"] for each in answer.json["training_state"]["lost"]})
                self.assertEqual([name for name in stored(output) if kept in name and "optimizer" in name], [])
                self.assertEqual(run("convert", source, "--for", "megatron", "-o", self.folder / "none", "--require", "resumable").code, 1)
                answer, file = self.convert(output, "torch")
                self.assertEqual(answer.code, 0, answer.said())
                again = Loop(family, frozen=frozen)
                again.load(file)
                self.same(again.tensors(), loop.tensors())
                self.assertIn("moments", {each["id"] for each in answer.json["training_state"]["lost"]})
        for name in ("k_proj", "layers.0.input_layernorm", "layers.2.input_layernorm"):
            loop = Loop("llama", frozen=name)
            loop.push(0, STEPS)
            answer = run("convert", loop.save(self.folder / name), "--for", "megatron", "-o", self.folder / f"out-{name}")
            self.assertNotEqual(answer.code, 0, name)
            self.assertFalse((self.folder / f"out-{name}").exists())

    def test_like_and_ranks(self) -> None:
        """The config of another folder; the same bytes twice; one file or three."""
        loop = Loop("llama")
        loop.push(0, STEPS)
        source = loop.save(self.folder / "source")
        (self.folder / "like").mkdir()
        shutil.move(self.folder / "source" / "config.json", self.folder / "like" / "config.json")
        answer, output = self.convert(source, "megatron")
        self.assertIn("--like", answer.errors)
        self.assertFalse(output.exists())
        answer, output = self.convert(source, "megatron", "--like", str(self.folder / "like"), "--ranks", "3")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual(len(list(output.glob("iter_0000004/*.distcp"))), 3)
        self.expect(loop, output)
        common = torch.load(output / "iter_0000004" / "common.pt", weights_only=False)
        self.assertEqual((common["iteration"], common["args"].num_layers, common["args"].num_query_groups, common["args"].untie_embeddings_and_output_weights),
                         (STEPS, 3, 2, True))
        self.assertEqual(run("convert", output, "--for", "megatron", "-o", self.folder / "again").code, 3)

    def stored_again(self, family: str, change, *options: str):
        """A training that went to Megatron-core's form and was changed there, as a loop's file."""
        loop, output = self.to_megatron(family)
        tensors = stored(output)
        place = next(output.glob("iter_*"))
        common = torch.load(place / "common.pt", weights_only=False)
        change(tensors, common)
        other = self.folder / "other" / place.name
        other.mkdir(parents=True)
        with warnings.catch_warnings(action="ignore"):
            dcp.save(tensors, checkpoint_id=other, planner=dcp.DefaultSavePlanner(flatten_state_dict=False, flatten_sharded_tensors=False), no_dist=True)
        torch.save(common, other / "common.pt")
        shutil.copy(place / "metadata.json", other)
        answer, file = self.convert(self.folder / "other", "torch", *self.like(family), *options)
        return loop, answer, file

    def test_a_vocabulary_before_padding(self) -> None:
        """Its size is in no config and in no args: all rows are kept, which is said, and refused where all must resume."""
        def padded(tensors, common):
            del common["args"].vocab_size
            shutil.rmtree(self.folder / "source")

        for options, code in (((), 0), (("--require", "resumable"), 1)):
            with self.subTest(options=options), temporary() as folder:
                self.folder = Path(folder)
                _, answer, file = self.stored_again("llama", padded, *options)
                self.assertEqual((answer.code, file.exists()), (code, code == 0), answer.said())
                self.assertIn("before padding", str(answer.json["training_state"]["lost"]) if code == 0 else answer.errors)

    def test_another_config(self) -> None:
        """Heads that are not those of the args would cut projections elsewhere."""
        loop, output = self.to_megatron("llama")
        config = json.loads((self.folder / "source" / "config.json").read_text())
        (self.folder / "like").mkdir()
        (self.folder / "like" / "config.json").write_text(json.dumps(config | {"num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 4}))
        for verb in (("--for", "torch"), ("--names", "hf")):
            answer = run("convert", output, *verb, "-o", self.folder / "none", "--like", self.folder / "like")
            self.assertNotEqual(answer.code, 0)
            self.assertIn("contradicts", answer.errors)

    def test_forms_of_megatron(self) -> None:
        """16-bit parameters with masters, one tensor per layer, gate and up apart, a padded vocabulary: the same state."""
        def short(tensors, common):
            for name in [name for name in tensors if "optimizer" not in name]:
                tensors[name] = tensors[name].bfloat16()
            common["optimizer"] = {"optimizer": {key: common["optimizer"][key] for key in ("state", "param_groups")}}

        def layers(tensors, common):
            for name in [name for name in tensors if "decoder.layers." in name]:
                for number, part in enumerate(tensors.pop(name)):
                    own = name.replace("decoder.layers.", f"decoder.layers.{number}.")
                    gated = ("linear_fc1.weight", "linear_fc1.bias") if common["args"].swiglu else ()
                    tensors |= {f"{own}_w": part.chunk(2)[0], f"{own}_v": part.chunk(2)[1]} if name.endswith(gated) and gated else {own: part}

        def padded(tensors, _):
            for name in [name for name in tensors if "word_embeddings" in name or "output_layer" in name]:
                tensors[name] = torch.cat([tensors[name], torch.full((8, 32), 5.0)])

        for family in CONFIGS:
            for change in (short, layers, padded):
                with self.subTest(family=family, change=change.__name__), temporary() as folder:
                    self.folder = Path(folder)
                    loop, answer, file = self.stored_again(family, change)
                    self.assertEqual(answer.code, 0, answer.said())
                    again = Loop(family)
                    again.load(file)
                    self.same(again.tensors(), loop.tensors())

    def test_folders_of_ranks_are_refused(self) -> None:
        """Each rank has an optimizer of its own slices, which no loop has."""
        data = Path(__file__).parent.parent / "data" / "megatron"
        for source, trainers in (("small", ("torch", "accelerate", "megatron")), ("small_moe", ("fsdp2",)), ("zarr", ("megatron",))):
            for trainer in trainers:
                with self.subTest(source=source, trainer=trainer):
                    answer = run("convert", data / source, "--for", trainer, "-o", self.folder / "none", "--force")
                    self.assertEqual(answer.code, 3, answer.said())
                    self.assertIn("--ckpt-convert-save", answer.errors)
                    self.assertFalse((self.folder / "none").exists())
        abilities = run("info", data / "small", "--json").json["abilities"]
        self.assertEqual([abilities[each]["can"] for each in ("resume", "resume_elsewhere")], [True, False])

    def test_folders_of_ranks_without_an_optimizer(self) -> None:
        source = self.folder / "bare"
        shutil.copytree(Path(__file__).parent.parent / "data" / "megatron" / "small", source)
        for path in source.glob("*/model_optim_rng.pt"):
            saved = torch.load(path, weights_only=False)  # a file of this repository
            del saved["optimizer"]
            torch.save(saved, path)
        for trainer in ("torch", "megatron"):
            with self.subTest(trainer=trainer):
                answer = run("convert", source, "--for", trainer, "-o", self.folder / "none", "--force")
                self.assertEqual(answer.code, 3, answer.said())
                self.assertIn("no state of a torch optimizer", answer.errors)
                self.assertNotIn("--ckpt-convert-save", answer.errors)

    def test_states_of_megatron_that_are_refused(self) -> None:
        def without(end):
            return lambda tensors, _: [tensors.pop(name) for name in list(tensors) if name.endswith(end)]

        def buckets(tensors, _):
            for name in [name for name in tensors if name.startswith("optimizer.state.exp")]:
                del tensors[name]
            tensors["optimizer.distributed.dp_group_idx_0.gbuf_idx_0.dtype_f.exp_avg"] = torch.ones(5)

        def group(key, value):
            return lambda tensors, common: common["optimizer"]["optimizer"]["param_groups"][0].update({key: value})

        for text, change in (
                ("two moments", without("exp_avg_sq.decoder.layers.mlp.linear_fc2.weight")), ("group", group("is_decoupled_lr", True)),
                ("group", group("lr_mult", 2.0)), ("group", group("wd_mult", 0.5)), ("steps", group("step", 3)),
                ("torch optimizer|moments|buckets", buckets), ("iteration", lambda _, common: common.pop("iteration")),
                ("settings|config", lambda _, common: common.pop("args")),
                ("shape", lambda tensors, _: tensors.update({f"{master}decoder.final_layernorm.weight": torch.ones(31) for master in MASTERS})),
                ("two masters", lambda tensors, _: tensors.update({"optimizer.state.param.decoder.final_layernorm.weight": torch.ones(32)})),
                ("master has no parameter", lambda tensors, _: tensors.update({"optimizer.state.param.decoder.extra.weight": torch.ones(32)})),
                ("Adam", lambda tensors, _: tensors.update({"optimizer.optimizer.state.exp_avg.decoder.final_layernorm.weight": torch.ones(32)})),
                ("No rule", lambda tensors, _: tensors.update({"optimizer_1.seen": torch.ones(3)})),
                ("learning rate", lambda _, common: [group.pop("lr") for group in common["optimizer"]["optimizer"]["param_groups"]]),
                ("Adam", lambda tensors, _: tensors.update({"optimizer.state.momentum_buffer.decoder.final_layernorm.weight": torch.ones(32)}))):
            with self.subTest(text=text), temporary() as folder:
                self.folder = Path(folder)
                _, answer, file = self.stored_again("llama", change)
                self.assertNotEqual(answer.code, 0)
                self.assertRegex(answer.errors, text)
                self.assertFalse(file.exists())


if __name__ == "__main__":
    unittest.main()
