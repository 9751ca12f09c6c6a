// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/byte_source.h"
#include "core/io/file_ops.h"
#include "core/io/hash.h"

#include <cstdint>
#include <string>
#include <vector>

/// The record that an edit in place writes before it begins, and the state of a file relative to
/// its record. Private to the edit.
namespace cairn {

/// The backup: one line of JSON, the old header, the new header.
struct EditRecord {
    struct Sample {
        std::uint64_t at = 0; ///< offset from the start of the data
        std::uint64_t length = 0;
        Sha256Digest digest{};
    };
    std::string file;
    FileIdentity identity; ///< before the edit
    std::vector<std::byte> before;
    std::vector<std::byte> after;
    std::vector<Sample> samples;
    [[nodiscard]] std::uint64_t inserted() const { return after.size() - before.size(); }
};

/// Samples some blocks of the data, including the first and the last.
Result<std::vector<EditRecord::Sample>> sampleData(const ByteSource& file, std::uint64_t dataStart);

std::vector<std::byte> recordBytes(const EditRecord& record);
/// Fails with BadEncoding for anything that recordBytes() did not write.
Result<EditRecord> parseRecord(const ByteSource& backup);

enum class EditStage : std::uint8_t { Before, Between, After };

struct EditState {
    EditStage stage = EditStage::Before;
    bool larger = false;    ///< blocks have been inserted
    std::uint64_t hole = 0; ///< larger: start of the inserted() bytes that must be removed
    bool atEnd = false;     ///< larger: the file only became longer; nothing was moved
};

/// Compares the file with the record: sizes, every byte of the header, holes, samples. Fails with
/// ChangedOnDisk if the state cannot result from the edit, its undoing, or a power failure during
/// either.
Result<EditState> editState(const FileHandle& file, const EditRecord& record);

/// A separate source for an open file.
Result<ByteSourcePtr> sourceOf(const FileHandle& file);

/// Writes the header in an order in which no reader accepts an incomplete one: the length last.
Result<void> writeHeader(FileOps& ops, const FileHandle& file, std::span<const std::byte> header);

/// Restores the old file durably from any state. Idempotent.
Result<void> undoEdit(FileOps& ops, const FileHandle& file, const EditRecord& record);

} // namespace cairn
