// SPDX-License-Identifier: Apache-2.0
//
// What a file can look like whose header is being edited, K bytes being inserted:
//
//   before      old header, data
//   moving      old header, data up to some place X, a hole of K bytes, the rest of the data: the
//               file system moves extents one after another, from the last one when it inserts,
//               from the first one when it takes out; X is the end when only the size has changed
//   moved       K bytes of hole or new header, then old or new header's bytes, then the data
//   written     the new header, data
//   (K is 0)    eight zero bytes or a length, then bytes of either header, data
//   taken out   what lay before the data when "moved", from K on; data
//
// In every state but the first and "written" the first eight bytes are not a length that a reader
// takes, or the file's size is not what its header states. The hole is found again by asking for
// holes, which is why a file with holes of its own is not edited by inserting.
#include "core/jobs/header_edit/header_edit_record.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/io/movable_blocks.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fcntl.h>

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "cairn/edit/1";
constexpr std::uint64_t kDataSample = std::uint64_t{16} << 10U;
constexpr std::uint64_t kDataSamples = 8;
constexpr std::uint64_t kMaxFirstLine = std::uint64_t{64} << 10U;
constexpr std::uint64_t kMaxBackup = std::uint64_t{512} << 20U;
constexpr std::size_t kLength = 8; ///< size of the length field

Error changedSinceEdit(const FileHandle& file, Sentence found) {
    return fail(ErrorCode::ChangedOnDisk, "The file is not the one that the interrupted edit left")
        .inFile(file.name())
        .butFound(std::move(found))
        .withHint("If you replaced the file, remove the backup beside it");
}

Sha256Digest digestOf(std::span<const std::byte> bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hash.finish();
}

std::uint64_t unsignedOf(const JsonValue& object, std::string_view key) {
    const JsonValue* value = object.find(key);
    return value == nullptr ? ~std::uint64_t{0} : value->asUnsigned().value_or(~std::uint64_t{0});
}

Sha256Digest digestIn(const JsonValue& object, std::string_view key) {
    Sha256Digest digest{};
    const JsonValue* value = object.find(key);
    const auto bytes = hexBytes(value == nullptr ? "" : value->asString().value_or(""));
    std::copy_n(bytes.begin(), std::min(bytes.size(), digest.size()), digest.begin());
    return digest;
}

/// A view of the file without the hole.
class RestoredView {
public:
    RestoredView(const ByteSource& file, const EditState& state, std::uint64_t inserted)
        : m_file(file), m_hole(state.larger && !state.atEnd ? state.hole : ~std::uint64_t{0}),
          m_inserted(inserted) {}

    [[nodiscard]] Result<std::vector<std::byte>> read(std::uint64_t offset,
                                                      std::uint64_t length) const {
        std::vector<std::byte> bytes(static_cast<std::size_t>(length));
        const std::uint64_t below = offset < m_hole ? std::min(length, m_hole - offset) : 0;
        const auto split = static_cast<std::size_t>(below);
        CAIRN_CHECK(m_file.readAt(offset, std::span(bytes).first(split)));
        if (below < length) {
            CAIRN_CHECK(
                m_file.readAt(offset + below + m_inserted, std::span(bytes).subspan(split)));
        }
        return bytes;
    }

private:
    const ByteSource& m_file;
    std::uint64_t m_hole;
    std::uint64_t m_inserted;
};

/// Finds the inserted bytes in the enlarged file.
Result<void> findHole(const FileHandle& file, const EditRecord& record, EditState& state) {
    const std::uint64_t inserted = record.inserted();
    const std::uint64_t size = record.identity.size + inserted;
    const auto hole = nextHole(file.fd(), 0);
    if (!hole) {
        return changedSinceEdit(file, "a file system that does not report holes");
    }
    if (*hole >= record.identity.size && *hole < size) {
        state.atEnd = true;
        return {};
    }
    const std::uint64_t end = nextData(file.fd(), *hole).value_or(size);
    if (*hole == size || end <= inserted) {
        state.hole = 0; // already moved; the new header may be partly written
        return {};
    }
    if (end - *hole != inserted) {
        return changedSinceEdit(file,
                                sentence("a hole of %1 bytes at byte %2", end - *hole, *hole));
    }
    state.hole = *hole;
    return {};
}

