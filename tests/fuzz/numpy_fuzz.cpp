// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/formats/common/numpy/npy_header.h"
#include "core/formats/numpy_shards/manifest.h"
#include "core/formats/numpy_shards/shard_names.h"

#include <cstdint>

/// Any bytes, as an array file, a manifest and a file name. Sizes match the shape; names are
/// preserved by encoding and decoding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    using namespace cairn::formats;
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    if (const auto header = parseNpyHeader(bytes)) {
        const auto count = elementCount(header->shape);
        if (!count || checkedMul(*count, header->element.itemBytes) != header->dataBytes ||
            header->dataOffset > size) {
            __builtin_trap();
        }
    }
    (void)parsePythonLiteral(asText(bytes));
    if (const auto json = parseJson(asText(bytes), "manifest.json")) {
        const auto manifest = numpy_shards::readManifest(*json, "manifest.json");
        for (const auto& tensor : manifest.tensors) {
            for (const auto& part : tensor.parts) {
                if (part.origin && part.origin->size() > kMaxRank) {
                    __builtin_trap();
                }
            }
        }
    }
    const std::string name =
        std::string(asText(bytes.first(std::min<std::size_t>(size, 200)))) + ".npz";
    if (const auto parts = numpy_shards::splitNumberedName(name)) {
        if (numpy_shards::numberedName(*parts, parts->number) != name) {
            __builtin_trap();
        }
    }
    return 0;
}
