# SPDX-License-Identifier: Apache-2.0
"""Tiny random pipelines of diffusers with LoRA files as diffusers and kohya's trainers name them, and the pipelines that
load_lora_weights() and fuse_lora() make of them. `make FOLDER` writes a folder for each case: case.json, base, adapters, fused."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Callable, Iterator

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
import transformers.integrations.peft
from diffusers import (AutoencoderKL, DDIMScheduler, FlowMatchEulerDiscreteScheduler, FluxPipeline, FluxTransformer2DModel, StableDiffusionPipeline,
                       StableDiffusionXLPipeline, UNet2DConditionModel)
from safetensors.torch import save_file
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection, CLIPTokenizer, T5Config, T5EncoderModel

transformers.integrations.peft.check_peft_version = lambda **_: None  # transformers 5.24 asks for one that is not released
torch.set_num_threads(2)  # with one, torch multiplies the kernels of small convolutions by other code
random = torch.Generator().manual_seed(7)
RESNETS = 2
Tensors = dict[str, torch.Tensor]


def unet(**more) -> UNet2DConditionModel:
    return UNet2DConditionModel(**{
        "block_out_channels": (32, 64), "layers_per_block": RESNETS, "sample_size": 32, "in_channels": 4, "out_channels": 4, "norm_num_groups": 8,
        "down_block_types": ("DownBlock2D", "CrossAttnDownBlock2D"), "up_block_types": ("CrossAttnUpBlock2D", "UpBlock2D"), "cross_attention_dim": 32} | more)


def vae() -> AutoencoderKL:
    return AutoencoderKL(block_out_channels=(32, 64), down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2,
                         latent_channels=4, norm_num_groups=8)


def text(kind=CLIPTextModel):
    return kind(CLIPTextConfig(hidden_size=32, intermediate_size=37, num_attention_heads=4, num_hidden_layers=2, vocab_size=100,
                               max_position_embeddings=16, projection_dim=32))


def tokenizer(folder: Path) -> CLIPTokenizer:
    folder.mkdir(parents=True, exist_ok=True)
    letters = [chr(code) for code in range(97, 123)]
    words = [*letters, *(letter + "</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    (folder / "vocab.json").write_text(json.dumps({word: i for i, word in enumerate(words)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    return CLIPTokenizer(str(folder / "vocab.json"), str(folder / "merges.txt"), model_max_length=16)


def make_sd(folder: Path) -> StableDiffusionPipeline:
    return StableDiffusionPipeline(unet=unet(), vae=vae(), text_encoder=text(), tokenizer=tokenizer(folder), scheduler=DDIMScheduler(),
                                   safety_checker=None, feature_extractor=None, requires_safety_checker=False)


def make_xl(folder: Path) -> StableDiffusionXLPipeline:
    model = unet(cross_attention_dim=64, use_linear_projection=True, addition_embed_type="text_time", addition_time_embed_dim=8,
                 transformer_layers_per_block=(1, 2), projection_class_embeddings_input_dim=80, attention_head_dim=(2, 4))
    return StableDiffusionXLPipeline(unet=model, vae=vae(), text_encoder=text(), text_encoder_2=text(CLIPTextModelWithProjection),
                                     tokenizer=tokenizer(folder), tokenizer_2=tokenizer(folder), scheduler=DDIMScheduler())


def make_flux(folder: Path) -> FluxPipeline:
    model = FluxTransformer2DModel(patch_size=1, in_channels=4, num_layers=1, num_single_layers=1, attention_head_dim=16, num_attention_heads=2,
                                   joint_attention_dim=32, pooled_projection_dim=32, axes_dims_rope=[4, 4, 8])
    t5 = T5EncoderModel(T5Config(d_model=32, d_kv=8, d_ff=37, num_layers=2, num_heads=4, vocab_size=100))
    return FluxPipeline(transformer=model, vae=vae(), text_encoder=text(), text_encoder_2=t5, tokenizer=tokenizer(folder), tokenizer_2=None,
                        scheduler=FlowMatchEulerDiscreteScheduler())


ABSENT = {StableDiffusionPipeline: ("safety_checker", "feature_extractor", "image_encoder"),
          StableDiffusionXLPipeline: ("feature_extractor", "image_encoder"), FluxPipeline: ("tokenizer_2", "feature_extractor", "image_encoder")}


def layers(model: torch.nn.Module, wanted: Callable[[str], bool]) -> Iterator[tuple[str, torch.Tensor]]:
    for name, module in model.named_modules():
        if isinstance(module, (torch.nn.Linear, torch.nn.Conv2d)) and wanted(name):
            yield name, module.weight


def factors(weight: torch.Tensor, rank: int) -> tuple[torch.Tensor, torch.Tensor]:
    low = torch.randn((rank, *weight.shape[1:]), generator=random) * 0.1
    high = torch.randn((weight.shape[0], rank, *((1, 1) if weight.dim() == 4 else ())), generator=random) * 0.1
    return low, high


def is_text_layer(name: str) -> bool:
    return name.endswith(("q_proj", "k_proj", "v_proj", "out_proj", "fc1", "fc2"))


def of_kohya(model, start: str, alpha: float | None, rank=4, wanted=lambda name: True, named=lambda name: name) -> Tensors:
    made: Tensors = {}
    for i, (name, weight) in enumerate(layers(model, wanted)):
        key = start + named(name).replace(".", "_")
        low, high = factors(weight, rank[i % len(rank)] if isinstance(rank, tuple) else rank)
        made |= {key + ".lora_down.weight": low, key + ".lora_up.weight": high}
        if alpha is not None:
            made[key + ".alpha"] = torch.tensor(float(alpha))
    return made


def of_diffusers(model, component: str, rank=4, wanted=lambda name: True, old=False) -> Tensors:
    made: Tensors = {}
    for i, (name, weight) in enumerate(layers(model, wanted)):
        low, high = factors(weight, rank[i % len(rank)] if isinstance(rank, tuple) else rank)
        key = f"{component}.{name}"
        ends = (".lora.down.weight", ".lora.up.weight") if old else (".lora_A.weight", ".lora_B.weight")
        made |= {key + ends[0]: low, key + ends[1]: high}
    return made


def of_processors(model, component: str) -> Tensors:
    """As diffusers saved attention before 0.22."""
    made: Tensors = {}
    for name, weight in layers(model, lambda name: name.endswith(("to_q", "to_k", "to_v", "to_out.0"))):
        low, high = factors(weight, 4)
        parent, leaf = name.removesuffix(".0").rsplit(".", 1)
        key = f"{component}.{parent}.processor.{leaf}_lora."
        made |= {key + "down.weight": low, key + "up.weight": high}
    return made


def stability_name(name: str) -> str:
    """Of a layer of diffusers' UNet in Stability's code, which kohya trains SDXL with."""
    whole = {"conv_in": "input_blocks.0.0", "conv_out": "out.2", "time_embedding.linear_1": "time_embed.0", "time_embedding.linear_2": "time_embed.2",
             "add_embedding.linear_1": "label_emb.0.0", "add_embedding.linear_2": "label_emb.0.2"}
    if name in whole:
        return whole[name]
    inner = {"conv1": "in_layers.2", "conv2": "out_layers.3", "time_emb_proj": "emb_layers.1", "conv_shortcut": "skip_connection"}
    kinds = {"resnets": 0, "attentions": 1}
    if found := re.match(r"mid_block\.(resnets|attentions)\.(\d)\.(.*)", name):
        kind, i, rest = found.groups()
        return f"middle_block.{1 if kind == 'attentions' else 2 * int(i)}.{inner.get(rest, rest)}"
    side, block, kind, i, rest = re.match(r"(down|up)_blocks\.(\d)\.(\w+)\.(\d)\.(.*)", name).groups()
    first = int(block) * (RESNETS + 1)
    if kind == "downsamplers":
        return f"input_blocks.{first + RESNETS + 1}.0.op"
    if kind == "upsamplers":
        return f"output_blocks.{first + RESNETS}.2.{rest}"
    at = first + int(i) + (1 if side == "down" else 0)
    return f"{'input' if side == 'down' else 'output'}_blocks.{at}.{kinds[kind]}.{inner.get(rest, rest) if kind == 'resnets' else rest}"


class Maker:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)

    def base(self, name: str, pipeline, dtype=torch.float32) -> Path:
        path = self.folder / "bases" / name
        pipeline.to(dtype).save_pretrained(path)
        return path

    def case(self, name: str, kind, base: Path, adapters: list[Tensors], scales=None, dtype=None, metadata=None) -> None:
        folder = self.folder / name
        folder.mkdir()
        paths = []
        for i, tensors in enumerate(adapters):
            paths.append(folder / f"adapter{i}.safetensors")
            save_file({key: tensor.contiguous() for key, tensor in tensors.items()}, paths[-1], metadata=metadata)
        pipeline = kind.from_pretrained(base, **{each: None for each in ABSENT[kind]}, **({"torch_dtype": dtype} if dtype else {}))
        names = [f"adapter{i}" for i in range(len(paths))]
        for path, adapter in zip(paths, names):
            pipeline.load_lora_weights(path, adapter_name=adapter)
        if scales:
            pipeline.set_adapters(names, scales)
        changed = [each for each in ("unet", "transformer", "text_encoder", "text_encoder_2") if getattr(getattr(pipeline, each, None), "peft_config", None)]
        pipeline.fuse_lora(components=changed)
        pipeline.unload_lora_weights()
        pipeline.save_pretrained(folder / "fused")
        case = {"base": str(base.relative_to(self.folder)), "adapters": [path.name for path in paths], "scales": scales or [1] * len(paths)}
        (folder / "case.json").write_text(json.dumps(case))


def make(folder: Path) -> None:
    maker = Maker(folder)
    sd = make_sd(folder / "words")
    base = maker.base("sd", sd)
    trained = lambda name: any(word in name for word in ("attentions", "resnets", "samplers", "conv_in", "conv_out", "time_embedding"))
    both = of_kohya(sd.unet, "lora_unet_", 4, 8, trained) | of_kohya(sd.text_encoder, "lora_te_text_model_", 4, 8, is_text_layer)
    maker.case("kohya", StableDiffusionPipeline, base, [both])
    maker.case("kohya_without_alpha", StableDiffusionPipeline, base, [of_kohya(sd.unet, "lora_unet_", None, 4, trained)])
    maker.case("kohya_ranks", StableDiffusionPipeline, base, [of_kohya(sd.unet, "lora_unet_", 2, (4, 8), trained)])
    maker.case("kohya_half", StableDiffusionPipeline, base, [{key: tensor.bfloat16() for key, tensor in both.items()}])
    maker.case("diffusers", StableDiffusionPipeline, base, [of_diffusers(sd.unet, "unet", (4, 8), trained)])
    maker.case("diffusers_old", StableDiffusionPipeline, base, [of_diffusers(sd.unet, "unet", 4, trained, old=True)])
    maker.case("diffusers_processors", StableDiffusionPipeline, base, [of_processors(sd.unet, "unet")])
    settings = {"unet." + key: value for key, value in {"r": 4, "lora_alpha": 7, "peft_type": "LORA", "use_rslora": False,
                                                        "target_modules": ["to_q", "to_k", "conv1", "conv2"]}.items()}
    chosen = lambda name: name.endswith(("to_q", "to_k", "conv1", "conv2"))
    for kind, more in (("", {}), ("_root", {"unet.use_rslora": True}), ("_pattern", {"unet.alpha_pattern": {"conv1": 3}})):
        maker.case("metadata" + kind, StableDiffusionPipeline, base, [of_diffusers(sd.unet, "unet", 4, chosen)],
                   metadata={"format": "pt", "lora_adapter_metadata": json.dumps(settings | more)})
    maker.case("two", StableDiffusionPipeline, base, [both, of_diffusers(sd.unet, "unet", 4, trained)], scales=[0.75, 0.25])
    half = maker.base("sd_half", make_sd(folder / "words"), torch.bfloat16)
    maker.case("half", StableDiffusionPipeline, half, [both], dtype=torch.bfloat16)
    maker.case("half_half", StableDiffusionPipeline, half, [{key: tensor.bfloat16() for key, tensor in both.items()}], dtype=torch.bfloat16)
    xl = make_xl(folder / "words")
    base = maker.base("xl", xl)
    texts = of_kohya(xl.text_encoder, "lora_te1_text_model_", 2, 4, is_text_layer)
    texts |= of_kohya(xl.text_encoder_2, "lora_te2_text_model_", 2, 4, is_text_layer, named=lambda name: name.removeprefix("text_model."))
    maker.case("xl", StableDiffusionXLPipeline, base, [of_kohya(xl.unet, "lora_unet_", 2, 4, trained) | texts])
    maker.case("xl_stability", StableDiffusionXLPipeline, base, [of_kohya(xl.unet, "lora_unet_", 2, 4, named=stability_name) | texts])
    flux = make_flux(folder / "words")
    base = maker.base("flux", flux)
    wanted = lambda name: any(word in name for word in ("attn", "ff", "proj_mlp", "proj_out"))
    maker.case("flux", FluxPipeline, base, [of_diffusers(flux.transformer, "transformer", 4, wanted)])


if __name__ == "__main__":
    make(Path(sys.argv[2]))
