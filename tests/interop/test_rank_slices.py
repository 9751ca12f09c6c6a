# SPDX-License-Identifier: Apache-2.0
"""Files of tensor-parallel ranks that do not record how their tensors were cut, under every naming scheme: a job gives the model bit by bit, or
is refused. The oracle is the model from which transformers' own plan of tensor parallelism (base_model_tp_plan) made the slices."""

from __future__ import annotations

import fnmatch
import json
import shutil
import unittest
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM

from support import run, temporary

# {r}: the number of the rank. The names state that a file is one of several.
STATED = ("model{r}-mp2.safetensors", "consolidated.0{r}.safetensors", "consolidated.0{r}.pth", "model_rank_{r}.pt", "rank{r}.safetensors",
          "rank_{r}.safetensors", "tp_rank_{r}.pt", "tp{r}.safetensors", "shard_{r}.pt", "model_tp{r}.pt", "checkpoint_rank{r}.pt",
          "checkpoint-shard{r}.pt", "mp_rank_0{r}.pt", "pytorch_model_tp_0{r}.bin", "model-rank-{r}-part-0.safetensors", "model.rank{r}.pt",
          "weights_tp2_rank{r}.safetensors", "part-{r}.safetensors", "reshard-model_part-{r}.pt", "layer0_rank{r}.pt", "ckpt_dp{r}_tp0_pp0.pt",
          "rank-{r}-of-2.safetensors", "model_tp_{r}_of_2.safetensors", "pt_model_{r}_of_2.pt")
PLAIN = ("{r}.pt", "model_{r}.pt", "model.{r}.pt")  # of steps, too
SIZES = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16,
         "vocab_size": 128, "max_position_embeddings": 64, "tie_word_embeddings": False}


def model_of(kind: str, **changes: object) -> torch.nn.Module:
    torch.manual_seed(3)
    model = AutoModelForCausalLM.from_config(AutoConfig.for_model(kind, **(SIZES | changes)))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.uniform_(-1, 1)
    return model


def planned_dim(model: torch.nn.Module, name: str) -> int | None:
    """The dimension in which transformers cuts a parameter."""
    if name == "lm_head.weight":
        return 0
    plan = (model.config.base_model_tp_plan or {}) | {"embed_tokens": "embedding_rowwise"}
    module, kind = name.removeprefix("model.").rsplit(".", 1)
    for pattern, style in plan.items():
        if fnmatch.fnmatch(module, pattern):
            if style.startswith("colwise") or style == "embedding_rowwise":
                return 0
            return 1 if style.startswith("rowwise") and kind == "weight" else None
    return None


def slice_of(model: torch.nn.Module, rank: int, ranks: int) -> dict[str, torch.Tensor]:
    made = {}
    for name, tensor in model.state_dict().items():
        dim = planned_dim(model, name)
        made[name] = (tensor if dim is None else tensor.chunk(ranks, dim)[rank]).clone().contiguous()
    return made


def write(folder: Path, scheme: str, states: list[dict[str, torch.Tensor]]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / scheme.replace("{r}", str(rank)) for rank in range(len(states))]
    for path, state in zip(paths, states):
        if path.suffix == ".safetensors":
            save_file(state, path, metadata={"format": "pt"})
        else:
            torch.save(state, path)
    return paths


def vllm_experts(published: dict[str, torch.Tensor], rank: int, ranks: int) -> dict[str, torch.Tensor]:
    """As FusedMoE keeps the experts of a layer (fused_moe/layer.py, _load_w13 and _load_w2): w1 in the first half of the rows of w13, w3 in
    the second, each cut in rows, and w2 cut in columns."""
    made = {}
    for name in [name for name in published if ".experts.0." in name]:
        module, part = name.rsplit(".0.", 1)
        experts = [published[f"{module}.{number}.{part}"] for number in range(sum(each.startswith(module) and each.endswith(part) for each in published))]
        if part in ("gate_proj.weight", "w1.weight"):
            up = {"gate_proj.weight": "up_proj.weight", "w1.weight": "w3.weight"}[part]
            rows = experts[0].shape[0] // ranks
            made[module + ".w13_weight"] = torch.stack([torch.cat([published[f"{module}.{number}.{each}"].narrow(0, rank * rows, rows) for each in (part, up)])
                                                        for number in range(len(experts))])
        elif part in ("down_proj.weight", "w2.weight"):
            columns = experts[0].shape[1] // ranks
            made[module + ".w2_weight"] = torch.stack([each.narrow(1, rank * columns, columns) for each in experts])
    return made


