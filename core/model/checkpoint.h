// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"
#include "core/io/folder.h"
#include "core/model/tensor_entry.h"
#include "core/model/value.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// One file of a checkpoint. `source` is for bytes that exist only in memory (an array decoded out
/// of a pickle).
struct CheckpointFile {
    std::string path;   ///< relative to the checkpoint's folder; the file's own name for a single
                        ///< file. For people.
    std::string openAs; ///< relative to `folder`, when that differs from `path` (a nested
                        ///< checkpoint's file)
    FileIdentity
        identity; ///< as it was when the checkpoint was opened; identity.size is the file's size
    FolderPtr folder;        ///< where `path` is opened from
    ByteSourcePtr source;    ///< set: memory, never opened
    bool missing = false;    ///< named by the index but not there
    Role role = Role::Other; ///< what most of the file is for, when the format knows
};

/// Where one piece's elements really are, after its codec was applied.
struct LocatedPiece {
    ByteSourcePtr source;
    ByteRange bytes; ///< first element to one past the last, in `source`
    Strides strides; ///< in elements; empty = dense C order of the piece's box
    ElementFlags flags;
    std::optional<std::uint32_t>
        crc32; ///< stored CRC-32 of exactly `crcRange` of `source`; nothing: none stored
    ByteRange crcRange;
    bool comparesItself = false; ///< reading all of `source` compares a stored checksum
};

/// Finds the elements inside a stored item (a nested torch.save archive, a zstd stream, a deflated
/// record). One object serves all pieces of a checkpoint that carry its CodecId; safe from any
/// thread; owned by the checkpoint. Fails with the format's own codes and fills where.offset
/// relative to the file.
class PieceCodec {
public:
    PieceCodec() = default;
    PieceCodec(const PieceCodec&) = delete;
    PieceCodec& operator=(const PieceCodec&) = delete;
    virtual ~PieceCodec() = default;
    virtual std::string_view
    name() const = 0; ///< for `placement`: "torch.save", "torch.save+zstd", "deflate"
    virtual Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                        const Piece& piece) const = 0;
};

/// How a stored checksum is made: `update` continues it by more bytes, from 0.
struct ChecksumKind {
    std::string_view name = "CRC-32";
    std::uint32_t (*update)(std::uint32_t, std::span<const std::byte>) = nullptr; ///< null: CRC-32
};

/// A checksum that the format stores over a range of a file.
struct StoredChecksum {
    FileIndex file;
    ByteRange bytes;
    std::uint32_t crc32 = 0; ///< of its kind
    std::string what;        ///< the record's name
    ChecksumKind kind = {};
    bool holdsValues = false; ///< plain values are read from the range, too, without comparing it
};

/// The digest of a complete file in a manifest beside it, as computed by sha256sum.
struct StoredDigest {
    FileIndex file;
    std::string algorithm; ///< one that io/hash.h knows: "sha256", "md5", …
    std::string hex;       ///< lower case
    std::string from;      ///< name of the file that records it
};

enum class Completeness : std::uint8_t { Complete, Incomplete, Unknown };
std::string_view completenessName(Completeness completeness);

/// How the stored items of plain values (a pickle, a document, a section, a number) compare with
/// their checksums.
struct ValueRecords {
    std::uint64_t compared = 0;  ///< match theirs
    std::uint64_t unchecked = 0; ///< have none
    std::uint64_t later = 0; ///< part of a large record, whose checksum `check` and jobs compare
    std::uint64_t mismatched = 0; ///< differ from theirs and are shown anyway; a notice reports it
    ValueRecords& operator+=(const ValueRecords& other);
    [[nodiscard]] std::uint64_t total() const { return compared + unchecked + later + mismatched; }
};

/// Plain values with how they were read. A loader that returns only the values compared nothing.
struct LoadedValues {
    Value value;
    ValueRecords records;
    LoadedValues(Value read) : value(std::move(read)), records{.unchecked = 1} {}
    LoadedValues(Value read, const ValueRecords& how) : value(std::move(read)), records(how) {}
};

/// Reads the plain values when they are first asked for; keeps everything alive that it needs.
using ValueLoader = std::function<Result<LoadedValues>(const CancelToken&)>;

/// The result of a format's reader. Plain data; passed to Checkpoint::make and not modified
/// afterwards.
struct CheckpointData {
    std::string format;    ///< id of the format, such as "dcp"
    std::string framework; ///< who wrote it, when that shows: "torch", "lightning", "transformers";
                           ///< may be empty
    std::filesystem::path path;
    std::vector<CheckpointFile> files;
    std::vector<TensorEntry> tensors;
    std::vector<std::shared_ptr<const PieceCodec>> codecs{nullptr}; ///< [kRawCodec] is null
    std::vector<StoredChecksum> checksums;
    std::vector<StoredDigest> digests;
    std::vector<Notice> notices;
    Completeness completeness = Completeness::Unknown;
    std::vector<Sentence> why; ///< reasons for the completeness, one sentence each
    std::optional<std::int64_t> worldSize;
    std::optional<std::int64_t>
        step; ///< if the format itself records it; else derived from the values
    std::optional<double> epoch;
    ValueLoader loadValues; ///< may be empty: no values

