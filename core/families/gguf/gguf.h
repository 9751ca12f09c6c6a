// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/families/names/conversion.h"
#include "core/model/dtype.h"
#include "core/model/value.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Models as llama.cpp reads them: its names and layouts for the tensors of Hugging Face's models,
/// and its metadata from their config and tokenizer files. Pure; any thread. Source: llama.cpp's
/// converter (convert-hf-to-gguf 0.1.1: conversion/{base,llama,gemma,gpt2,qwen,phi}.py) with the
/// gguf package that it contains (vocab.py, metadata.py), and transformers 5.23 for the defaults of
/// configs.
namespace cairn {

/// How llama.cpp tokenizes for a family.
enum class GgufVocabulary : std::uint8_t {
    BytePairs,   ///< tokenizer.json
    Pieces,      ///< tokenizer.model
    PiecesFirst, ///< tokenizer.model, else tokenizer.json
    PiecesOrGpt2 ///< tokenizer.model, or tokenizer.json for the class GPT2Tokenizer
};

struct GgufFamily {
    std::string_view type; ///< `model_type`
    std::string_view modelClass;
    std::string_view architecture; ///< as llama.cpp calls it
    GgufVocabulary vocabulary = GgufVocabulary::PiecesFirst;
    std::string_view activations; ///< words: the functions that llama.cpp's graph has
    std::string_view rules;       ///< text of a Recipe, from the published names
    /// Its norms multiply by 1 + weight; the file contains the sum.
    bool shiftsNorms = false;
    bool addsSpace = true; ///< SentencePiece puts a space before a text
};

/// The family of a config. Fails with Unsupported: a class that has no rules here.
Result<const GgufFamily*> ggufFamilyOf(const ModelConfig& config);

/// The family's recipe as conversion.h uses them.
KnownRecipe ggufRecipe(const GgufFamily& family);

/// The config with the fields that its class has by default, and those of the rotary embedding at
/// the top. Fails: NotFound for a size that has no default; Unsupported for a setting that
/// llama.cpp computes in another way.
Result<ModelConfig> ggufSettings(const ModelConfig& config, const GgufFamily& family);

/// Whether llama.cpp's file has a tensor in float32 whatever its other weights have.
bool isGgufFloat32(std::string_view name, std::size_t dimensions);

/// A tensor that follows from the config: factors of the rotary embedding. float32.
struct GgufTensor {
    std::string name;
    std::vector<float> values;
};

/// What the file contains beside the model's weights.
struct GgufDescription {
    std::vector<ValueItem> metadata;
    std::vector<GgufTensor> tensors;
    std::int64_t tokens = 0;
    std::vector<Sentence> warnings; ///< one sentence each
};

/// The content of a file beside the weights ("tokenizer.json"); empty if there is none.
using ModelFiles = std::function<std::string_view(std::string_view name)>;

/// `settings` from ggufSettings(). Fails: NotFound for a missing tokenizer, Unsupported for one
/// that llama.cpp does not have, and the errors of parsing, which name the file.
Result<GgufDescription> describeGguf(const GgufFamily& family, const ModelConfig& settings,
                                     const ModelFiles& files);

/// "7.2B", "8x7.2B": parameters as the converter counts them.
struct GgufTensorSize {
    std::string_view name;
    std::uint64_t elements = 0;
    std::uint64_t experts = 1; ///< extent of the first dimension of joined experts
};
std::string ggufSizeLabel(std::span<const GgufTensorSize> tensors);

} // namespace cairn
