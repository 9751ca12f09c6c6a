# SPDX-License-Identifier: Apache-2.0
"""GPT-NeoX, the trainer: its files, written with torch in the layout that tools/ckpts/convert_neox_to_hf.py of EleutherAI/gpt-neox reads (there is no
package of it), become a bundle with the logits of the model that they were made from."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

import torch
import transformers
from transformers import GPTNeoXConfig, GPTNeoXForCausalLM

from support import run, temporary

LAYERS, HIDDEN, HEADS, VOCABULARY = 3, 32, 4, 96
SETTINGS = {"pipe-parallel-size": 1, "model-parallel-size": 1, "num-layers": LAYERS, "hidden-size": HIDDEN, "num-attention-heads": HEADS, "seq-length": 40,
            "max-position-embeddings": 40, "norm": "layernorm", "pos-emb": "rotary", "rotary-pct": 0.25, "no-weight-tying": True, "gpt-j-residual": True,
            "layernorm-epsilon": 1e-6, "fp16": {"enabled": True}}
ROWS = ("attention.dense.weight", "mlp.dense_4h_to_h.weight")
COLUMNS = ("attention.query_key_value", "mlp.dense_h_to_4h")


def made(**more) -> GPTNeoXForCausalLM:
    torch.manual_seed(3)
    config = GPTNeoXConfig(vocab_size=VOCABULARY, hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=4 * HIDDEN,
                           max_position_embeddings=40, rotary_pct=0.25, layer_norm_eps=1e-6, use_parallel_residual=True, tie_word_embeddings=False, **more)
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


def write(folder: Path, model: GPTNeoXForCausalLM, sequential: bool, ranks: int = 1, settings: dict | None = SETTINGS) -> Path:
    save = folder / "global_step5"
    save.mkdir(parents=True)
    parts = parts_of(model)
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

    def test_slices_are_not_joined(self) -> None:
        """Norms of several ranks are averaged and biases added up, which is not done: refused, as a whole and for one rank."""
        model = made()
        for sequential in (False, True):
            with self.subTest(sequential=sequential), temporary() as folder:
                source = write(Path(folder), model, sequential, 2, SETTINGS | {"model-parallel-size": 2})
                for path in (source, f"{source}#mp_rank_00", f"{source}#mp_rank_01"):
                    output = Path(folder) / "out"
                    answer = run("consolidate", path, "-o", output, "--bundle", "--json")
                    self.assertNotEqual(answer.code, 0, answer.said())
                    self.assertFalse(output.exists())


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    unittest.main()
