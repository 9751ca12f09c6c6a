# SPDX-License-Identifier: Apache-2.0
"""The memory that `info` states, against what torch's optimizers and transformers' caches hold."""

from __future__ import annotations

import unittest
from pathlib import Path

import torch
import transformers
from transformers import AutoModelForCausalLM

from support import run, temporary

BASE = dict(vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=4, num_attention_heads=4, max_position_embeddings=96)
GROUPED = BASE | dict(num_key_value_heads=2)
WINDOW = GROUPED | dict(head_dim=8, sliding_window=16)

CONFIGS = {
    "llama": transformers.LlamaConfig(**GROUPED),
    "llama_tied": transformers.LlamaConfig(**GROUPED, tie_word_embeddings=True),
    "qwen2": transformers.Qwen2Config(**GROUPED),
    "qwen3": transformers.Qwen3Config(**GROUPED, head_dim=16),
    "mistral": transformers.MistralConfig(**GROUPED, sliding_window=16),
    "mixtral": transformers.MixtralConfig(**GROUPED, num_local_experts=2),
    "gemma2": transformers.Gemma2Config(**WINDOW),
    "gemma3": transformers.Gemma3TextConfig(**(WINDOW | dict(num_hidden_layers=7))),
    "phi3": transformers.Phi3Config(**GROUPED, pad_token_id=0),
    "gpt2": transformers.GPT2Config(vocab_size=64, n_embd=32, n_layer=2, n_head=4, n_positions=96),
    "gpt_neox": transformers.GPTNeoXConfig(**BASE),
    "falcon": transformers.FalconConfig(vocab_size=64, hidden_size=32, num_hidden_layers=2, num_attention_heads=4),
    "deepseek_v3": transformers.DeepseekV3Config(
        **GROUPED | dict(num_key_value_heads=4), q_lora_rank=8, kv_lora_rank=16, qk_rope_head_dim=4, qk_nope_head_dim=8, v_head_dim=8,
        n_routed_experts=4, n_group=2, topk_group=1, num_experts_per_tok=2, moe_intermediate_size=16, first_k_dense_replace=1, n_shared_experts=1),
}

OPTIMIZERS = {
    ("AdamW", "float32"): lambda p: torch.optim.AdamW(p),
    ("AdamW", "bfloat16"): lambda p: torch.optim.AdamW(p),
    ("SGD with momentum", "float32"): lambda p: torch.optim.SGD(p, momentum=0.9),
    ("Adafactor", "float32"): lambda p: torch.optim.Adafactor(p),
}


class Memory(unittest.TestCase):
    def setUp(self) -> None:
        folder = temporary()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def memory(self, name: str, model) -> dict:
        model.save_pretrained(self.folder / name)
        answer = run("info", self.folder / name, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        return answer.json["memory"]

    def test_caches(self) -> None:
        for name, config in CONFIGS.items():
            with self.subTest(name):
                torch.manual_seed(0)
                model = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
                memory = self.memory(name, model)
                cache = memory["serving"]["kv_cache"]
                self.assertEqual(cache["element_bytes"], 4)
                tokens = 40
                with torch.no_grad():
                    kept = model(torch.randint(0, 64, (1, tokens)), use_cache=True).past_key_values
                held = sum(layer.keys.nbytes + layer.values.nbytes for layer in kept.layers)
                layers = cache["layers"] + cache["sliding_layers"]
                self.assertEqual(layers, len(kept.layers))
                each = cache["bytes_per_token"] // layers
                # a sliding layer of transformers keeps the window without the token that comes next
                expected = each * (cache["layers"] * tokens + cache["sliding_layers"] * min(tokens, cache.get("window", 0) - 1))
                self.assertEqual(held, expected)
                if "context_tokens" in cache:
                    context = cache["context_tokens"]
                    whole = each * (cache["layers"] * context + cache["sliding_layers"] * min(context, cache.get("window", 0)))
                    self.assertEqual(cache["context_bytes"], whole)

    def test_weights_are_exact(self) -> None:
        for name in ("llama", "llama_tied", "gpt2"):
            with self.subTest(name):
                model = AutoModelForCausalLM.from_config(CONFIGS[name], dtype=torch.bfloat16)
                memory = self.memory(name, model)
                self.assertEqual(memory["parameters"], model.num_parameters())
                self.assertEqual(memory["serving"]["weights_bytes"], sum(p.nbytes for p in model.parameters()))
                bfloat16 = next(each for each in memory["serving"]["weights_as"] if each["dtype"] == "bfloat16")
                self.assertEqual(bfloat16["bytes"], sum(p.nbytes for p in model.parameters()))

    def test_states_of_optimizers(self) -> None:
        for (optimizer_name, precision), make in OPTIMIZERS.items():
            with self.subTest(optimizer_name):
                model = AutoModelForCausalLM.from_config(CONFIGS["llama"], dtype=getattr(torch, precision))
                memory = self.memory(f"{optimizer_name}-{precision}", model)
                stated = next(each for each in memory["training"] if (each["optimizer"], each["precision"]) == (optimizer_name, precision))
                optimizer = make(model.parameters())
                model(torch.randint(0, 64, (1, 8)), labels=torch.randint(0, 64, (1, 8))).loss.backward()
                optimizer.step()
                held = sum(value.nbytes for state in optimizer.state.values() for value in state.values() if torch.is_tensor(value))
                self.assertEqual(stated["states_bytes"], held)
                self.assertEqual(stated["weights_bytes"], sum(p.nbytes for p in model.parameters()))
                self.assertEqual(stated["gradients_bytes"], sum(p.grad.nbytes for p in model.parameters()))

    def test_activations_are_an_order_of_magnitude(self) -> None:
        """What autograd keeps of a model with fused attention is not below the estimate, and within a factor of three."""
        config = transformers.LlamaConfig(**(GROUPED | dict(hidden_size=64, intermediate_size=192, max_position_embeddings=64)), attn_implementation="sdpa")
        model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
        memory = self.memory("activations", model)
        weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
        kept: dict[int, int] = {}

        def keep(tensor: torch.Tensor) -> torch.Tensor:
            storage = tensor.untyped_storage()
            if storage.data_ptr() not in weights:
                kept[storage.data_ptr()] = storage.nbytes()
                held.append(tensor)
            return tensor

        held: list[torch.Tensor] = []
        ids = torch.randint(0, 64, (1, 64))
        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            model(ids, labels=ids, use_cache=False)
        stated = memory["activations"]
        self.assertEqual(stated["tokens"], 64)
        self.assertLessEqual(stated["bytes"], sum(kept.values()))
        self.assertGreater(3 * stated["bytes"], sum(kept.values()))

    def test_models_that_keep_no_cache(self) -> None:
        bert = transformers.BertConfig(vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4)
        memory = self.memory("bert", transformers.BertForMaskedLM(bert))
        self.assertNotIn("kv_cache", memory["serving"])
        mamba = transformers.MambaConfig(vocab_size=64, hidden_size=32, num_hidden_layers=2, state_size=4)
        memory = self.memory("mamba", transformers.MambaForCausalLM(mamba))
        self.assertNotIn("kv_cache", memory["serving"])


if __name__ == "__main__":
    unittest.main()
