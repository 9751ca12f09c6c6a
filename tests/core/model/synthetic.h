// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstring>
#include <numeric>
#include <vector>

/// Checkpoints in memory for tests.
namespace cairn::synthetic {

/// Dense int32 elements 0, 1, 2, … of a tensor of this shape.
inline std::vector<std::int32_t> counting(const Shape& shape) {
    std::vector<std::int32_t> values(elementCount(shape).value());
    std::iota(values.begin(), values.end(), 0);
    return values;
}

template <class T> std::vector<std::byte> bytesOf(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!values.empty()) {
        std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    return bytes;
}

inline FileIndex addMemoryFile(CheckpointData& data, std::vector<std::byte> bytes,
                               const std::string& name) {
    CheckpointFile file;
    file.path = name;
    file.identity.size = bytes.size();
    file.source = makeMemorySource(std::move(bytes), name);
    return data.addFile(std::move(file));
}

/// Elements of `box` of the counting tensor, dense.
inline std::vector<std::int32_t> countingBox(const Shape& shape, const Box& box) {
    std::vector<std::int32_t> out;
    const Strides strides = denseStrides(shape);
    const std::uint64_t count = elementCount(box.extent).value();
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint64_t rest = i;
        std::int64_t linear = 0;
        for (std::size_t d = shape.size(); d-- > 0;) {
            const auto extent = static_cast<std::uint64_t>(box.extent[d]);
            linear += (box.origin[d] + static_cast<std::int64_t>(rest % extent)) * strides[d];
            rest /= extent;
        }
        out.push_back(static_cast<std::int32_t>(linear));
    }
    return out;
}

/// One counting tensor, cut into the given boxes, each dense in its own file after `lead` bytes of
/// padding.
inline TensorEntry cutTensor(CheckpointData& data, std::string name, Shape shape,
                             const std::vector<Box>& boxes, std::size_t lead = 3) {
    TensorEntry tensor;
    tensor.name = std::move(name);
    tensor.dtype = Dtype::Int32;
    tensor.shape = shape;
    tensor.role = Role::Weight;
    for (const Box& box : boxes) {
        std::vector<std::byte> bytes(lead, std::byte{0xEE});
        const auto content = bytesOf(countingBox(shape, box));
        bytes.insert(bytes.end(), content.begin(), content.end());
        const FileIndex file =
            addMemoryFile(data, std::move(bytes), "shard" + std::to_string(data.files.size()));
        tensor.pieces.push_back({box, file, {lead, content.size()}, {}, kRawCodec, {}});
    }
    return tensor;
}

/// Cuts a shape along `dim` into `parts` by torch.chunk's rule (the last ones may be short or
/// empty).
inline std::vector<Box> chunks(const Shape& shape, std::size_t dim, std::int64_t parts) {
    std::vector<Box> boxes;
    const std::int64_t full = (shape[dim] + parts - 1) / parts;
    for (std::int64_t i = 0; i < parts; ++i) {
        Box box = Box::whole(shape);
        box.origin[dim] = std::min(full * i, shape[dim]);
        box.extent[dim] = std::clamp<std::int64_t>(shape[dim] - full * i, 0, full);
        boxes.push_back(box);
    }
    return boxes;
}

} // namespace cairn::synthetic
