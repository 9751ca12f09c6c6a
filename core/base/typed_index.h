// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace cairn {

/// A position in one kind of list; mixing two kinds does not compile.
template <class Tag> struct TypedIndex {
    std::uint32_t value = 0;

    TypedIndex() = default;
    explicit TypedIndex(std::size_t position) : value(static_cast<std::uint32_t>(position)) {}
    [[nodiscard]] std::size_t position() const { return value; }
    friend auto operator<=>(const TypedIndex&, const TypedIndex&) = default;
};

using FileIndex = TypedIndex<struct FileTag>;     ///< into Checkpoint::files()
using TensorIndex = TypedIndex<struct TensorTag>; ///< into Checkpoint::tensors()

} // namespace cairn
