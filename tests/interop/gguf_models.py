# SPDX-License-Identifier: Apache-2.0
"""Tiny models of the families that llama.cpp reads, with tokenizers of the real shapes, and what llama.cpp makes of them.

    gguf_models.py make FOLDER            FOLDER/CASE/model as save_pretrained writes it, FOLDER/CASE/<dtype>.gguf by llama.cpp's own converter
    gguf_models.py run FILE TEXT…         JSON: for each text the tokens, and the log probabilities of the next token, by llama.cpp

Runs in an environment with requirements-gguf.txt."""

from __future__ import annotations

import io
import json
import sys
import sysconfig
import urllib.request
from pathlib import Path

LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
TEKKEN = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"
          r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
GPT4O = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?"
         r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|"
         r"\s*[\r\n]+|\s+(?!\S)|\s+")


def corpus() -> list[str]:
    lines = (Path(sysconfig.get_paths()["stdlib"]) / "argparse.py").read_text().splitlines()[:1500]
    return lines + ["Größe und Maße, naïve café", "числа 12345 и слова", "数字 中文 词语", "it's we'll THEY'RE I'd", "a  b   c\t\td"] * 8


def byte_pairs(folder: Path, split: str | None, special: list[str], bos: str | None, ignore_merges: bool = False, size: int = 420,
               digits: bool = False, **config) -> int:
    """A tokenizer of byte pairs, as Llama 3, Qwen and GPT-2 have; the number of its tokens."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.BPE(ignore_merges=ignore_merges))
    levels = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=split is None)
    parts = [pre_tokenizers.Split(Regex(split), "isolated")] if split else []
    parts += [pre_tokenizers.Digits(individual_digits=True)] if digits else []
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*parts, levels]) if parts else levels
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    tokenizer.train_from_iterator(corpus(), trainer)
    tokenizer.add_special_tokens([AddedToken(each, special=True) for each in special])
    tokenizer.add_tokens([AddedToken("<tool▁call>", normalized=False)])
    if bos:
        single = [bos, "$A"]
        ids = [(bos, tokenizer.token_to_id(bos))]
        tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), processors.TemplateProcessing(
            single=single, pair=[bos, "$A", f"{bos}:1", "$B:1"], special_tokens=ids)])
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": False, **config}
    if bos:
        settings["bos_token"] = bos
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    return tokenizer.get_vocab_size()


def sentence_pieces(folder: Path, gemma: bool = False, fast: bool = True, model: bool = True, added: list[str] = (), **config) -> int:
    """A SentencePiece model as of Llama 2 or Gemma, as tokenizer.model and tokenizer.json; the number of its pieces."""
    import sentencepiece
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, processors
    from transformers.convert_slow_tokenizer import generate_merges

    made = io.BytesIO()
    ids = dict(pad_id=0, eos_id=1, bos_id=2, unk_id=3, pad_piece="<pad>", eos_piece="<eos>", bos_piece="<bos>",
               user_defined_symbols=["<mask>", "<start_of_turn>", "▁▁▁▁", "<unused0>"]) if gemma else dict(unk_id=0, bos_id=1, eos_id=2, pad_id=-1)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus()), model_writer=made, vocab_size=480, model_type="bpe", byte_fallback=True, character_coverage=0.995,
        add_dummy_prefix=not gemma, normalization_rule_name="identity", remove_extra_whitespaces=False, split_digits=True, minloglevel=2, **ids)
    if model:
        (folder / "tokenizer.model").write_bytes(made.getvalue())
    pieces = sentencepiece.SentencePieceProcessor(model_proto=made.getvalue())
    count = pieces.get_piece_size()
    vocabulary = {pieces.id_to_piece(i): i for i in range(count)}
    bos, eos = ("<bos>", "<eos>") if gemma else ("<s>", "</s>")
    special = [i for i in range(count) if pieces.is_control(i) or pieces.is_unknown(i)]
    decoder = {str(i): {"content": pieces.id_to_piece(i), "special": True} for i in special}
    if fast:
        merges = generate_merges(vocabulary, {pieces.id_to_piece(i): pieces.get_score(i) for i in range(count)})
        tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[tuple(m) for m in merges], unk_token="<unk>", fuse_unk=True, byte_fallback=True))
        steps = [normalizers.Replace(" ", "▁")]
        tokenizer.normalizer = normalizers.Sequence(steps if gemma else [normalizers.Prepend("▁"), *steps])
        tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
        tokenizer.add_special_tokens([AddedToken(pieces.id_to_piece(i), special=True, normalized=False) for i in special])
        tokenizer.add_tokens([AddedToken(each, normalized=False) for each in added])
        tokenizer.post_processor = processors.TemplateProcessing(single=[bos, "$A"], pair=[bos, "$A", bos, "$B"],
                                                                 special_tokens=[(bos, vocabulary[bos])])
        tokenizer.save(str(folder / "tokenizer.json"))
    for i, each in enumerate(added):
        decoder[str(count + i)] = {"content": each, "special": i % 2 == 0}
    settings = {"tokenizer_class": "GemmaTokenizer" if gemma else "LlamaTokenizer", "bos_token": bos, "eos_token": {"__type": "AddedToken", "content": eos}, "unk_token": "<unk>",
                "add_bos_token": True, "add_eos_token": False, "added_tokens_decoder": decoder, **config}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    return count + len(added)


def build(kind: str, name: str, vocabulary: int, dtype: str = "float32", **more):
    import torch
    import transformers

    small = dict(hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                 max_position_embeddings=256, bos_token_id=1, eos_token_id=2, pad_token_id=None)
    if kind == "gpt2":
        small = dict(n_embd=64, n_layer=2, n_head=4, n_positions=256, n_ctx=256, bos_token_id=0, eos_token_id=0)
    torch.manual_seed(len(name) + vocabulary)
    config = transformers.AutoConfig.for_model(kind, vocab_size=vocabulary, **{**small, **more})
    model = getattr(transformers, name)(config)
    with torch.no_grad():
        for each in model.parameters():
            each.add_(torch.randn_like(each) * (0.3 if each.dim() == 1 else 0.08))
    model.config.architectures = [name]
    return model.to(getattr(torch, dtype))


ROPE3 = {"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
         "original_max_position_embeddings": 64}
LONG = {"rope_type": "longrope", "rope_theta": 10000.0, "short_factor": [1.0 + i / 50 for i in range(8)], "long_factor": [1.5 + i / 3 for i in range(8)]}
IM = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
L3 = ["<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>"]


def cases():
    """(name, kind, class, tokenizer, the converter's `tokenizer.ggml.pre` or empty, settings)"""
    llama3 = lambda f: byte_pairs(f, LLAMA3, L3, L3[0], True, eos_token=L3[1], chat_template="{{ messages[0].content }}")
    qwen = lambda f: byte_pairs(f, QWEN2, IM, None, eos_token="<|im_end|>", pad_token="<|endoftext|>", add_prefix_space=False)
    spm = lambda f: sentence_pieces(f)
    gemma = lambda f: sentence_pieces(f, gemma=True)
    yield "llama3", "llama", "LlamaForCausalLM", llama3, "llama-bpe", dict(rope_parameters=ROPE3, dtype="bfloat16", tie_word_embeddings=True)
    yield "llama3_untied", "llama", "LlamaForCausalLM", llama3, "llama-bpe", dict(head_dim=32, rope_parameters=ROPE3, padded=24)
    yield "llama2", "llama", "LlamaForCausalLM", spm, "", dict(dtype="float16", rope_parameters={"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4})
    yield "llama2_json", "llama", "LlamaForCausalLM", lambda f: sentence_pieces(f, model=False), "", dict(attention_bias=True, mlp_bias=True)
    yield "llama2_added", "llama", "LlamaForCausalLM", lambda f: sentence_pieces(f, added=["<|tool|>", "<x▁y>"], add_prefix_space=True), "", dict(
        rope_parameters={"rope_type": "yarn", "factor": 4.0, "rope_theta": 1e4, "original_max_position_embeddings": 64, "beta_fast": 32.0,
                         "beta_slow": 1.0, "attention_factor": 1.2})
    yield "llama2_padded", "llama", "LlamaForCausalLM", lambda f: sentence_pieces(f, fast=False), "", dict(padded=32)
    yield "smollm", "llama", "LlamaForCausalLM", lambda f: byte_pairs(f, None, IM, None, digits=True, eos_token=IM[2]), "smollm", {}
    yield "llama_odd", "llama", "LlamaForCausalLM", spm, "", dict(intermediate_size=80, dtype="bfloat16")  # not whole blocks
    yield "mistral", "mistral", "MistralForCausalLM", spm, "", dict(dtype="bfloat16", sliding_window=32)
    yield "nemo", "mistral", "MistralForCausalLM", lambda f: byte_pairs(f, TEKKEN, ["<unk>", "<s>", "</s>"], "<s>", True, eos_token="</s>"), "tekken", dict(
        head_dim=32)
    yield "mixtral", "mixtral", "MixtralForCausalLM", spm, "", dict(num_local_experts=4, num_experts_per_tok=2, dtype="bfloat16")
    yield "qwen2", "qwen2", "Qwen2ForCausalLM", qwen, "qwen2", dict(dtype="bfloat16", tie_word_embeddings=True)
    yield "qwen3", "qwen3", "Qwen3ForCausalLM", qwen, "qwen2", dict(head_dim=32, padded=40)
    yield "gemma2", "gemma2", "Gemma2ForCausalLM", gemma, "", dict(head_dim=32, sliding_window=16, dtype="bfloat16", query_pre_attn_scalar=32)
    yield "gemma3", "gemma3_text", "Gemma3ForCausalLM", gemma, "", dict(head_dim=32, sliding_window=16, dtype="float16", num_hidden_layers=7,
                                                                      query_pre_attn_scalar=32)
    yield "gpt2", "gpt2", "GPT2LMHeadModel", lambda f: byte_pairs(f, None, ["<|endoftext|>"], None, eos_token="<|endoftext|>"), "gpt-2", {}
    yield "phi3", "phi3", "Phi3ForCausalLM", lambda f: sentence_pieces(f, added=["<|user|>", "<|end|>"]), "", dict(sliding_window=64, dtype="bfloat16")
    yield "phi3_long", "phi3", "Phi3ForCausalLM", spm, "", dict(rope_parameters=LONG, original_max_position_embeddings=64)
    yield "phi4", "phi3", "Phi3ForCausalLM", lambda f: byte_pairs(f, LLAMA3, IM, None, tokenizer_class="GPT2Tokenizer", bos_token=IM[0], eos_token=IM[2]), "dbrx", {}
    yield "phi4_mini", "phi3", "Phi3ForCausalLM", lambda f: byte_pairs(f, GPT4O, IM, None, tokenizer_class="GPT2Tokenizer", eos_token=IM[0]), "gpt-4o", dict(
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.75})


def convert(model: Path, output: Path, kind: str, pre: str) -> None:
    """llama.cpp's own converter. It knows tokenizers by a hash over a text, which no tiny one has, so that `pre` is given."""
    import gguf
    from conversion import get_model_class
    from conversion.base import ModelBase, TextModel

    TextModel.get_vocab_base_pre = lambda self, tokenizer: pre
    hparams = ModelBase.load_hparams(model, False)
    types = {"f32": gguf.LlamaFileType.ALL_F32, "f16": gguf.LlamaFileType.MOSTLY_F16, "bf16": gguf.LlamaFileType.MOSTLY_BF16,
             "q8_0": gguf.LlamaFileType.MOSTLY_Q8_0}
    get_model_class(hparams["architectures"][0])(model, types[kind], output, eager=True).write()


def make(target: Path, only: list[str]) -> None:
    for name, kind, cls, tokenizer, pre, settings in cases():
        if only and name not in only:
            continue
        folder = target / name / "model"
        folder.mkdir(parents=True, exist_ok=True)
        settings = dict(settings)
        vocabulary = tokenizer(folder) + settings.pop("padded", 0)
        build(kind, cls, vocabulary, **settings).save_pretrained(folder)
        if name == "llama3":
            (folder / "generation_config.json").write_text(json.dumps({"top_k": 40, "top_p": 0.9, "temperature": 0.6, "do_sample": True}))
        for dtype in ("f32", "f16", "bf16", "q8_0"):
            convert(folder, target / name / f"{dtype}.gguf", dtype, pre)


def serve(path: Path, texts: list[str]) -> list[dict]:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = 256
    params.n_parallel = 1
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = 1
    params.warmup = False
    params.verbosity = 0
    server = xllamacpp.Server(params)

    def ask(route: str, **body):
        request = urllib.request.Request(server.listening_address + route, json.dumps(body).encode(), {"Content-Type": "application/json"})
        return json.loads(urllib.request.urlopen(request).read())

    # The probabilities are those before sampling; they are sent only for a token that is text, so that one is forced.
    plain = ask("/tokenize", content="a", add_special=False)["tokens"][-1]
    answers = []
    for text in texts:
        tokens = ask("/tokenize", content=text, add_special=True)["tokens"]
        made = ask("/completion", prompt=tokens, n_predict=1, n_probs=100000, temperature=0, cache_prompt=False, samplers=[],
                   logit_bias=[[plain, 10000.0]])
        top = made["completion_probabilities"][0]["top_logprobs"]
        answers.append({"tokens": tokens, "logprobs": {str(each["id"]): each["logprob"] for each in top}})
    return answers


def main() -> None:
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]), sys.argv[3:])
    else:
        print(json.dumps(serve(Path(sys.argv[2]), sys.argv[3:])))


if __name__ == "__main__":
    main()
