// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/row_filter.h"
#include "core/model/tensor_entry.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn {

/// What a list of tensors shows and a filter (row_filter.h) may name. The numbers are the ids of
/// FilterColumn.
enum class TensorProperty : std::uint8_t {
    Name,
    Dtype,
    ShapeText, ///< "4096x1024", "scalar"
    Size,      ///< bytes
    Elements,
    Role,
    Files, ///< distinct files with pieces of the tensor
    Pieces,
    Dims ///< number of dimensions
};

/// The column of a name ("size", "bytes", "rank", …), in upper or lower case. Fails with
/// InvalidArgument, listing the names.
Result<FilterColumn> findTensorProperty(std::string_view name);

/// The cells of tensors, one tensor after another. A cell's text is valid until the next call. For
/// one thread at a time.
class TensorCells {
public:
    FilterCell of(const TensorEntry& tensor, TensorProperty property);

private:
    std::string m_shape;
};

/// Number of distinct files that have pieces of the tensor.
std::size_t fileCount(const TensorEntry& tensor);

} // namespace cairn
