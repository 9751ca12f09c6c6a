// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/ocdbt/node.h"
#include "core/codec/zarr/array_info.h"

#include <cstdint>

namespace {

using namespace cairn;

/// Keys increase; children are one level lower and share the beginning of their keys.
void readNode(std::span<const std::byte> body) {
    ocdbt::NodeRef ref{{"d/root", "d/"}, {}, 0, "prefix/", 0};
    ref.height = body.empty() ? std::uint8_t{0} : std::to_integer<std::uint8_t>(body[0]);
    std::string last;
    const ocdbt::NodeSink sink{[&](std::string_view key, const ocdbt::TableFile* file,
                                   const ocdbt::ValueRef& value) -> Result<void> {
                                   if (key <= last || !key.starts_with(ref.prefix) ||
                                       (file == nullptr) != value.isInline) {
                                       __builtin_trap();
                                   }
                                   last = key;
                                   return {};
                               },
                               [&](const ocdbt::NodeRef& child) -> Result<void> {
                                   if (child.height + 1 != ref.height ||
                                       !child.prefix.starts_with(ref.prefix)) {
                                       __builtin_trap();
                                   }
                                   return {};
                               }};
    (void)ocdbt::parseNode(body, ref, sink);
}

void readArray(std::span<const std::byte> text, int version) {
    const auto info = zarr::parseArrayInfo(asText(text), version, "fuzz");
    if (!info) {
        return;
    }
    const bool ranks =
        info->shape.size() == info->chunk.size() && info->chunk.size() == info->inner.size();
    if (!ranks || info->fill.size() != info->type.bytes || info->innerBytes() == 0) {
        __builtin_trap();
    }
}

} // namespace

/// The first byte chooses: a manifest or node with its envelope, a node's body, an array's
/// metadata, a compressed chunk. Any bytes give a result or an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
    constexpr std::uint64_t kLimit = std::uint64_t{1} << 20U;
    switch (data[0] % 8) {
    case 0: {
        const auto body = ocdbt::openEnvelope(bytes, ocdbt::kManifestMagic, {});
        if (body) {
            (void)ocdbt::parseManifest(*body, "ocdbt.process_0/");
        }
        break;
    }
    case 1:
        (void)ocdbt::parseManifest(bytes, "");
        break;
    case 2:
        readNode(bytes);
        break;
    case 3:
        readArray(bytes, 2);
        break;
    case 4:
        readArray(bytes, 3);
        break;
    default: {
        const auto kind = static_cast<Compression>(data[0] % 8 - 4);
        const auto decoded = decodeBuffer(kind, bytes, kLimit);
        if (decoded && decoded->size() > kLimit) {
            __builtin_trap();
        }
    }
    }
    return 0;
}
