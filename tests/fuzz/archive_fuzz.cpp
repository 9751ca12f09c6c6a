// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/archive/container.h"
#include "core/codec/planes/planes.h"
#include "core/model/value_bytes.h"

#include <cstdint>
#include <vector>

namespace {

using namespace cairn;

/// Any bytes as a chunk of each form: unpacked or refused, never written beyond the elements.
void unpackAll(std::span<const std::byte> data) {
    if (data.empty()) {
        return;
    }
    const std::size_t count = 1 + std::to_integer<std::size_t>(data.front()) * 17;
    planes::Unpacker unpacker;
    for (const std::size_t width : {1U, 2U, 4U, 8U}) {
        std::vector<std::byte> elements(count * width);
        if (unpacker.unpack({width, width > 1}, data.subspan(1), elements)) {
            planes::Packer packer;
            std::vector<std::byte> again;
            std::vector<std::byte> back(elements.size());
            if (!packer.pack({width, width > 1}, elements, again) ||
                !unpacker.unpack({width, width > 1}, again, back) || back != elements) {
                __builtin_trap();
            }
        }
    }
}

/// The bytes as the index of a complete file with correct checksums, so that the content is parsed.
void openAround(std::span<const std::byte> data) {
    std::vector<std::byte> file(archive::kHeadBytes + 64);
    std::ranges::copy(archive::makeHead(), file.begin());
    const archive::SealedSection values{{std::byte{1}}, 1};
    const archive::SealedSection index{{data.begin(), data.end()}, data.size()};
    const std::uint64_t offset = file.size();
    const auto foot = archive::makeFoot(offset, values, index);
    file.insert(file.end(), values.bytes.begin(), values.bytes.end());
    file.insert(file.end(), index.bytes.begin(), index.bytes.end());
    file.insert(file.end(), foot.begin(), foot.end());
    const auto opened = archive::openArchive(*makeMemorySource(std::move(file), "fuzz.cairnz"));
    if (opened && opened->offsets.back() != offset) {
        __builtin_trap();
    }
}

} // namespace

/// An archive, an index, plain values or a chunk: parsed or refused; what was parsed is written
/// back identically.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    (void)archive::openArchive(*makeMemorySource({bytes.begin(), bytes.end()}, "fuzz.cairnz"));
    if (const auto index = archive::decodeIndex(bytes)) {
        const auto again = archive::decodeIndex(archive::encodeIndex(*index));
        if (!again || again->chunks.size() != index->chunks.size()) {
            __builtin_trap();
        }
    }
    if (const auto value = valueFromBytes(bytes, 4)) {
        const auto again = valueToBytes(*value);
        if (!again || !valueFromBytes(*again, 4)) {
            __builtin_trap();
        }
    }
    openAround(bytes);
    unpackAll(bytes);
    return 0;
}
