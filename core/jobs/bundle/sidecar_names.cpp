// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/sidecar_names.h"

#include "core/base/glob.h"

#include <algorithm>
#include <array>

namespace cairn {
namespace {

using enum SidecarGroup;

constexpr auto kRows = std::to_array<SidecarRow>({
    {"config.json", Model},
    {"generation_config.json", Model},
    {"params.json", Model},
    {"modules.json", Model},
    {"sentence_bert_config.json", Model},
    {"config_sentence_transformers.json", Model},
    {"{0,1,2,3,4,5,6,7,8,9}_*/config.json", Model},
    {"{0,1,2,3,4,5,6,7,8,9}_*/{model.safetensors,pytorch_model.bin}", Module},
    {"hf_quant_config.json", Quantisation},
    {"quantize_config.json", Quantisation},
    {"quant_config.json", Quantisation},
    {"tokenizer.json", Tokenizer, true},
    {"tokenizer.model", Tokenizer, true},
    {"tokenizer.model.v*", Tokenizer, true},
    {"tekken.json", Tokenizer, true},
    {"vocab.json", Tokenizer, true},
    {"vocab.txt", Tokenizer, true},
    {"vocab-{src,tgt}.json", Tokenizer, true},
    {"target_vocab.json", Tokenizer, true},
    {"entity_vocab.json", Tokenizer},
    {"merges.txt", Tokenizer},
    {"bpe.codes", Tokenizer, true},
    {"spiece.model", Tokenizer, true},
    {"spm.model", Tokenizer, true},
    {"{source,target}.spm", Tokenizer, true},
    {"sentencepiece.model", Tokenizer, true},
    {"sentencepiece.bpe.model", Tokenizer, true},
    {"*.tiktoken", Tokenizer, true},
    {"tokenizer_config.json", Tokenizer},
    {"special_tokens_map.json", Tokenizer},
    {"added_tokens.json", Tokenizer},
    {"normalizer.json", Tokenizer},
    {"chat_template.jinja", Tokenizer},
    {"chat_template.json", Tokenizer},
    {"additional_chat_templates/*.jinja", Tokenizer},
    {"preprocessor_config.json", Processor},
    {"processor_config.json", Processor},
    {"image_processor_config.json", Processor},
    {"video_preprocessor_config.json", Processor},
    {"feature_extractor_config.json", Processor},
    {"adapter_config.json", Adapter},
    {"README.md", Card},
    {"{LICENSE,LICENCE,NOTICE}*", Licence},
    {"custom_generate/*", Code},
});

/// verl and RL frameworks; a trainer's last save; NeMo 2 (context of a checkpoint).
constexpr auto kFolders = std::to_array<std::string_view>(
    {"huggingface", "final", "tokenizer", "context/nemo_tokenizer", "context/artifacts"});

} // namespace

std::span<const SidecarRow> sidecarRows() {
    return kRows;
}

std::span<const std::string_view> sidecarFolders() {
    return kFolders;
}

bool isVocabularyFile(std::string_view name) {
    return std::ranges::any_of(kRows, [name](const SidecarRow& row) {
        const auto glob = Glob::parse(row.pattern);
        return row.vocabulary && glob && glob->matches(name);
    });
}

} // namespace cairn
