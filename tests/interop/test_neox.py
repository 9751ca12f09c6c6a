# SPDX-License-Identifier: Apache-2.0
"""GPT-NeoX, the trainer: its files, written with torch in the layout that tools/ckpts/convert_neox_to_hf.py of EleutherAI/gpt-neox reads (there is no
package of it), become a bundle with the logits of the model that they were made from."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import GPTNeoXConfig, GPTNeoXForCausalLM, LlamaConfig, LlamaForCausalLM

from support import run, temporary

LAYERS, HIDDEN, HEADS, VOCABULARY = 3, 32, 4, 96
SETTINGS = {"pipe-parallel-size": 1, "model-parallel-size": 1, "num-layers": LAYERS, "hidden-size": HIDDEN, "num-attention-heads": HEADS, "seq-length": 40,
            "max-position-embeddings": 40, "norm": "layernorm", "pos-emb": "rotary", "rotary-pct": 0.25, "no-weight-tying": True, "gpt-j-residual": True,
            "layernorm-epsilon": 1e-6, "fp16": {"enabled": True}}
ROWS = ("attention.dense.weight", "mlp.dense_4h_to_h.weight")
COLUMNS = ("attention.query_key_value", "mlp.dense_h_to_4h")


def made(heads: int = HEADS) -> GPTNeoXForCausalLM:
    torch.manual_seed(3)
    hidden = HIDDEN // HEADS * heads
    config = GPTNeoXConfig(vocab_size=VOCABULARY, hidden_size=hidden, num_hidden_layers=LAYERS, num_attention_heads=heads, intermediate_size=4 * hidden,
                           max_position_embeddings=40, rotary_pct=0.25, layer_norm_eps=1e-6, use_parallel_residual=True, tie_word_embeddings=False)
    model = GPTNeoXForCausalLM(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.2 + (1 if parameter.dim() == 1 else 0))
    return model


def parts_of(model: GPTNeoXForCausalLM) -> dict[int, dict[str, torch.Tensor]]:
    """The tensors by the numbers of the pipeline's layers: the embedding, one without parameters, the layers, another one, the norm and the head."""
    parts = {0: {"word_embeddings.weight": model.gpt_neox.embed_in.weight}}
    for i, layer in enumerate(model.gpt_neox.layers):
        parts[i + 2] = {name: tensor for name, tensor in layer.state_dict().items()} | {"attention.rotary_emb.inv_freq": torch.ones(4)}
    parts[LAYERS + 3] = {"norm." + name: tensor for name, tensor in model.gpt_neox.final_layer_norm.state_dict().items()}
    parts[LAYERS + 4] = {"final_linear.weight": model.lm_head.weight}
    return {number: {name: tensor.detach().clone() for name, tensor in part.items()} for number, part in parts.items()}


def cut(name: str, tensor: torch.Tensor, rank: int, ranks: int) -> torch.Tensor:
    """A rank's slice, so that the converter's result is the whole again: biases of rows are added up there."""
    if name in ROWS:
        return tensor.chunk(ranks, 1)[rank].clone()
    if name.startswith(COLUMNS) or name in ("word_embeddings.weight", "final_linear.weight"):
        return tensor.chunk(ranks, 0)[rank].clone()
    return tensor / ranks if name in ("attention.dense.bias", "mlp.dense_4h_to_h.bias") else tensor


def drifted(name: str, tensor: torch.Tensor, rank: int, ranks: int) -> torch.Tensor:
    """Slices as training leaves them: norms and biases of rows differ between the ranks."""
    made = cut(name, tensor, rank, ranks)
    if made.dim() == 1 and made.shape == tensor.shape:
        made = (made.float() + torch.randn(made.shape, generator=torch.Generator().manual_seed(rank)) * 0.3).to(tensor.dtype)
    return made


