// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/lzf.h"

#include <algorithm>

namespace cairn::hdf5 {
namespace {

constexpr std::size_t kLiteral = 32; // control bytes below this give the length of a literal run
constexpr std::size_t kLongRun = 7;  // the length continues in the next byte

Error badLzf(std::size_t at) {
    return fail(ErrorCode::BadEncoding, "A chunk's LZF data is damaged")
        .butFound(sentence("invalid data at byte %1 of the chunk", at));
}

} // namespace

Result<std::vector<std::byte>> lzfDecoded(std::span<const std::byte> packed, std::size_t most) {
    std::vector<std::byte> out;
    for (std::size_t at = 0; at < packed.size();) {
        const std::size_t start = at;
        const auto left = [&] { return packed.size() - at; };
        const auto next = [&] { return std::to_integer<std::size_t>(packed[at++]); };
        const std::size_t control = next();
        if (control < kLiteral) {
            const std::size_t count = control + 1;
            if (count > left() || count > most - out.size()) {
                return badLzf(start);
            }
            std::ranges::copy(packed.subspan(at, count), std::back_inserter(out));
            at += count;
            continue;
        }
        std::size_t length = control >> 5U;
        if (left() < (length == kLongRun ? 2U : 1U)) {
            return badLzf(start);
        }
        length += length == kLongRun ? next() : 0;
        length += 2;
        const std::size_t back = ((control & 31U) << 8U) + next() + 1;
        if (back > out.size() || length > most - out.size()) {
            return badLzf(start);
        }
        for (; length > 0; --length) { // source and destination may overlap
            out.push_back(out[out.size() - back]);
        }
    }
    return out;
}

} // namespace cairn::hdf5