Result<bool> samplesMatch(const RestoredView& view, const EditRecord& record) {
    for (const EditRecord::Sample& sample : record.samples) {
        CAIRN_TRY(const auto bytes, view.read(record.before.size() + sample.at, sample.length));
        if (digestOf(bytes) != sample.digest) {
            return false;
        }
    }
    return true;
}

/// True if every byte is from the old header, from the new one, or zero. `shift`: distance between
/// the positions in the new and the old header.
bool mixed(std::span<const std::byte> bytes, std::span<const std::byte> before,
           std::span<const std::byte> after, std::uint64_t shift) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const bool blank = i < kLength && bytes[i] == std::byte{0};
        if (bytes[i] != before[i] && bytes[i] != after[i + shift] && !blank) {
            return false;
        }
    }
    return true;
}

bool blankOrNew(std::span<const std::byte> bytes, std::span<const std::byte> after) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] != std::byte{0} && bytes[i] != after[i]) {
            return false;
        }
    }
    return true;
}

} // namespace

Result<std::vector<EditRecord::Sample>> sampleData(const ByteSource& file,
                                                   std::uint64_t dataStart) {
    std::vector<EditRecord::Sample> samples;
    const std::uint64_t size = file.size() - dataStart;
    const std::uint64_t length = std::min(size, kDataSample);
    for (std::uint64_t i = 0; i < kDataSamples && length > 0; ++i) {
        const std::uint64_t at = (size - length) / (kDataSamples - 1) * i;
        const std::uint64_t place = i + 1 == kDataSamples ? size - length : at;
        CAIRN_TRY(const auto bytes, readRange(file, {dataStart + place, length}));
        samples.push_back({place, length, digestOf(bytes)});
    }
    return samples;
}

std::vector<std::byte> recordBytes(const EditRecord& record) {
    Json line = {{"schema", kSchema},
                 {"file", record.file},
                 {"size", record.identity.size},
                 {"inode", record.identity.inode},
                 {"device", record.identity.device},
                 {"mtime_ns", record.identity.mtimeNs},
                 {"header_before", record.before.size()},
                 {"header_after", record.after.size()},
                 {"sha256_before", hexText(digestOf(record.before))},
                 {"sha256_after", hexText(digestOf(record.after))},
                 {"samples", Json::array()}};
    for (const EditRecord::Sample& sample : record.samples) {
        line["samples"].push_back(
            {{"at", sample.at}, {"length", sample.length}, {"sha256", hexText(sample.digest)}});
    }
    const std::string text = line.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
    const auto first = asBytes(text);
    std::vector<std::byte> bytes(first.begin(), first.end());
    bytes.insert(bytes.end(), record.before.begin(), record.before.end());
    bytes.insert(bytes.end(), record.after.begin(), record.after.end());
    return bytes;
}

Result<EditRecord> parseRecord(const ByteSource& backup) {
    const auto damaged = [&] {
        return fail(ErrorCode::BadEncoding, "The backup of the header is damaged")
            .inFile(backup.name())
            .withHint("Remove it if the file itself is correct");
    };
    if (backup.size() > kMaxBackup) {
        return damaged();
    }
    CAIRN_TRY(const auto all, readRange(backup, {0, backup.size()}));
    const auto end = std::ranges::find(all, std::byte{'\n'});
    const auto length = static_cast<std::size_t>(end - all.begin());
    if (end == all.end() || length > kMaxFirstLine) {
        return damaged();
    }
    const auto line = parseJson(asText(std::span(all).first(length)), backup.name());
    if (!line) {
        return damaged();
    }
    EditRecord record;
    const std::uint64_t before = unsignedOf(*line, "header_before");
    const std::uint64_t after = unsignedOf(*line, "header_after");
    const std::uint64_t rest = all.size() - length - 1;
    const JsonValue* schema = line->find("schema");
    if (schema == nullptr || schema->asString().value_or("") != kSchema || before <= kLength ||
        before > after || before > rest || after != rest - before) {
        return damaged();
    }
    const auto middle = end + 1 + static_cast<std::ptrdiff_t>(before);
    record.before.assign(end + 1, middle);
    record.after.assign(middle, all.end());
    record.identity.size = unsignedOf(*line, "size");
    record.identity.inode = unsignedOf(*line, "inode");
    const JsonValue* samples = line->find("samples");
    if (digestOf(record.before) != digestIn(*line, "sha256_before") ||
        digestOf(record.after) != digestIn(*line, "sha256_after") ||
        record.identity.size < before || record.identity.size > ~std::uint64_t{0} / 4 ||
        samples == nullptr) {
        return damaged();
    }
    const std::uint64_t data = record.identity.size - before;
    for (const JsonValue& each : samples->elements()) {
        const EditRecord::Sample sample{unsignedOf(each, "at"), unsignedOf(each, "length"),
                                        digestIn(each, "sha256")};
        if (sample.length > kDataSample || sample.length > data ||
            sample.at > data - sample.length) {
            return damaged();
        }
        record.samples.push_back(sample);
    }
    return record;
}

