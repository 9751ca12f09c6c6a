// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Builds safetensors files by hand, for tests that need to know every byte. For little-endian
/// machines.
namespace cairn::test {

/// A file of this header and data, both unchecked.
inline std::string safetensorsFile(std::string_view header, std::string_view data) {
    std::string file(8, '\0');
    const std::uint64_t length = header.size();
    std::memcpy(file.data(), &length, 8);
    file += header;
    file += data;
    return file;
}

/// With `dataBytes` bytes 0, 1, 2, … as data.
inline std::string safetensorsFile(std::string_view header, std::size_t dataBytes) {
    std::string data(dataBytes, '\0');
    for (std::size_t i = 0; i < dataBytes; ++i) {
        data[i] = static_cast<char>(i);
    }
    return safetensorsFile(header, data);
}

struct SafetensorsTensor {
    std::string name;
    std::string dtype; ///< as spelled in the file: "F32"
    std::vector<std::int64_t> shape;
    std::size_t bytes = 0;
};

/// A header of tensors stored one after another.
inline std::string safetensorsHeader(std::span<const SafetensorsTensor> tensors) {
    std::string text = "{";
    std::size_t at = 0;
    for (const SafetensorsTensor& tensor : tensors) {
        std::string shape;
        for (const std::int64_t extent : tensor.shape) {
            shape += (shape.empty() ? "" : ",") + std::to_string(extent);
        }
        text += (text.size() > 1 ? ",\"" : "\"") + tensor.name + R"(":{"dtype":")" + tensor.dtype +
                R"(","shape":[)" + shape + R"(],"data_offsets":[)" + std::to_string(at) + "," +
                std::to_string(at + tensor.bytes) + "]}";
        at += tensor.bytes;
    }
    return text + "}";
}

inline std::size_t bytesOfAll(std::span<const SafetensorsTensor> tensors) {
    std::size_t sum = 0;
    for (const SafetensorsTensor& tensor : tensors) {
        sum += tensor.bytes;
    }
    return sum;
}

/// Tensors whose data are counting bytes.
inline std::string safetensorsFile(const std::vector<SafetensorsTensor>& tensors) {
    return safetensorsFile(safetensorsHeader(tensors), bytesOfAll(tensors));
}

/// One dimension of `bytes` bytes.
inline SafetensorsTensor byteTensor(std::string_view name, std::size_t bytes = 4) {
    return {std::string(name), "U8", {static_cast<std::int64_t>(bytes)}, bytes};
}

/// The smallest complete checkpoint.
inline std::string smallSafetensors() {
    return safetensorsFile({byteTensor("w")});
}

} // namespace cairn::test
