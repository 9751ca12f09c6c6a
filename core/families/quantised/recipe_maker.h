// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/json/json_value.h"
#include "core/families/quantised/weight_recipe.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Internal to core/families/quantised.
///
/// The operations are those of compressed-tensors 0.20 (quantization/lifecycle/forward_helpers.py
/// and compressors/), transformers 5 (integrations/mxfp4.py), AutoAWQ 0.2.9
/// (utils/packing_utils.py), GPTQ's first checkpoint format (zero points less one), bitsandbytes
/// 0.50 (backends/default/ops.py), MLX 0.32 (mlx.core.dequantize), ModelOpt 0.47 (NVFP4QTensor),
/// optimum-quanto 0.2.7 (tensor/qbytes.py), torchao 0.18 (quantization/quant_primitives.py) and HQQ
/// 0.2.8 (core/quantize.py, core/bitpack.py).
namespace cairn {

/// float4_e2m1, by its bits.
inline constexpr std::array<float, 16> kFp4 = {0.0F,  0.5F,  1.0F,  1.5F,  2.0F,  3.0F,
                                               4.0F,  6.0F,  -0.0F, -0.5F, -1.0F, -1.5F,
                                               -2.0F, -3.0F, -4.0F, -6.0F};

/// One weight of a checkpoint, and the recipe that is being made.
class RecipeMaker {
public:
    RecipeMaker(const Checkpoint& checkpoint, const QuantisedWeight& weight,
                const ModelConfig* config);
    Result<WeightRecipe> make();

private:
    Result<void> fill();

    // One number an element (number_recipes.cpp).
    Result<void> multiplied(); ///< float8, or what else is multiplied in float32
    Result<void> offset();     ///< compressed-tensors: naive_quantized
    Result<void> exponents();  ///< compressed-tensors: mxfp8
    Result<void> rowMaxima();  ///< bitsandbytes: int8_vectorwise_dequant
    Result<void> scaled();     ///< quanto: integers or float8, multiplied in the scales' dtype
    Result<void> affine();     ///< torchao: (code - zero point) x scale in float32
    [[nodiscard]] bool kindHasSubBytes() const;

    // Several elements in an integer (word_recipes.cpp).
    Result<void> packedWords();  ///< compressed-tensors: pack_quantized
    Result<void> groupedWords(); ///< GPTQ packs along the inputs, AWQ along the outputs
    Result<void> affineWords();  ///< MLX: the shapes give only the product of group size and bits
    Result<void> stackedRows();  ///< HQQ
    Result<Shape> storedShape(TensorIndex tensor) const;
    Result<std::string> storedText(TensorIndex tensor) const;
    Result<std::int64_t> storedNumber(std::string_view end) const;

    // Codes of a table of numbers, in blocks (block_recipes.cpp).
    Result<void> fp4Groups();   ///< compressed-tensors: nvfp4 and mxfp4; ModelOpt
    Result<void> fp4Blocks();   ///< gpt-oss: the experts' matrices, which its model has transposed
    Result<void> blockMaxima(); ///< bitsandbytes: nf4 and fp4, described by a JSON document
    Result<void> nestedMaxima(const JsonValue& document);
    Result<Shape> describedShape(const JsonValue& document) const;

    Error refused(Sentence reason) const;
    /// The other part of the weight whose name has this end.
    [[nodiscard]] std::optional<TensorIndex> part(std::string_view end) const;
    [[nodiscard]] std::optional<TensorIndex> zeroPoints() const;
    [[nodiscard]] const TensorEntry& entry(TensorIndex tensor) const;
    /// A small part: a shape, a description.
    Result<std::vector<std::byte>> read(TensorIndex tensor) const;
    /// Of `quantization_config`.
    [[nodiscard]] std::optional<std::string> configured(std::string_view field) const;
    /// Of this module, or of all: mlx-lm writes both below "quantization".
    [[nodiscard]] std::optional<std::int64_t> setting(std::string_view field) const;

    /// A matrix of all dimensions but the last, times the last.
    static std::pair<std::int64_t, std::int64_t> matrixOf(const Shape& shape);
    void takeCodes(const Shape& shape);
    /// One scale for all, for each row, or for each group or block, the last ones clipped.
    Result<void> takeScales(const Shape& shape);
    /// Groups of equal numbers of columns: `scales` has the codes' rows.
    Result<void> takeGroups();
    /// Zero points that are stored as the scales are, one number an element; none: nothing to do.
    Result<void> takeZeros(const std::optional<TensorIndex>& zeros);
    Result<void> computeAs(Dtype dtype);

    const Checkpoint& m_checkpoint;
    const QuantisedWeight& m_weight;
    const ModelConfig* m_config;
    const TensorEntry& m_codes;
    const TensorEntry& m_scales;
    std::string m_stem;
    WeightRecipe m_recipe;
};

} // namespace cairn