Result<ByteSourcePtr> sourceOf(const FileHandle& file) {
    return makeFileSource(::fcntl(file.fd(), F_DUPFD_CLOEXEC, 0), file.name());
}

Result<EditState> editState(const FileHandle& file, const EditRecord& record) {
    CAIRN_TRY(const ByteSourcePtr source, sourceOf(file));
    const std::uint64_t inserted = record.inserted();
    EditState state;
    state.larger = inserted > 0 && source->size() == record.identity.size + inserted;
    if (source->size() != record.identity.size && !state.larger) {
        return changedSinceEdit(file, sentence("%1 bytes", source->size()));
    }
    if (state.larger) {
        CAIRN_CHECK(findHole(file, record, state));
    }
    const RestoredView view(*source, state, inserted);
    CAIRN_TRY(const bool sound, samplesMatch(view, record));
    if (!sound) {
        return changedSinceEdit(file, "different data");
    }
    CAIRN_TRY(const auto old, view.read(0, record.before.size()));
    if (!state.larger && old == record.before) {
        return state;
    }
    const bool moved = state.larger && !state.atEnd && state.hole == 0;
    std::vector<std::byte> start;
    if (moved || inserted == 0) {
        CAIRN_TRY(start, readRange(*source, {0, record.after.size()}));
        if (start == record.after) {
            state.stage = EditStage::After;
            return state;
        }
    }
    state.stage = EditStage::Between;
    const auto added = std::span(start).first(moved ? static_cast<std::size_t>(inserted) : 0);
    if (!mixed(old, record.before, record.after, inserted) || !blankOrNew(added, record.after)) {
        return changedSinceEdit(file, "a different header");
    }
    return state;
}

Result<void> writeHeader(FileOps& ops, const FileHandle& file, std::span<const std::byte> header) {
    CAIRN_CHECK(ops.writeAt(file, kLength, header.subspan(kLength)));
    CAIRN_CHECK(ops.sync(file));
    CAIRN_CHECK(ops.writeAt(file, 0, header.first(kLength)));
    return ops.sync(file);
}

Result<void> undoEdit(FileOps& ops, const FileHandle& file, const EditRecord& record) {
    CAIRN_TRY(EditState state, editState(file, record));
    if (state.larger) {
        if (state.atEnd) {
            CAIRN_CHECK(ops.truncate(file, record.identity.size));
        } else {
            CAIRN_TRY(const bool taken, ops.collapseRange(file, state.hole, record.inserted()));
            if (!taken) {
                return fail(ErrorCode::NotInPlace,
                            "The file system cannot remove the inserted blocks")
                    .inFile(file.name());
            }
        }
        CAIRN_CHECK(ops.sync(file));
        CAIRN_TRY(state, editState(file, record));
    }
    if (state.stage != EditStage::Before) {
        CAIRN_CHECK(ops.writeAt(file, 0, std::vector<std::byte>(kLength)));
        CAIRN_CHECK(ops.sync(file));
        CAIRN_CHECK(writeHeader(ops, file, record.before));
        CAIRN_TRY(state, editState(file, record));
    }
    if (state.stage != EditStage::Before) {
        return fail(ErrorCode::VerifyMismatch, "The old header was not restored")
            .inFile(file.name());
    }
    return ops.sync(file);
}

} // namespace cairn
