// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/codec/framing/source_window.h"

/// TensorFlow's record files: u64 length, masked CRC-32C of these eight bytes, the data, masked
/// CRC-32C of the data. Source: tensorflow/core/lib/io/record_reader.cc.
namespace cairn {

enum class TfRecordState : std::uint8_t {
    Record,    ///< a record whose length is sound; its data is not examined yet
    End,       ///< the file ends after a complete record
    Truncated, ///< the file ends within this record
    Damaged,   ///< the length does not fit its checksum: nothing after it can be found
    Zeros,     ///< as Damaged, and the head is all zeros: a file that was never filled
};

struct TfRecord {
    TfRecordState state = TfRecordState::End;
    std::uint64_t offset = 0; ///< of the record's head
    ByteRange data;           ///< Record: inside the file
};

/// Goes from record to record; bytes of records that nobody asks for are not read. One thread at a
/// time. Fails as ByteSource::readAt.
class TfRecordReader {
public:
    explicit TfRecordReader(ByteSourcePtr source) : m_window(std::move(source)) {}

    /// Moves after the current record, to the next.
    Result<TfRecord> next();

    /// The current record's data, held by the buffer until the next call; the caller bounds its
    /// length. The checksum is compared: false in `holds` leaves the bytes to be examined.
    struct Content {
        std::span<const std::byte> bytes;
        bool holds = false;
    };
    Result<Content> content();

    /// Compares the checksum of the current record, of any length, in pieces.
    Result<bool> checksumHolds(const CancelToken& cancel);

private:
    SourceWindow m_window; ///< stands at the current record's data
    TfRecord m_current;
};

} // namespace cairn