def write(folder: Path, model: torch.nn.Module, sequential: bool, ranks: int = 1, settings: dict | None = SETTINGS, cut=cut, parts=None) -> Path:
    save = folder / "global_step5"
    save.mkdir(parents=True)
    parts = parts or parts_of(model)
    for rank in range(ranks):
        state = {"dp_world_size": 1, "mp_world_size": ranks, "global_steps": 5, "iteration": 5, "optimizer": None, "lr_scheduler": None, "module": None,
                 "args": {"num_layers": LAYERS, "hidden_size": HIDDEN, "num_attention_heads": HEADS, "padded_vocab_size": VOCABULARY}}
        if sequential:
            state["module"] = {f"sequential.{number}.{name}": cut(name, tensor, rank, ranks) for number, part in parts.items() for name, tensor in part.items()}
        else:
            for number, part in parts.items():
                torch.save({name: cut(name, tensor, rank, ranks) for name, tensor in part.items()},
                           save / f"layer_{number:02}-model_{rank:02}-model_states.pt")
        torch.save(state, save / f"mp_rank_{rank:02}_model_states.pt")
    (folder / "latest").write_text("global_step5")
    if settings is not None:
        (save / "configs").mkdir()
        text = "# settings\n{" + ", ".join(f'"{key}": {json.dumps(value)}' for key, value in settings.items()) + "}\n"
        (save / "configs" / "tiny.yml").write_text(text)
    return save


