// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/codec/framing/source_window.h"

/// A TensorFlow record file: for each record u64 length, masked CRC-32C of these eight bytes, the
/// data, masked CRC-32C of the data. Source: tensorflow/core/lib/io/record_reader.cc.
namespace cairn {

enum class TfRecordState : std::uint8_t {
    Record,    ///< the record's length is valid; its data is not checked yet
    End,       ///< the file ends after a complete record
    Truncated, ///< the file ends within this record
    Damaged,   ///< the length does not match its checksum: later records cannot be found
    Zeros,     ///< as Damaged, and the header is all zeros: this part of the file was never written
};

struct TfRecord {
    TfRecordState state = TfRecordState::End;
    std::uint64_t offset = 0; ///< of the record's header
    ByteRange data;           ///< for Record: inside the file
};

/// Walks the records; reads the data of a record only on request. Not thread-safe. Fails as
/// ByteSource::readAt.
class TfRecordReader {
public:
    static constexpr std::size_t kFootBytes = 4; ///< after the data of a record

    /// `from`: the offset of the first record.
    explicit TfRecordReader(ByteSourcePtr source, std::uint64_t from = 0)
        : m_window(std::move(source)) {
        m_window.skip(from);
    }

    /// Moves to the next record.
    Result<TfRecord> next();

    /// The current record's data, valid until the next call; the caller must bound its length. If
    /// `holds` is false, the checksum does not match, and the bytes are returned all the same.
    struct Content {
        std::span<const std::byte> bytes;
        bool holds = false;
    };
    Result<Content> content();

    /// Compares the checksum of the current record in blocks, whatever its length.
    Result<bool> checksumHolds(const CancelToken& cancel);

private:
    SourceWindow m_window; ///< positioned at the current record's data
    TfRecord m_current;
};

} // namespace cairn
