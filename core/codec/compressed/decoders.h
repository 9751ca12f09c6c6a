// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/compressed/compressed_source.h"

#include <cstddef>
#include <memory>
#include <span>

namespace cairn {

/// One compression library, one stream at a time; private to this folder. Not thread-safe.
class StreamDecoder {
public:
    enum class Progress : std::uint8_t { More, Ended, Damaged, TooLarge };

    StreamDecoder() = default;
    StreamDecoder(const StreamDecoder&) = delete;
    StreamDecoder& operator=(const StreamDecoder&) = delete;
    virtual ~StreamDecoder() = default;

    /// Called before each stream. False: out of memory.
    virtual bool start() = 0;
    /// Consumes the front of `in` and fills the front of `out`; both spans shrink by what was used.
    virtual Progress decode(std::span<const std::byte>& in, std::span<std::byte>& out) = 0;
};

std::unique_ptr<StreamDecoder> makeDecoder(Compression kind);

} // namespace cairn
