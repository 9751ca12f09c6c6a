// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/families/quantised/weight_recipe.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// What a tensor of a quantised weight is to whoever reads its elements.
struct QuantisedTensor {
    enum class Kind : std::uint8_t {
        Weight, ///< codes that are read as the weight's numbers
        Codes,  ///< codes that are read as they are stored: no numbers of the weight
        Part,   ///< scales, zero points, code books, as they are stored
    };
    Kind kind = Kind::Part;
    std::string_view layout; ///< WeightLayout::name
    std::string weight;      ///< the weight's name; that of the codes if it has no other
    Sentence why;            ///< for Codes: why they are not read as the weight
};
/// "weight", "codes", "part"
std::string_view quantisedKindName(QuantisedTensor::Kind kind);
/// "dequantised, GPTQ", "codes of GPTQ", "part of GPTQ"
Sentence quantisedText(const QuantisedTensor& tensor);

/// A checkpoint to read weights from: quantised weights are their numbers where the recipe is known
/// (families/quantised/weight_recipe.h), under the weight's name, and what else they consist of is
/// named. Statistics, differences and previews read it, so that codes are never taken for weights.
/// ggml's blocks are left as they are (dequantized.h). Immutable; any thread.
class WeightValues {
public:
    /// `config`: that of the model; null: none was found, so that layouts which need it stay codes.
    /// Reads small parts; a weight whose parts cannot be read stays codes. Fails with Cancelled.
    static Result<WeightValues> of(CheckpointPtr stored, const ModelConfig* config,
                                   const CancelToken& cancel);
    /// Nothing is quantised, or it does not matter.
    static WeightValues asStored(CheckpointPtr stored);

    /// With the weights' numbers, at the same indices (unpacked_weights.h); the stored one if there
    /// are none.
    [[nodiscard]] const CheckpointPtr& checkpoint() const { return m_checkpoint; }
    [[nodiscard]] const CheckpointPtr& stored() const { return m_stored; }
    /// Null: an ordinary tensor.
    [[nodiscard]] const QuantisedTensor* find(TensorIndex tensor) const;
    /// Whether the elements, as they are read here, are numbers of a weight or of a plain tensor.
    [[nodiscard]] bool isNumbers(TensorIndex tensor) const;
    [[nodiscard]] bool isWeight(TensorIndex tensor) const;
    /// Fails with Unsupported for codes that are not read as their weight.
    [[nodiscard]] Result<void> checkNumbers(TensorIndex tensor) const;
    [[nodiscard]] const std::map<TensorIndex, QuantisedTensor>& tensors() const {
        return m_tensors;
    }
    /// Whether the library gives the weight in any dtype, so that `only` may choose it.
    [[nodiscard]] bool hasAnyDtype(TensorIndex weight) const;
    /// The same with the numbers of these weights alone, and the others as stored, with `why`. A
    /// dtype is for weights that the library gives in any.
    [[nodiscard]] WeightValues only(const std::map<TensorIndex, std::optional<Dtype>>& weights,
                                    const Sentence& why) const;
    /// The tensor with this name, read as a weight or stored.
    [[nodiscard]] std::optional<TensorIndex> find(std::string_view name) const;

private:
    CheckpointPtr m_stored;
    CheckpointPtr m_checkpoint;
    std::map<TensorIndex, QuantisedTensor> m_tensors;
    std::map<TensorIndex, WeightRecipe> m_recipes; ///< by codes
};

} // namespace cairn
