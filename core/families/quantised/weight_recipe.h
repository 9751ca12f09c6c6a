// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/config/model_config.h"
#include "core/families/quantised/quantised_weights.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// How the elements of a quantised weight are computed from its parts, with the library's own
/// operations and roundings. The elements are computed in analysis/unpacked_weights.h.
namespace cairn {

/// How a matrix of small numbers is stored.
enum class CodePacking : std::uint8_t {
    Elements,    ///< one number an element: integers, float8
    Words,       ///< in 32-bit words along a row, the lowest bits first
    RowWords,    ///< in 32-bit words along a column: a word holds elements of several rows
    AwqWords,    ///< eight of 4 bits along a row, in the order 0, 2, 4, 6, 1, 3, 5, 7
    LowFirst,    ///< two a byte along a row, the lower half first
    HighFirst,   ///< two a byte along a row, the upper half first
    StackedRows, ///< in bytes along a column: the highest bits are of the first rows, the next ones
                 ///< of as many rows after them
};

/// A matrix of codes or zero points, in C order over all dimensions but the last.
struct CodeMatrix {
    TensorIndex tensor;
    CodePacking packing = CodePacking::Elements;
    unsigned bits = 8; ///< of a packed code: 2, 4 or 8
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int32_t added = 0;          ///< to each code
    bool wraps = false;              ///< the sum carries over into the word's next code (GPTQ)
    std::vector<float> numbers = {}; ///< of each code; empty: the code is the number
};

/// element = (code - zero) x scale (x factor) (+ shift), each operation rounded to `arithmetic`.
struct WeightRecipe {
    std::string name;
    Dtype dtype{};         ///< in which the library gives the weight
    bool anyDtype = false; ///< the library gives it in the model's dtype: `dtype` is float32
    Shape shape;
    Dtype arithmetic = Dtype::Float32;
    CodeMatrix codes;
    /// The weight is the transposed matrix of codes: one for each of its leading dimensions.
    bool transposed = false;

    std::int64_t scaleRows = 0; ///< of the matrix of scales, zero points and shifts
    std::int64_t scaleColumns = 0;
    std::int64_t rowBlock = 1; ///< rows and columns of the codes that share one
    std::int64_t columnBlock = 1;
    std::optional<TensorIndex> groups; ///< the row of scales for each row of codes, instead
    TensorIndex scales;
    bool exponents = false; ///< a scale is the power of two for a byte, less 127
    /// Scales that are quantised themselves, as codes of a table: table[code] x scale + offset.
    struct Nested {
        TensorIndex table;
        TensorIndex scales;
        std::int64_t block = 1;
        float offset = 0;
    };
    std::optional<Nested> nested;
    std::optional<TensorIndex> global;      ///< one number for all scales
    bool dividesGlobal = false;             ///< else multiplies
    Dtype scaleArithmetic = Dtype::Float32; ///< to which scales with `global` are rounded
    std::optional<CodeMatrix> zeros;
    std::optional<float> factor;
    std::optional<TensorIndex> shifts;
};

/// Reads small parts: a shape, a description. `config`: that of the model; null: none was found.
/// REQUIRES: QuantisedWeight::mayBeUnpacked(). Fails: Unsupported
/// with the reason (a variant of the layout, or something that only the missing config says), and
/// the errors of readComplete() and parseJson().
Result<WeightRecipe> weightRecipe(const Checkpoint& checkpoint, const QuantisedWeight& weight,
                                  const ModelConfig* config);

} // namespace cairn
