// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/safetensors/safetensors_header.h"

#include <cstdint>

/// Any bytes: a header or an error; the size of every valid tensor matches its shape.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const auto source = makeMemorySource({bytes, bytes + size}, "fuzz.safetensors");
    auto header = readSafetensorsHeader(*source);
    if (!header) {
        return 0;
    }
    for (const SafetensorsTensor& tensor : header->tensors) {
        const auto count = elementCount(tensor.shape);
        const auto length = count ? dtypeBytes(tensor.dtype, *count) : std::nullopt;
        if (tensor.sound && length != tensor.end - tensor.begin) {
            __builtin_trap();
        }
        if (tensor.sound && tensor.end > header->dataSize && header->notices.empty()) {
            __builtin_trap();
        }
    }
    return 0;
}
