// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <vector>

/// Which tensors of a checkpoint are quantised weights: codes that are numbers only together with
/// scales, zero points or code books. The one judge of this question: whatever computes with
/// weights (average, cast, dequantise) asks it.
namespace cairn {

/// How a weight is obtained from codes and scales (weight_recipe.h).
enum class Unpacking : std::uint8_t {
    Library,      ///< only by the library that wrote it
    Multiply,     ///< code x scale of its block; the shapes give the blocks
    Blocks,       ///< ggml's blocks, which have their scales inside
    Offset,       ///< (code - zero point) x scale
    Scaled,       ///< code x scale, in the scales' dtype
    Exponents,    ///< code x power of two of its group
    PackedWords,  ///< (code - zero point) x scale, codes in 32-bit words
    Fp4Groups,    ///< two float4_e2m1 a byte, scales of groups, perhaps one of all
    Fp4Blocks,    ///< the same as blocks with exponents, of a transposed matrix
    GroupedWords, ///< GPTQ and AWQ
    RowMaxima,    ///< int8 of a row's maximum
    BlockMaxima,  ///< codes of a table, times the maximum of a block
    AffineWords,  ///< code x scale + shift, codes in 32-bit words
    Affine,       ///< (code - zero point) x scale in float32
    StackedRows,  ///< HQQ
};

/// One way to store a quantised weight. Names alone decide nothing: `fits` looks at dtypes and
/// shapes.
struct WeightLayout {
    std::string_view name;    ///< "GPTQ"
    std::string_view library; ///< whose code the names are from, with the version that was read
    std::string_view codes;   ///< end of the codes' name; "": any
    std::string_view scales;  ///< in its place: the tensor without which the codes are none
    /// In place of `codes`: what else belongs to the weight.
    std::span<const std::string_view> others;
    bool (*mayBe)(const TensorEntry& codes, const TensorEntry& scales); ///< by dtypes
    bool (*fits)(const TensorEntry& codes, const TensorEntry& scales);  ///< by shapes
    Unpacking unpacking = Unpacking::Library;
    std::string_view unpack; ///< the library's call that gives the weight
    /// Parts of a tensor subclass: no loader makes the weight of them without the subclass's
    /// attributes, which safetensors' metadata has under this key; empty: loaders know the names.
    std::string_view recipe = {};
};

struct QuantisedWeight {
    const WeightLayout* layout = nullptr; ///< never null
    TensorIndex codes;
    std::vector<TensorIndex> others; ///< the scales first, if they are a tensor
    /// Proven: dtypes and shapes fit. Named: only names and dtypes; nothing is computed from it.
    Strength strength = Strength::Proven;

    /// Whether it has a recipe (weight_recipe.h), which may still refuse a variant of the layout.
    [[nodiscard]] bool mayBeUnpacked() const {
        return strength == Strength::Proven && layout->unpacking != Unpacking::Library &&
               layout->unpacking != Unpacking::Blocks;
    }
};

/// The quantised weights of a checkpoint. Immutable after construction; any thread.
class QuantisedWeights {
public:
    /// Cost: a few look-ups by name for each tensor that may hold codes. Reads no elements.
    explicit QuantisedWeights(const Checkpoint& checkpoint);

    [[nodiscard]] std::span<const QuantisedWeight> all() const { return m_all; }
    /// The weight of which a tensor is the codes or another part; null: none.
    [[nodiscard]] const QuantisedWeight* of(TensorIndex tensor) const;
    /// Whether rounding the tensor may change what quantised weights or activations mean: it is
    /// part of a weight, or has the name of a scale, which may stand beside any weight.
    [[nodiscard]] bool isPart(TensorIndex tensor) const;

private:
    void add(const Checkpoint& checkpoint, TensorIndex codes);

    std::vector<QuantisedWeight> m_all;
    std::map<TensorIndex, std::size_t> m_byPart;
    std::set<TensorIndex> m_named;
};

} // namespace cairn
