// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dims.h"

#include <cstddef>
#include <cstdint>

/// Private to this folder.
namespace cairn::formats::dcp {

/// Hash for tables of shapes and origins.
struct DimsHash {
    std::size_t operator()(const Dims& dims) const {
        std::uint64_t hash = dims.size();
        for (const std::int64_t number : dims.span()) {
            hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9E37'79B9'7F4A'7C15U;
            hash ^= hash >> 29U;
        }
        return hash;
    }
};

} // namespace cairn::formats::dcp
