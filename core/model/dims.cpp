// SPDX-License-Identifier: Apache-2.0
#include "core/model/dims.h"

#include "core/base/checked.h"

namespace cairn {

constinit std::int64_t Dims::s_zeros[kZeros + 1] = {};

std::optional<std::uint64_t> elementCount(const Dims& shape) {
    std::uint64_t count = 1;
    bool empty = false;
    for (const std::int64_t extent : shape.span()) {
        if (extent < 0) {
            return std::nullopt;
        }
        empty = empty || extent == 0;
        if (extent != 0) {
            const auto product = checkedMul(count, static_cast<std::uint64_t>(extent));
            if (!product) {
                return std::nullopt;
            }
            count = *product;
        }
    }
    return empty ? 0 : count;
}

Strides denseStrides(const Dims& shape) {
    Strides strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) {
        strides[i - 1] = strides[i] * std::max<std::int64_t>(shape[i], 1);
    }
    return strides;
}

std::string formatDims(const Dims& dims) {
    std::string text = "[";
    for (std::size_t i = 0; i < dims.size(); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(dims[i]);
    }
    return text + "]";
}

bool fitsInto(const Box& box, const Dims& shape) {
    if (box.origin.size() != shape.size() || box.extent.size() != shape.size()) {
        return false;
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool fits = box.origin[i] >= 0 && box.extent[i] >= 0 && box.origin[i] <= shape[i] &&
                          box.extent[i] <= shape[i] - box.origin[i];
        if (!fits) {
            return false;
        }
    }
    return true;
}

std::optional<Box> intersect(const Box& a, const Box& b) {
    Box common{Dims(a.origin.size(), 0), Dims(a.origin.size(), 0)};
    for (std::size_t i = 0; i < a.origin.size(); ++i) {
        const std::int64_t begin = std::max(a.origin[i], b.origin[i]);
        const std::int64_t end = std::min(a.origin[i] + a.extent[i], b.origin[i] + b.extent[i]);
        if (end <= begin) {
            return std::nullopt;
        }
        common.origin[i] = begin;
        common.extent[i] = end - begin;
    }
    return common;
}

} // namespace cairn
