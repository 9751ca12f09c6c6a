// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <google/protobuf/io/zero_copy_stream.h>
#include <optional>
#include <vector>

namespace cairn::protobuf {

/// A range of a source as libprotobuf reads it, 64 KiB at a time; skipped bytes are not read.
/// REQUIRES: the range is inside the source and shorter than 2 GiB, the largest valid message.
class SourceStream final : public google::protobuf::io::ZeroCopyInputStream {
public:
    SourceStream(const ByteSource& source, ByteRange range);

    bool Next(const void** data, int* size) override;
    void BackUp(int count) override;
    bool Skip(int count) override;
    std::int64_t ByteCount() const override { return static_cast<std::int64_t>(m_position); }

    /// Why the stream ended before the end of the range; empty if it did not.
    [[nodiscard]] const std::optional<Error>& failure() const { return m_failure; }

private:
    const ByteSource& m_source;
    ByteRange m_range;
    std::uint64_t m_position = 0; ///< relative to the start of the range
    std::vector<std::byte> m_buffer;
    std::optional<Error> m_failure;
};

} // namespace cairn::protobuf
