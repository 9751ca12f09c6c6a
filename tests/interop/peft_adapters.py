# SPDX-License-Identifier: Apache-2.0
"""Bases, adapters and PEFT's own merges of them: tiny models with random weights, one folder a case."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from pathlib import Path

import torch
import transformers as hf
from peft import LoraConfig, PeftModel, get_peft_model

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
SMALL = {"hidden_size": 48, "intermediate_size": 80, "num_hidden_layers": 2, "num_attention_heads": 4,
         "num_key_value_heads": 2, "vocab_size": 96, "max_position_embeddings": 64, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}


def llama(**more):
    return hf.LlamaForCausalLM(hf.LlamaConfig(**SMALL, **{"tie_word_embeddings": False, **more}))


def qwen2(**more):
    return hf.Qwen2ForCausalLM(hf.Qwen2Config(**SMALL, **{"tie_word_embeddings": False, **more}))


def phi3():
    return hf.Phi3ForCausalLM(hf.Phi3Config(**SMALL, tie_word_embeddings=False))


def gpt2():
    return hf.GPT2LMHeadModel(hf.GPT2Config(n_embd=48, n_layer=2, n_head=4, vocab_size=96, n_positions=64, bos_token_id=1, eos_token_id=2))


def mixtral():
    return hf.MixtralForCausalLM(hf.MixtralConfig(**SMALL, tie_word_embeddings=False, num_local_experts=4, num_experts_per_tok=2))


def vit():
    return hf.ViTForImageClassification(hf.ViTConfig(hidden_size=48, num_hidden_layers=2, num_attention_heads=4, intermediate_size=80, image_size=16, patch_size=4, num_labels=5))


@dataclass
class AdapterCase:
    model: object
    settings: dict
    more: list[dict] = field(default_factory=list)  # further adapters, merged in this order


QV = ["q_proj", "v_proj"]
CASES = {
    "plain": AdapterCase(llama, {"target_modules": QV}),
    "rslora": AdapterCase(llama, {"target_modules": QV, "use_rslora": True, "r": 6}),
    "patterns": AdapterCase(llama, {"target_modules": [*QV, "down_proj"], "rank_pattern": {"down_proj": 3, r"layers.1.self_attn.q_proj": 7},
                                    "alpha_pattern": {"v_proj": 5, "^model.layers.0.self_attn.q_proj": 9}}),
    "dora": AdapterCase(llama, {"target_modules": [*QV, "up_proj"], "use_dora": True}),
    "bias_all": AdapterCase(qwen2, {"target_modules": QV, "bias": "all"}),
    "bias_lora_only": AdapterCase(qwen2, {"target_modules": QV, "bias": "lora_only"}),
    "modules_to_save": AdapterCase(llama, {"target_modules": QV, "modules_to_save": ["lm_head", "embed_tokens"]}),
    "embeddings": AdapterCase(llama, {"target_modules": ["embed_tokens", "lm_head", "q_proj"]}),
    "fan_in_fan_out": AdapterCase(gpt2, {"target_modules": ["c_attn", "c_proj", "c_fc"], "fan_in_fan_out": True}),
    "experts": AdapterCase(mixtral, {"target_modules": ["q_proj"], "target_parameters": ["mlp.experts.gate_up_proj", "mlp.experts.down_proj"]}),
    "all_linear": AdapterCase(llama, {"target_modules": "all-linear", "r": 16}),
    "phi3": AdapterCase(phi3, {"target_modules": ["qkv_proj", "gate_up_proj", "o_proj"]}),
    "trainable_tokens": AdapterCase(llama, {"target_modules": QV, "trainable_token_indices": {"embed_tokens": [3, 17, 95]}}),
    "lora_bias": AdapterCase(qwen2, {"target_modules": QV, "lora_bias": True}),
    "two": AdapterCase(llama, {"target_modules": QV}, [{"target_modules": ["q_proj", "gate_proj"], "r": 5}]),
    "dora_fan": AdapterCase(gpt2, {"target_modules": ["c_attn", "c_fc"], "fan_in_fan_out": True, "use_dora": True}),
    "vit": AdapterCase(vit, {"target_modules": ["q_proj", "v_proj"], "modules_to_save": ["classifier"]}),
}


def randomised(model: torch.nn.Module, seed: int) -> torch.nn.Module:
    """No parameter is zero or one: what is not folded shows."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator) * 0.02)
    return model


def adapter(base: torch.nn.Module, settings: dict, seed: int, folder: Path, **save) -> None:
    torch.manual_seed(seed)
    config = LoraConfig(**{"r": 8, "lora_alpha": 12, "init_lora_weights": False, "task_type": None, **settings})
    model = get_peft_model(copy.deepcopy(base), config)
    generator = torch.Generator().manual_seed(seed + 1)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.requires_grad or "lora_" in name:
                parameter.add_(torch.randn(parameter.shape, generator=generator) * 0.05)
    model.save_pretrained(folder, **save)


def make(case: AdapterCase, folder: Path) -> None:
    """folder/base-<dtype>, folder/adapter-<i>."""
    torch.manual_seed(7)
    model = randomised(case.model(), 11).eval()
    for i, settings in enumerate([case.settings, *case.more]):
        adapter(model, settings, 31 + i, folder / f"adapter-{i}")
    for word, dtype in DTYPES.items():
        copy.deepcopy(model).to(dtype).save_pretrained(folder / f"base-{word}")


def merged(case: AdapterCase, folder: Path, word: str, safe: bool, out: Path, count: int | None = None) -> None:
    """PEFT's merge, as published."""
    kind = type(case.model())
    base = kind.from_pretrained(folder / f"base-{word}", dtype=DTYPES[word])
    count = 1 + len(case.more) if count is None else count
    model = PeftModel.from_pretrained(base, folder / "adapter-0", adapter_name="a0")
    for i in range(1, count):
        model.load_adapter(folder / f"adapter-{i}", adapter_name=f"a{i}")
    model.merge_and_unload(safe_merge=safe, adapter_names=[f"a{i}" for i in range(count)]).save_pretrained(out)