class NeoX(unittest.TestCase):
    def bundle(self, source: Path, *options: object):
        output = source.parent / "out"
        return output, run("consolidate", source, "-o", output, "--bundle", "--json", *options)

    def same(self, model: GPTNeoXForCausalLM, output: Path) -> None:
        loaded, info = GPTNeoXForCausalLM.from_pretrained(output, output_loading_info=True)
        self.assertFalse(any(info.values()), info)
        ids = torch.arange(24).reshape(2, 12) * 7 % VOCABULARY
        with torch.no_grad():
            self.assertTrue(torch.equal(loaded(ids).logits, model(ids).logits))
        for field in ("rotary_pct", "layer_norm_eps", "use_parallel_residual", "tie_word_embeddings", "max_position_embeddings", "intermediate_size"):
            self.assertEqual(getattr(loaded.config, field, None), getattr(model.config, field, None), field)

    def test_pipeline_and_sequential(self) -> None:
        model = made()
        for sequential in (False, True):
            with self.subTest(sequential=sequential), temporary() as folder:
                source = write(Path(folder), model, sequential)
                output, answer = self.bundle(source)
                self.assertEqual(answer.code, 0, answer.said())
                self.same(model, output)
                plan = run("plan", "consolidate", source, "-o", Path(folder) / "planned", "--bundle", "--json").json
                said = next(each["value"] for each in plan["decisions"] if each["what"] == "config.json")
                self.assertIn("rotary_pct from configs (rotary_pct)", said)
                self.assertIn("vocab_size from configs (embedding_rows)", said)

    def test_a_given_config(self) -> None:
        model = made()
        with temporary() as folder:
            source = write(Path(folder), model, False, settings=None)
            output, answer = self.bundle(source)
            self.assertNotEqual(answer.code, 0)
            self.assertIn("settings", answer.said())
            model.save_pretrained(Path(folder) / "like")
            output, answer = self.bundle(source, "--like", Path(folder) / "like")
            self.assertEqual(answer.code, 0, answer.said())
            self.same(model, output)

    def test_what_transformers_cannot_express_is_refused(self) -> None:
        model = made()
        for field, value in (("gpt-j-tied", True), ("gpt_j_tied", True), ("pos-emb", "alibi"), ("norm", "rmsnorm"), ("activation", "relu"), ("num-kv-heads", 2),
                             ("hidden-size", 48), ("num-layers", 4), ("num-attention-heads", 5)):
            with self.subTest(field=field), temporary() as folder:
                output, answer = self.bundle(write(Path(folder), model, False, settings=SETTINGS | {field: value}))
                self.assertNotEqual(answer.code, 0)
                self.assertFalse(output.exists())

    def joined(self, save: Path, ranks: int, sequential: bool) -> dict[str, torch.Tensor]:
        """What convert_neox_to_hf.py makes of these files, with its expressions, under the trainer's names."""
        def load(name):
            return [torch.load(save / name.format(rank), weights_only=True) for rank in range(ranks)]

        if sequential:
            files = {"": [state["module"] for state in load("mp_rank_{:02}_model_states.pt")]}
        else:
            numbers = sorted({path.name[6:8] for path in save.glob("layer_*")})
            files = {f"{int(number)}.": load(f"layer_{number}-model_{{:02}}-model_states.pt") for number in numbers}
        made = {}
        for start, slices in files.items():
            for name in slices[0]:
                values = [each[name] for each in slices]
                whole = start + name.removeprefix("sequential.")
                if whole.endswith(ROWS):
                    made[whole] = torch.cat(values, dim=1)
                elif whole.endswith(("attention.dense.bias", "mlp.dense_4h_to_h.bias")):
                    made[whole] = sum(values)
                elif "norm." in whole:
                    made[whole] = sum(values) / len(values)
                else:
                    made[whole] = torch.cat(values, dim=0)
        return made

    def test_slices(self) -> None:
        """Replicated norms and biases that add up exactly: the model that was cut."""
        model = made()
        for ranks, sequential in ((2, False), (2, True), (4, False), (4, True)):
            with self.subTest(ranks=ranks, sequential=sequential), temporary() as folder:
                source = write(Path(folder), model, sequential, ranks, SETTINGS | {"model-parallel-size": ranks})
                output, answer = self.bundle(source)
                self.assertEqual(answer.code, 0, answer.said())
                self.same(model, output)
                self.assertEqual(run("verify", source, output, "--json").json["verified"], True)

    def test_sums_are_those_of_the_converter(self) -> None:
        """Norms and biases that differ between the ranks, in the dtype and the order of additions of convert_neox_to_hf.py: bit for bit."""
        for dtype in (torch.float16, torch.bfloat16, torch.float32):
            model = made().to(dtype)
            for ranks, sequential in ((2, True), (3, False), (4, False)):
                with self.subTest(dtype=dtype, ranks=ranks), temporary() as folder:
                    model_ = model if ranks != 3 else made(heads=6).to(dtype)
                    settings = SETTINGS | {"model-parallel-size": ranks, "num-attention-heads": 6 if ranks == 3 else HEADS, "hidden-size": 48 if ranks == 3 else HIDDEN}
                    source = write(Path(folder), model_, sequential, ranks, settings, drifted)
                    output, answer = self.bundle(source)
                    self.assertEqual(answer.code, 0, answer.said())
                    saved = load_file(output / "model.safetensors")
                    wanted = self.joined(source, ranks, sequential)
                    for i in range(LAYERS):
                        for name in ("input_layernorm.weight", "post_attention_layernorm.bias", "attention.dense.bias", "mlp.dense_4h_to_h.bias",
                                     "attention.dense.weight", "mlp.dense_4h_to_h.weight", "attention.query_key_value.weight", "mlp.dense_h_to_4h.bias"):
                            self.equal(saved[f"gpt_neox.layers.{i}.{name}"], wanted[f"{i + 2}.{name}"], name)
                    self.equal(saved["gpt_neox.final_layer_norm.weight"], wanted[f"{LAYERS + 3}.norm.weight"], "norm")
                    self.equal(saved["embed_out.weight"], wanted[f"{LAYERS + 4}.final_linear.weight"], "head")
                    self.assertEqual(run("verify", source, output, "--json").json["verified"], True)
                    self.spoiled(source, output)

    def spoiled(self, source: Path, output: Path) -> None:
        """verify SRC OUT computes averages again: a changed bit of one is found."""
        tensors = load_file(output / "model.safetensors")
        changed = tensors["gpt_neox.final_layer_norm.bias"]
        changed.view(torch.int16)[0] ^= 1
        (output / "model.safetensors").unlink()
        save_file(tensors, output / "model.safetensors", {"format": "pt"})
        answer = run("verify", source, output, "--json")
        self.assertEqual(answer.code, 1)
        self.assertIn("gpt_neox.final_layer_norm.bias", json.dumps(answer.json["mismatches"]))

    def equal(self, a: torch.Tensor, b: torch.Tensor, name: str) -> None:
        self.assertEqual((a.dtype, a.shape), (b.dtype, b.shape), name)
        size = torch.int32 if a.dtype == torch.float32 else torch.int16
        self.assertTrue(torch.equal(a.contiguous().view(size), b.contiguous().view(size)), name)

    def test_llama(self) -> None:
        """Its two forms of names, shared and unshared keys: the trainer's own order of rows (megatron/model/transformer.py)."""
        for shared, new in ((2, True), (2, False), (4, True)):
            torch.manual_seed(5)
            config = LlamaConfig(vocab_size=VOCABULARY, hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=HEADS, num_key_value_heads=shared,
                                 intermediate_size=64, max_position_embeddings=40, rms_norm_eps=1e-5, rope_theta=20000.0, tie_word_embeddings=False)
            model = LlamaForCausalLM(config).eval()
            with torch.no_grad():
                for parameter in model.parameters():
                    parameter.copy_(torch.randn_like(parameter) * 0.2 + (1 if parameter.dim() == 1 else 0))
            settings = {key: value for key, value in SETTINGS.items() if key not in ("layernorm-epsilon", "rotary-pct", "gpt-j-residual")} | {
                "norm": "rmsnorm", "rms-norm-epsilon": 1e-5, "num-kv-heads": shared, "activation": "swiglu" if new else "silu", "rotary-emb-base": 20000}
            for ranks, sequential in ((1, True), (2, False), (2, True)):
                with self.subTest(shared=shared, new=new, ranks=ranks, sequential=sequential), temporary() as folder:
                    source = write(Path(folder), model, sequential, ranks, settings | {"model-parallel-size": ranks}, lambda name, tensor, rank, ranks: tensor[rank],
                                   llama_parts(model, ranks, new))
                    output, answer = self.bundle(source)
                    self.assertEqual(answer.code, 0, answer.said())
                    loaded, info = LlamaForCausalLM.from_pretrained(output, output_loading_info=True)
                    self.assertFalse(any(info.values()), info)
                    ids = torch.arange(24).reshape(2, 12) * 7 % VOCABULARY
                    with torch.no_grad():
                        self.assertTrue(torch.equal(loaded(ids).logits, model(ids).logits))
                    self.assertEqual(run("verify", source, output, "--json").json["verified"], True)

    def test_padded_vocabulary(self) -> None:
        """All rows without a config, as the converter does; those of the config with one."""
        model = made()
        with temporary() as folder:
            source = write(Path(folder), model, False, 2, SETTINGS | {"model-parallel-size": 2})
            model.config.vocab_size = VOCABULARY - 6
            model.save_pretrained(Path(folder) / "like")
            output, answer = self.bundle(source, "--like", Path(folder) / "like")
            self.assertEqual(answer.code, 0, answer.said())
            saved = load_file(output / "model.safetensors")
            self.assertTrue(torch.equal(saved["gpt_neox.embed_in.weight"], model.gpt_neox.embed_in.weight[: VOCABULARY - 6]))
            self.assertTrue(torch.equal(saved["embed_out.weight"], model.lm_head.weight[: VOCABULARY - 6]))

    def refused(self, source: object, text: str, *options: object) -> None:
        output = Path(str(source).partition("#")[0]).parent / "refused"
        answer = run("consolidate", source, "-o", output, "--bundle", "--json", *options)
        self.assertNotEqual(answer.code, 0, answer.said())
        self.assertIn(text, answer.said())
        self.assertFalse(output.exists())

    def test_incomplete_slices_are_refused(self) -> None:
        model = made()
        settings = SETTINGS | {"model-parallel-size": 2}
        for sequential in (False, True):
            with self.subTest(sequential=sequential), temporary() as folder:
                source = write(Path(folder), model, sequential, 2, settings)
                for path in (f"{source}#mp_rank_00", f"{source}#mp_rank_01"):
                    self.refused(path, "rank" if path.endswith("1") else "slices contradicts the settings")
        with temporary() as folder:  # a rank, one file of it, and fewer than the settings say
            source = write(Path(folder), model, False, 2, settings)
            for path in source.glob("layer_*-model_01-*"):
                path.unlink()
            self.refused(source, "slices contradicts the settings")
        with temporary() as folder:
            source = write(Path(folder), model, False, 2, settings)
            (source / "layer_03-model_01-model_states.pt").unlink()
            self.refused(source, "3.attention.dense.bias")
        with temporary() as folder:
            self.refused(write(Path(folder), model, True, 2, SETTINGS | {"model-parallel-size": 4}), "slices contradicts the settings")

    def test_uneven_slices_are_refused(self) -> None:
        def uneven(name, tensor, rank, ranks):
            if name == "word_embeddings.weight":
                return tensor[:40] if rank == 0 else tensor[40:]
            return cut(name, tensor, rank, ranks)

        def mixed(name, tensor, rank, ranks):
            made = cut(name, tensor, rank, ranks)
            return made.half() if rank == 1 and name == "norm.weight" else made

        def short(name, tensor, rank, ranks):
            made = cut(name, tensor, rank, ranks)
            return made[:-1].clone() if rank == 1 and name == "input_layernorm.bias" else made

        model = made()
        for cutting, text in ((uneven, "word_embeddings"), (mixed, "norm.weight"), (short, "input_layernorm.bias")):
            with self.subTest(text), temporary() as folder:
                self.refused(write(Path(folder), model, True, 2, SETTINGS | {"model-parallel-size": 2}, cutting), text)

    def test_ranks_of_two_steps_are_refused(self) -> None:
        model = made()
        with temporary() as folder:
            source = write(Path(folder), model, True, 2, SETTINGS | {"model-parallel-size": 2})
            state = torch.load(source / "mp_rank_01_model_states.pt", weights_only=True)
            torch.save(state | {"global_steps": 6}, source / "mp_rank_01_model_states.pt")
            self.refused(source, "step")


