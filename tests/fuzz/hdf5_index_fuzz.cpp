// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/hdf5_index.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

// What the process that reads HDF5 prints, for those who have to believe it: any bytes.

namespace {

void require(bool holds) {
    if (!holds) {
        __builtin_trap();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr cairn::ByteRange kRange{4096, 1U << 20U};
    const auto inside = [&](cairn::ByteRange bytes) {
        return bytes.offset >= kRange.offset && bytes.length <= kRange.length &&
               bytes.offset - kRange.offset <= kRange.length - bytes.length;
    };
    const auto index = cairn::hdf5::parseIndex(
        std::string_view(reinterpret_cast<const char*>(data), size), kRange, "fuzz");
    if (!index) {
        return 0;
    }
    for (const auto& dataset : index->datasets) {
        require(!dataset.bytes || inside(*dataset.bytes));
        for (const auto& chunk : dataset.chunks) {
            require(inside(chunk.bytes));
        }
    }
    return 0;
}