    FileIndex addFile(CheckpointFile file);
    CodecId addCodec(std::shared_ptr<const PieceCodec> codec);
};

/// A checkpoint as one set of logical tensors and plain values. Opened by its format's reader:
/// index only, no tensor data. Immutable after open and shared as shared_ptr<const Checkpoint>;
/// every member may be called from any thread. Damage is a Notice, not a failed open: what can be
/// read is read.
class Checkpoint {
public:
    /// Takes the data. A tensor whose pieces do not fit its shape, whose size overflows, or whose
    /// name is a duplicate gets a notice, loses its pieces and is renamed to "NAME (unusable N)";
    /// positions are unchanged.
    static std::shared_ptr<const Checkpoint> make(CheckpointData data);

    const std::string& format() const { return m_data.format; }
    const std::string& framework() const { return m_data.framework; }
    const std::filesystem::path& path() const { return m_data.path; }
    std::span<const CheckpointFile> files() const { return m_data.files; }
    std::span<const TensorEntry> tensors() const { return m_data.tensors; }
    std::span<const Notice> notices() const { return m_data.notices; }
    std::span<const StoredChecksum> checksums() const { return m_data.checksums; }
    Completeness completeness() const { return m_data.completeness; }
    std::span<const Sentence> why() const { return m_data.why; }
    const CheckpointData& data() const { return m_data; }

    const TensorEntry& tensor(TensorIndex index) const {
        return m_data.tensors.at(index.position());
    }
    std::optional<TensorIndex> find(std::string_view name) const;
    std::string_view codecName(CodecId codec) const; ///< "raw" for kRawCodec

    /// The nested plain values (epoch, loss, args, …) with tensors as references. Read at the first
    /// call, then kept; concurrent callers wait. A failure is returned every time.
    Result<Value> values(const CancelToken& cancel = {}) const;
    /// The same, with how they were read.
    Result<LoadedValues> valuesWithRecords(const CancelToken& cancel = {}) const;

    /// The stored checksum over a range that contains this one, the narrowest; null: none is
    /// listed.
    const StoredChecksum* checksumOver(FileIndex file, ByteRange bytes) const;

    /// An open source for the file. Sources are shared while someone holds them; the checkpoint
    /// itself keeps those last used (OpenFiles::mostKept). Fails: MissingShard, ChangedOnDisk when
    /// it is not the file that was opened, and the errors of Folder::openFile.
    Result<ByteSourcePtr> openFile(FileIndex file) const;

    /// Applies the piece's codec. Costs one small read for encoded items, none for raw ones.
    Result<LocatedPiece> locate(const TensorEntry& tensor, const Piece& piece) const;

    Checkpoint(const Checkpoint&) = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;
    ~Checkpoint();

private:
    explicit Checkpoint(CheckpointData data);

    struct Lazy;
    CheckpointData m_data;
    std::unique_ptr<Lazy> m_lazy; ///< guarded by its own mutexes
};

using CheckpointPtr = std::shared_ptr<const Checkpoint>;

/// Adds a nested checkpoint's tensors, files, codecs, checksums and notices to `into`. Tensor names
/// get `prefix` (with its dot) in front; paths, also those that notices show, get `folder` in front
/// ("" or "optimizer_0/"; a single file is called by its whole path already). Returns what to add
/// to the nested tensors' indices (for shiftTensors on its values).
std::uint32_t append(CheckpointData& into, const Checkpoint& nested, std::string_view prefix,
                     std::string_view folder, std::optional<Role> role = std::nullopt);

/// Totals that every page and verb shows.
struct Totals {
    std::uint64_t tensors = 0;
    std::uint64_t bytes = 0;                              ///< logical bytes, aliases counted once
    std::uint64_t storedBytes = 0;                        ///< sizes of the files
    std::vector<std::pair<Dtype, std::uint64_t>> byDtype; ///< most bytes first
    std::vector<std::pair<Role, std::uint64_t>> byRole;
    std::vector<std::pair<Role, std::uint64_t>>
        tensorsByRole; ///< aliases too; in order of the roles
};
Totals totals(const Checkpoint& checkpoint);

/// Step and epoch, and where they were found ("global_step in meta.pt"); format's own word first,
/// then the values under their usual names. Loads the values.
struct TrainingPosition {
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
    bool vagueStep = false;  ///< stated as "steps", which may be how many are planned
    bool vagueEpoch = false; ///< stated as "epochs"
};
TrainingPosition trainingPosition(const Checkpoint& checkpoint, const CancelToken& cancel = {});

} // namespace cairn
