// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dims.h"
#include "core/model/dtype.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// Precisions with scales, to which weights are quantised; casts without scales are in
/// cast_pair.h. Pure.
namespace cairn {

/// Which elements share a scale.
enum class ScaleGroup : std::uint8_t {
    InBlocks, ///< those of a block of the dtype, which contains it
    Row,      ///< those of a row: of one output of a linear layer
    Tensor,   ///< all
    Square    ///< 128 rows by 128 columns, clipped at the edges
};

inline constexpr std::int64_t kSquareSide = 128;

/// What follows the name of a weight in that of its scales, where engines read them.
std::string_view scaleSuffix(ScaleGroup scales);

/// One row of the table of precisions.
struct Precision {
    std::string_view name; ///< of --dtype
    Dtype dtype{};         ///< of the stored elements
    ScaleGroup scales = ScaleGroup::InBlocks;
    double largest = 0; ///< with separate scales: the largest element of a group becomes this
    /// Embeddings and the head are quantised, too, as llama.cpp does; else only linear layers.
    bool wholeModel = false;
    /// For the head, if it needs more than the rest.
    std::optional<Dtype> head;
    bool isWritten = false; ///< else only its error can be forecast

    [[nodiscard]] bool inBlocks() const { return scales == ScaleGroup::InBlocks; }
};

std::span<const Precision> allPrecisions();

/// The grid of scales of a matrix. REQUIRES: separate scales, two dimensions.
Shape scaleGrid(ScaleGroup scales, const Shape& matrix);

/// Null: not a precision with scales.
const Precision* precisionOf(std::string_view name);

/// Whether floats of dtype `from` can be quantised to blocks of dtype `to` (compute/quantize.h).
bool canQuantize(Dtype from, Dtype to);

} // namespace cairn
