// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/fetch_heads.h"

#include "core/base/endian.h"
#include "core/formats/common/safetensors/safetensors_header.h"
#include "core/io/prefetch.h"

#include <array>
#include <optional>
#include <vector>

namespace cairn::formats {
namespace {

constexpr std::uint64_t kEnds = 16384; ///< a torch archive's pickle and directory are mostly in it
constexpr std::uint64_t kLengthBytes = 8;

/// The header of a safetensors file, if more of it is missing than its first bytes. Its length is
/// not checked here: a wrong one reads too much or nothing. Nothing: it cannot be read.
std::optional<ByteRange> headerBeyond(const ByteSource& source) {
    std::array<std::byte, kLengthBytes> bytes{};
    if (source.size() < bytes.size()) {
        return ByteRange{};
    }
    if (!source.readAt(0, bytes)) {
        return std::nullopt;
    }
    const auto length = loadLittle<std::uint64_t>(bytes);
    const bool isLonger = length <= kMaxSafetensorsHeader && kLengthBytes + length > kEnds;
    return isLonger ? ByteRange{0, kLengthBytes + length} : ByteRange{};
}

} // namespace

void fetchHeads(const Folder& folder, std::span<const std::string> names,
                const CancelToken& cancel) {
    std::vector<ByteSourcePtr> files;
    std::vector<ByteSourcePtr> safetensors;
    std::vector<SoonRead> reads;
    for (const std::string& name : names) {
        auto file = folder.openFile(name);
        if (!file) {
            continue;
        }
        if (!isFetched(**file)) {
            return; // on this machine
        }
        addEnds(reads, **file, {0, (*file)->size()}, kEnds);
        (name.ends_with(".safetensors") ? safetensors : files).push_back(std::move(*file));
    }
    if (!prefetch(reads, cancel)) {
        return;
    }
    reads.clear();
    for (const ByteSourcePtr& each : safetensors) {
        const auto header = headerBeyond(*each);
        if (!header || cancel.cancelled()) {
            return; // the host may be gone; opening the file reports why
        }
        reads.push_back({each.get(), *header});
    }
    (void)prefetch(reads, cancel);
}

} // namespace cairn::formats