def vllm_state(model: torch.nn.Module, rank: int, ranks: int, padding: int = 64, published: dict[str, torch.Tensor] | None = None) -> dict[str, torch.Tensor]:
    """As vLLM's layers keep a Llama: QKVParallelLinear and MergedColumnParallelLinear hold a rank's rows of each part behind each other (of keys
    and values a complete head, where there are fewer than ranks), and VocabParallelEmbedding pads the vocabulary to a multiple of 64."""
    cut = slice_of(model, rank, ranks)
    config = model.config
    if (heads := config.num_key_value_heads) < ranks:
        for name in [name for name in cut if ".k_proj." in name or ".v_proj." in name]:
            cut[name] = model.state_dict()[name].chunk(heads)[rank // (ranks // heads)].clone()
    if published:
        cut = {name: tensor for name, tensor in cut.items() if ".experts" not in name and not name.endswith("mlp.gate.weight")}
        cut |= vllm_experts(published, rank, ranks) | {name: tensor for name, tensor in published.items() if name.endswith(("mlp.gate.weight", "moe.gate.weight"))}
    for name in [name for name in cut if ".q_proj." in name or ".gate_proj." in name]:
        old, new, parts = ((".q_proj.", ".qkv_proj.", (".q_proj.", ".k_proj.", ".v_proj.")) if ".q_proj." in name else
                           (".gate_proj.", ".gate_up_proj.", (".gate_proj.", ".up_proj.")))
        cut[name.replace(old, new)] = torch.cat([cut.pop(name.replace(old, part)) for part in parts])
    for name in ("model.embed_tokens.weight", "lm_head.weight"):
        whole = model.state_dict()[name]
        rows = -(-whole.shape[0] // padding) * padding
        padded = torch.cat([whole, torch.zeros(rows - whole.shape[0], whole.shape[1])])
        cut[name] = padded.chunk(ranks)[rank].clone()
    return cut


#: inference/convert.py of DeepSeek-V3: the name of each layer, and the dimension that is cut
DEEPSEEK = {"embed_tokens": ("embed", 0), "input_layernorm": ("attn_norm", None), "post_attention_layernorm": ("ffn_norm", None), "q_proj": ("wq", 0),
            "q_a_proj": ("wq_a", None), "q_a_layernorm": ("q_norm", None), "q_b_proj": ("wq_b", 0), "kv_a_proj_with_mqa": ("wkv_a", None),
            "kv_a_layernorm": ("kv_norm", None), "kv_b_proj": ("wkv_b", 0), "o_proj": ("wo", 1), "gate": ("gate", None), "gate_proj": ("w1", 0),
            "down_proj": ("w2", 1), "up_proj": ("w3", 0), "norm": ("norm", None), "lm_head": ("head", 0)}


def deepseek_state(published: dict[str, torch.Tensor], rank: int, ranks: int, experts: int) -> dict[str, torch.Tensor]:
    made = {}
    for name, tensor in published.items():
        words = name.removeprefix("model.").replace("self_attn", "attn").replace("mlp", "ffn").split(".")
        words[-1] = {"weight_scale_inv": "scale", "e_score_correction_bias": "bias"}.get(words[-1], words[-1])
        words[-2], dim = DEEPSEEK[words[-2]]
        if "experts" in words:
            if int(words[-3]) // (experts // ranks) != rank:
                continue
        elif dim is not None:
            tensor = tensor.narrow(dim, tensor.shape[dim] // ranks * rank, tensor.shape[dim] // ranks)
        made[".".join(words)] = tensor.contiguous()
    return made


def tensorrt_state(model: torch.nn.Module, rank: int, ranks: int, parallel_embedding: bool) -> dict[str, torch.Tensor]:
    """As tensorrt_llm/models/llama/convert.py writes rank0.safetensors, …: the head is padded to a multiple of the ranks, and the embedding complete."""
    state, made = model.state_dict(), {}
    for layer in range(model.config.num_hidden_layers):
        old, new = f"model.layers.{layer}.", f"transformer.layers.{layer}."
        for kind in ("weight", "bias"):
            if (parts := [state[name] for part in "qkv" if (name := f"{old}self_attn.{part}_proj.{kind}") in state]):
                heads = model.config.num_key_value_heads  # dup_kv_weight: of fewer than ranks, each is repeated
                shared = [part.chunk(heads)[rank * heads // ranks] if heads < ranks and number else part.chunk(ranks)[rank] for number, part in enumerate(parts)]
                made[f"{new}attention.qkv.{kind}"] = torch.cat(shared)
        made[new + "attention.dense.weight"] = state[old + "self_attn.o_proj.weight"].chunk(ranks, 1)[rank].contiguous()
        made[new + "mlp.fc.weight"] = state[old + "mlp.gate_proj.weight"].chunk(ranks)[rank]
        made[new + "mlp.gate.weight"] = state[old + "mlp.up_proj.weight"].chunk(ranks)[rank]
        made[new + "mlp.proj.weight"] = state[old + "mlp.down_proj.weight"].chunk(ranks, 1)[rank].contiguous()
        made[new + "input_layernorm.weight"] = state[old + "input_layernorm.weight"]
        made[new + "post_layernorm.weight"] = state[old + "post_attention_layernorm.weight"]
    head, embedding = state["lm_head.weight"], state["model.embed_tokens.weight"]
    made["lm_head.weight"] = torch.nn.functional.pad(head, (0, 0, 0, -head.shape[0] % ranks)).chunk(ranks)[rank]
    made["transformer.vocab_embedding.weight"] = embedding.chunk(ranks)[rank] if parallel_embedding else embedding
    return made | {"transformer.ln_f.weight": state["model.norm.weight"]}


def model_heads(folder: Path) -> int:
    return json.loads((folder / "config.json").read_text())["num_key_value_heads"]


class RankSlices(unittest.TestCase):
    def setUp(self) -> None:
        self.place = temporary()
        self.folder = Path(self.place.name)
        self.addCleanup(self.place.cleanup)

    def consolidate(self, source: Path, *options: object) -> dict[str, torch.Tensor] | str:
        """The tensors of the output, or the error's message."""
        output = self.folder / "output.safetensors"
        answer = run("consolidate", source, "-o", output, *options)
        if answer.code != 0:
            self.assertFalse(output.exists())
            return answer.errors
        is_bundle = output.is_dir()  # with --like
        tensors = load_file(output / "model.safetensors" if is_bundle else output)
        for path in (output, output.with_name(output.name + ".cairn.json")):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        return tensors

    def assert_model(self, found: dict[str, torch.Tensor] | str, model: torch.nn.Module) -> None:
        self.assertTrue(isinstance(found, dict), found)
        expected = model.state_dict()
        self.assertEqual(found.keys(), expected.keys())
        for name, tensor in expected.items():
            self.assertTrue(torch.equal(found[name], tensor), name)

    def refused(self, found: dict[str, torch.Tensor] | str, *words: str) -> None:
        self.assertTrue(isinstance(found, str), "was written")
        for word in words:
            self.assertIn(word, found)

    def test_every_name_gives_the_model_or_is_refused(self) -> None:
        model = model_of("llama")
        model.save_pretrained(self.folder / "like")
        states = [slice_of(model, rank, 2) for rank in range(2)]
        for scheme in STATED:
            with self.subTest(scheme=scheme):
                folder = self.folder / "ranks"
                paths = write(folder, scheme, states)
                self.refused(self.consolidate(folder), "--like")
                self.assert_model(self.consolidate(folder, "--like", self.folder / "like"), model)
                self.refused(self.consolidate(paths[1]), "one of several of a save")
                listed = run("ls", folder, "--json")
                self.assertEqual(listed.code, 0)
                self.assertIn("rank_1.lm_head.weight", listed.text)
                self.assertIsNone(run("info", folder, "--json").json.get("step"))
                shutil.copy(self.folder / "like" / "config.json", folder)
                self.assert_model(self.consolidate(folder), model)
                shutil.rmtree(folder)
        for scheme in PLAIN:
            with self.subTest(scheme=scheme):
                folder = self.folder / "plain"
                paths = write(folder, scheme, states)
                self.refused(self.consolidate(folder), "slices")
                shutil.copy(self.folder / "like" / "config.json", folder)
                self.refused(self.consolidate(folder), "slices")
                self.refused(self.consolidate(paths[0]), "slices")
                (folder / "config.json").unlink()
                self.refused(self.consolidate(folder, "--like", self.folder / "like"))
                shutil.rmtree(folder)

    def test_files_of_steps_stay_checkpoints(self) -> None:
        states = []
        for step in range(3):
            torch.manual_seed(step)
            states.append({name: torch.randn_like(tensor) for name, tensor in model_of("llama").state_dict().items()})
        for scheme in (*PLAIN, "checkpoint_epoch_{r}_of_3.pt", "step_{r}.pt"):
            with self.subTest(scheme=scheme):
                folder = self.folder / "steps"
                write(folder, scheme, states)
                found = self.consolidate(folder)
                self.assertTrue(isinstance(found, dict), found)
                self.assertTrue(all(torch.equal(found[name], tensor) for name, tensor in states[2].items()))
                shutil.rmtree(folder)
        for recorded in ("epoch", "global_step"):  # equal norms, but the files tell
            folder = self.folder / "recorded"
            write(folder, "model_{r}.pt", [{"model": slice_of(model_of("llama"), rank, 2), recorded: rank} for rank in range(2)])
            self.assertTrue(isinstance(self.consolidate(folder), dict))

    def test_copies_and_shards(self) -> None:
        model = model_of("llama")
        state = model.state_dict()
        names = sorted(state)
        for scheme in ("rank{r}.safetensors", "shard_{r}.pt", "model{r}-mp2.safetensors", "pt_model_{r}_of_2.pt", "model-rank-{r}-part-0.safetensors"):
            with self.subTest(scheme=scheme):
                paths = write(self.folder / "copies", scheme, [state, state])
                self.assert_model(self.consolidate(self.folder / "copies"), model)
                self.assert_model(self.consolidate(paths[0]), model)
                paths = write(self.folder / "shards", scheme, [{name: state[name] for name in names[half::2]} for half in range(2)])
                self.assert_model(self.consolidate(self.folder / "shards"), model)
                self.refused(self.consolidate(paths[0]), "one of several of a save")
                paths[0].unlink()
                if "2" in scheme:
                    self.refused(self.consolidate(self.folder / "shards"), "missing")
                shutil.rmtree(self.folder / "copies")
                shutil.rmtree(self.folder / "shards")

    def test_classes(self) -> None:
        """Whatever the plan of transformers cuts; 4 ranks have no head of keys each where there are 2."""
        kinds = {"llama": {"attention_bias": True}, "qwen2": {}, "qwen3": {}, "mistral": {}, "gemma2": {}, "olmo2": {}, "granite": {},
                 "cohere": {}, "phi3": {"pad_token_id": 0}, "glm": {"pad_token_id": 0}, "starcoder2": {}, "gpt_neox": {}}
        written = 0
        for kind, changes in kinds.items():
            for ranks in (2, 4):
                with self.subTest(kind=kind, ranks=ranks):
                    model = model_of(kind, **changes)
                    folder = self.folder / f"{kind}{ranks}"
                    write(folder, "model_rank_{r}.pt", [slice_of(model, rank, ranks) for rank in range(ranks)])
                    model.save_pretrained(self.folder / "like")
                    found = self.consolidate(folder, "--like", self.folder / "like")
                    if isinstance(found, dict):
                        expected = load_file(self.folder / "like" / "model.safetensors")
                        for name, tensor in expected.items():
                            self.assertTrue(torch.equal(found[name], tensor), name)
                        written += 1
                    shutil.rmtree(self.folder / "like")
        self.assertGreaterEqual(written, 18)

    def test_sharded_state_of_vllm(self) -> None:
        for vocabulary in (128, 100):
            for ranks in (2, 1):
                with self.subTest(vocabulary=vocabulary, ranks=ranks):
                    model = model_of("llama", vocab_size=vocabulary, attention_bias=True)
                    folder = self.folder / f"vllm{vocabulary}{ranks}"
                    for rank in range(ranks):
                        state = vllm_state(model, rank, ranks)
                        names = sorted(state)
                        write(folder, f"model-rank-{rank}-part-{{r}}.safetensors", [{name: state[name] for name in names[part::3]} for part in range(3)])
                    model.config.save_pretrained(folder)
                    # one rank may be a model of the loader's own: taken apart where a class is asked for
                    bundle = ("--bundle",) if ranks == 1 else ()
                    self.assert_model(self.consolidate(folder, *bundle), model)
                    (folder / f"model-rank-{ranks - 1}-part-1.safetensors").unlink()
                    self.refused(self.consolidate(folder))

    def write_vllm(self, kind: str, ranks: int, **changes: object) -> tuple[Path, Path, dict[str, torch.Tensor]]:
        model = model_of(kind, **changes)
        like, folder = self.folder / f"{kind}{ranks}like", self.folder / f"{kind}{ranks}"
        model.save_pretrained(like)
        published = load_file(like / "model.safetensors")
        for rank in range(ranks):
            write(folder, f"model-rank-{rank}-part-0.safetensors", [vllm_state(model, rank, ranks, published=published)])
        return folder, like, published

    def assert_states_the_order(self, folder: Path, like: Path, assumed: bool) -> None:
        """Nothing shows which half of w13 is the gate: neither a plan nor a job says that the model loads without more."""
        for more in ((), ("--bundle",)):
            output = self.folder / "stated"
            answer = run("consolidate", folder, "-o", output, "--like", like, *more)
            self.assertEqual((answer.code, "FlashInfer" in answer.text), (0, assumed), answer.said())
            shutil.rmtree(output)
        loads = run("plan", "consolidate", folder, "-o", self.folder / "stated", "--like", like, "--json").json["loads"]
        self.assertEqual((loads["state"], "FlashInfer" in loads["text"]), ("unknown", True) if assumed else ("loads", False))

    def test_experts_and_shared_heads_of_vllm(self) -> None:
        """Fused experts, and more ranks than heads of keys and values."""
        moe = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32, "decoder_sparse_step": 1, "mlp_only_layers": []}
        cases = [("llama", 4, {}), ("llama", 4, {"num_key_value_heads": 1, "attention_bias": True}), ("qwen3_moe", 2, moe), ("qwen3_moe", 4, moe),
                 ("mixtral", 2, {"num_local_experts": 4}), ("mixtral", 4, {"num_local_experts": 3, "num_key_value_heads": 1})]
        for kind, ranks, changes in cases:
            with self.subTest(kind=kind, ranks=ranks, changes=changes):
                folder, like, published = self.write_vllm(kind, ranks, **changes)
                self.refused(self.consolidate(folder), "--like")
                found = self.consolidate(folder, "--like", like)
                self.assertTrue(isinstance(found, dict), found)
                self.assertEqual(found.keys(), published.keys())
                self.assertEqual([name for name in published if not torch.equal(found[name], published[name])], [])
                self.assert_states_the_order(folder, like, kind != "llama")
                path = folder / "model-rank-1-part-0.safetensors"  # a copy of rank 0's heads
                state = load_file(path)
                fused = "model.layers.0.self_attn.qkv_proj.weight"
                if ranks > model_heads(like):
                    state[fused][-1] += 1
                    save_file(state, path)
                    self.refused(self.consolidate(folder, "--like", like), "v_proj")
                    apart = self.consolidate(folder, "--like", like, "--force", "--names", "keep")
                    self.assertTrue(isinstance(apart, dict), apart)
                    self.assertIn("rank_1." + fused, apart)
                if "model.layers.0.mlp.experts.w13_weight" in state:
                    state["model.layers.0.mlp.experts.w13_weight"] = state["model.layers.0.mlp.experts.w13_weight"][:2].clone()  # expert parallel
                    save_file(state, path)
                    self.refused(self.consolidate(folder, "--like", like), "w13_weight")
                shutil.rmtree(folder)
                shutil.rmtree(like)

    def test_converter_of_deepseek(self) -> None:
        """Cut, renamed and divided by experts; with 8-bit weights and their scales, too."""
        sizes = {"kv_lora_rank": 12, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8, "v_head_dim": 8, "n_routed_experts": 4, "num_experts_per_tok": 2,
                 "moe_intermediate_size": 24, "n_shared_experts": 2, "first_k_dense_replace": 1, "n_group": 2, "topk_group": 1, "num_key_value_heads": 4}
        for kind, lora in (("deepseek_v3", 12), ("deepseek_v2", None)):
            model = model_of(kind, **sizes, q_lora_rank=lora)
            like = self.folder / kind
            model.save_pretrained(like)
            published = load_file(like / "model.safetensors")
            for ranks in (2, 4):
                with self.subTest(kind=kind, ranks=ranks):
                    folder = self.folder / f"{kind}{ranks}"
                    for rank in range(ranks):
                        write(folder, f"model{rank}-mp{ranks}.safetensors", [deepseek_state(published, rank, ranks, 4)])
                    self.refused(self.consolidate(folder), "--like")
                    self.refused(self.consolidate(folder / f"model1-mp{ranks}.safetensors", "--like", like))
                    found = self.consolidate(folder, "--like", like)
                    self.assertTrue(isinstance(found, dict), found)
                    self.assertEqual(found.keys(), published.keys())
                    self.assertEqual([name for name in published if not torch.equal(found[name], published[name])], [])
                    llama = self.folder / "llama"
                    model_of("llama").config.save_pretrained(llama)
                    self.refused(self.consolidate(folder, "--like", llama))
        scaled = {name: tensor for name, tensor in published.items()}
        for name in [name for name in published if name.endswith("_proj.weight") and ".layers." in name]:
            rows, columns = published[name].shape
            scaled[name] = published[name].to(torch.float8_e4m3fn)
            scaled[name + "_scale_inv"] = torch.rand(-(-rows // 8), -(-columns // 8))
        folder = self.folder / "scaled"
        for rank in range(2):
            write(folder, f"model{rank}-mp2.safetensors", [deepseek_state(scaled, rank, 2, 4)])
        config = json.loads((like / "config.json").read_text())
        quantised = {"quant_method": "fp8", "weight_block_size": [8, 8], "activation_scheme": "dynamic", "fmt": "e4m3"}
        (like / "config.json").write_text(json.dumps(config | {"quantization_config": quantised}))
        found = self.consolidate(folder, "--like", like)
        self.assertTrue(isinstance(found, dict), found)
        self.assertEqual([name for name in scaled if not torch.equal(found[name].view(torch.uint8), scaled[name].view(torch.uint8))], [])
        self.refused(self.consolidate(self.folder / "deepseek_v22", "--like", like), "quantised")  # has no scales

    def test_converter_of_tensorrt_llm(self) -> None:
        mapping = {"mapping": {"world_size": 2, "tp_size": 2, "pp_size": 1}, "architecture": "LlamaForCausalLM", "dtype": "float32", "hidden_size": 64}
        for kind, vocabulary, parallel, heads in (("llama", 128, False, 2), ("llama", 127, False, 2), ("mistral", 128, True, 1), ("qwen2", 128, False, 1),
                                                  ("gemma", 128, False, 2)):
            with self.subTest(kind=kind, vocabulary=vocabulary, heads=heads):
                model = model_of(kind, vocab_size=vocabulary, num_key_value_heads=heads)
                model.save_pretrained(self.folder / "like")
                folder = self.folder / f"{kind}{vocabulary}"
                write(folder, "rank{r}.safetensors", [tensorrt_state(model, rank, 2, parallel) for rank in range(2)])
                self.refused(self.consolidate(folder), "--like")
                (folder / "config.json").write_text(json.dumps(mapping))
                self.refused(self.consolidate(folder), "--like")
                found = self.consolidate(folder, "--like", self.folder / "like")
                if kind == "gemma":  # whose norms and embedding the converter changes
                    self.refused(found, "gemma")
                else:
                    self.assert_model(found, model)
                shutil.rmtree(self.folder / "like")

    def test_what_is_not_one_model_is_refused(self) -> None:
        model, other = model_of("llama"), model_of("llama", intermediate_size=128)
        other.save_pretrained(self.folder / "other")
        model.save_pretrained(self.folder / "like")
        like = ("--like", self.folder / "like")
        states = [slice_of(model, rank, 2) for rank in range(2)]
        folder = self.folder / "ranks"
        write(folder, "model_rank_{r}.pt", states)
        self.refused(self.consolidate(folder, "--like", self.folder / "other"))
        states[1]["model.norm.weight"] = states[1]["model.norm.weight"] + 1  # a norm that differs is not a copy
        write(folder, "model_rank_{r}.pt", states)
        self.refused(self.consolidate(folder, *like), "model.norm.weight")
        states = [slice_of(model, rank, 4) for rank in range(3)]
        shutil.rmtree(folder)
        write(folder, "model_rank_{r}.pt", states)
        self.refused(self.consolidate(folder, *like))
        write(folder, "model_rank_{r}.pt", [slice_of(model, rank, 4) for rank in range(4)])
        (folder / "model_rank_1.pt").unlink()
        self.refused(self.consolidate(folder, *like), "model_rank_1.pt")
        shutil.rmtree(folder)
        states = [slice_of(model, rank, 2) for rank in range(2)]
        del states[1]["lm_head.weight"]
        write(folder, "model_rank_{r}.pt", states)
        self.refused(self.consolidate(folder, *like))
        states = [dict(model.state_dict()), {name: tensor + 1 for name, tensor in model.state_dict().items()}]
        write(folder, "model_rank_{r}.pt", states)
        self.refused(self.consolidate(folder, *like), "complete tensor")
        config = json.loads((self.folder / "like" / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | {"architectures": ["UnknownForCausalLM"], "model_type": "unknown"}))
        self.refused(self.consolidate(folder), "class")


if __name__ == "__main__":
    unittest.main()
