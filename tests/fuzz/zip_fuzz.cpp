// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zip/zip_archive.h"

#include <cstdint>

/// Any bytes: opening gives a result or an error, every entry can be requested, nothing outside is
/// read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const auto source = makeMemorySource({bytes, bytes + size}, "fuzz.zip");
    for (const auto strictness : {ZipStrictness::Strict, ZipStrictness::Inspect}) {
        auto archive = openZip(source, strictness);
        if (!archive) {
            continue;
        }
        for (const ZipEntry& entry : archive->entries()) {
            if (auto range = archive->dataRange(entry); range && !range->fitsInto(size)) {
                __builtin_trap();
            }
            (void)archive->find(entry.name);
            (void)archive->readEntry(entry, std::uint64_t{1} << 20U);
        }
    }
    return 0;
}
