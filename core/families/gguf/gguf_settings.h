// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/gguf/gguf.h"

/// Internal to the GGUF files of this room.
namespace cairn {

/// `<arch>.*`, and the tensors of the rotary embedding.
Result<void> describeGgufSettings(const GgufFamily& family, const ModelConfig& settings,
                                  GgufDescription& description);

/// What follows from the rotary embedding for some families. Fails with Unsupported.
Result<void> describeGgufRope(const GgufFamily& family, const ModelConfig& settings,
                              GgufDescription& description);

std::string ggufRopeType(const ModelConfig& settings); ///< "default" if there is none
/// The first of the words that is a field, or a number; nothing if none is.
std::optional<double> ggufNumber(std::string_view words, const ModelConfig& settings);

/// `tokenizer.*`.
Result<void> describeGgufTokenizer(const GgufFamily& family, const ModelConfig& settings,
                                   const ModelFiles& files, GgufDescription& description);

} // namespace cairn
