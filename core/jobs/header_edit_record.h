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

/// The backup: one line of JSON, the old header, the new one.
struct EditRecord {
    struct Sample {
        std::uint64_t at = 0; ///< from the data's beginning
        std::uint64_t length = 0;
        Sha256Digest digest{};
    };
    std::string file;
    FileIdentity identity; ///< before
    std::vector<std::byte> before;
    std::vector<std::byte> after;
    std::vector<Sample> samples;
    [[nodiscard]] std::uint64_t inserted() const { return after.size() - before.size(); }
};

/// Samples some blocks of the data, the first and the last among them.
Result<std::vector<EditRecord::Sample>> sampleData(const ByteSource& file, std::uint64_t dataStart);

std::vector<std::byte> recordBytes(const EditRecord& record);
/// Fails with BadEncoding for anything that recordBytes() does not make.
Result<EditRecord> parseRecord(const ByteSource& backup);

enum class EditStage : std::uint8_t { Before, Between, After };

struct EditState {
    EditStage stage = EditStage::Before;
    bool larger = false;    ///< the inserted bytes are there
    std::uint64_t hole = 0; ///< larger: the range to be removed, inserted() bytes from here
    bool atEnd = false;     ///< larger: it only became longer, nothing was moved
};

/// Compares the file with the record: sizes, every byte of the header, holes, samples.
/// Fails with ChangedOnDisk when this is nothing that the edit, its undoing, or a power cut in
/// either of them leaves.
Result<EditState> editState(const FileHandle& file, const EditRecord& record);

/// A separate source for an open file.
Result<ByteSourcePtr> sourceOf(const FileHandle& file);

/// Writes the header so that no reader accepts an incomplete one: the length last.
Result<void> writeHeader(FileOps& ops, const FileHandle& file, std::span<const std::byte> header);

/// From any state back to the old file, durable. Idempotent.
Result<void> undoEdit(FileOps& ops, const FileHandle& file, const EditRecord& record);

} // namespace cairn