def llama_parts(model: LlamaForCausalLM, ranks: int, new: bool) -> dict[int, dict[str, list[torch.Tensor]]]:
    """The slices of a Llama by the numbers of the pipeline's layers, as the trainer reads them."""
    heads, shared = model.config.num_attention_heads, model.config.num_key_value_heads

    def rows(tensor):
        return list(tensor.chunk(ranks, 0))

    def columns(tensor):
        return list(tensor.chunk(ranks, 1))

    parts = {0: {"word_embeddings.weight": rows(model.model.embed_tokens.weight)}}
    for i, layer in enumerate(model.model.layers):
        q, k, v = (getattr(layer.self_attn, name + "_proj").weight for name in "qkv")
        if heads == shared:  # three for each head
            qkv = rows(torch.stack([each.unflatten(0, (heads, -1)) for each in (q, k, v)], 1).flatten(0, 2))
        else:
            qkv = [torch.cat(each) for each in zip(rows(q), rows(k), rows(v))]
        gate, up, down = rows(layer.mlp.gate_proj.weight), rows(layer.mlp.up_proj.weight), columns(layer.mlp.down_proj.weight)
        mlp = {"mlp.linear1.weight": [torch.cat(each) for each in zip(up, gate)], "mlp.linear2.weight": down} if new else {
            "mlp.w1.weight": gate, "mlp.w3.weight": up, "mlp.w2.weight": down}
        parts[i + 2] = mlp | {"attention.query_key_value.weight": qkv, "attention.dense.weight": columns(layer.self_attn.o_proj.weight),
                              "input_layernorm.scale": [layer.input_layernorm.weight] * ranks,
                              "post_attention_layernorm.scale": [layer.post_attention_layernorm.weight] * ranks}
    count = len(model.model.layers)
    parts[count + 3] = {"norm.scale": [model.model.norm.weight] * ranks}
    parts[count + 4] = {"final_linear.weight": rows(model.lm_head.weight)}
    return {number: {name: [each.detach().clone() for each in slices] for name, slices in part.items()} for number, part in parts.items()}


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    unittest.main()
