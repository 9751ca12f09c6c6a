// SPDX-License-Identifier: Apache-2.0
#include "core/model/checkpoint.h"

#include "core/base/position_table.h"
#include "core/io/open_files.h"
#include "core/model/finding_rules.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace cairn {

struct Checkpoint::Lazy {
    OpenFiles files;

    std::mutex namesMutex;
    bool namesReady = false;
    std::unordered_map<std::string_view, std::uint32_t> names;

    std::mutex valuesMutex;
    std::optional<Result<LoadedValues>> values;

    std::once_flag checksumsOnce;
    std::vector<std::uint32_t> checksums; ///< positions, by file and offset, the widest first
};

ValueRecords& ValueRecords::operator+=(const ValueRecords& other) {
    compared += other.compared;
    unchecked += other.unchecked;
    later += other.later;
    mismatched += other.mismatched;
    return *this;
}

std::string_view completenessName(Completeness completeness) {
    switch (completeness) {
    case Completeness::Complete:
        return "complete";
    case Completeness::Incomplete:
        return "incomplete";
    case Completeness::Unknown:
        return "unknown";
    }
    return "unknown";
}

FileIndex CheckpointData::addFile(CheckpointFile file) {
    files.push_back(std::move(file));
    return FileIndex(files.size() - 1);
}

CodecId CheckpointData::addCodec(std::shared_ptr<const PieceCodec> codec) {
    codecs.push_back(std::move(codec));
    return static_cast<CodecId>(codecs.size() - 1);
}

namespace {

/// Nothing, or why the entry cannot be kept.
std::optional<Error> whyUnusable(const TensorEntry& tensor, const CheckpointData& data) {
    const auto count = elementCount(tensor.shape);
    if (tensor.shape.size() > kMaxRank || !count || !dtypeBytes(tensor.dtype, *count)) {
        return fail(ErrorCode::LimitExceeded, "The tensor's size overflows")
            .butFound(sentence("shape %1", formatDims(tensor.shape)));
    }
    for (const Piece& piece : tensor.pieces) {
        const bool known =
            piece.file.position() < data.files.size() && piece.codec < data.codecs.size();
        if (!known || !fitsInto(piece.box, tensor.shape)) {
            return fail(ErrorCode::CoverageOverlap, "A piece is outside the tensor")
                .butFound(sentence("origin %1, extent %2", formatDims(piece.box.origin),
                                   formatDims(piece.box.extent)))
                .expecting(sentence("inside %1", formatDims(tensor.shape)));
        }
    }
    return std::nullopt;
}

/// Renames unusable tensors to "NAME (unusable N)" and removes their pieces; positions are
/// unchanged.
void markUnusable(CheckpointData& data) {
    constexpr std::size_t kAhead = 16;
    PositionTable seen(data.tensors.size());
    bool twice = false;
    bool bad = false;
    std::vector<std::uint64_t> hashes(data.tensors.size());
    std::ranges::transform(data.tensors, hashes.begin(),
                           [](const TensorEntry& tensor) { return hashOf(tensor.name); });
    for (std::size_t i = 0; i < data.tensors.size(); ++i) {
        TensorEntry& tensor = data.tensors[i];
        if (i + kAhead < hashes.size()) {
            seen.prefetch(hashes[i + kAhead]);
        }
        std::optional<Error> error = whyUnusable(tensor, data);
        const auto sameName = [&](std::uint32_t earlier) {
            return data.tensors[earlier].name == tensor.name;
        };
        const auto own = static_cast<std::uint32_t>(i);
        if (!error && seen.add(hashes[i], own, sameName) != own) {
            error = fail(ErrorCode::DuplicateTensor, "Duplicate name; the first is shown");
        }
        if (error) {
            twice = twice || error->code == ErrorCode::DuplicateTensor;
            bad = bad || error->code != ErrorCode::DuplicateTensor;
            data.notices.push_back({Severity::Error, std::move(*error).inTensor(tensor.name)});
            data.completeness = Completeness::Incomplete;
            tensor.pieces.clear(); // indices must not move: values refer to them
            tensor.shape = Shape{0};
            tensor.name += " (unusable " + std::to_string(i) + ")";
        }
    }
    if (twice) {
        data.why.emplace_back("Duplicate tensor names");
    }
    if (bad) {
        data.why.emplace_back("Tensors do not match their metadata");
    }
}

} // namespace

Checkpoint::Checkpoint(CheckpointData data)
    : m_data(std::move(data)), m_lazy(std::make_unique<Lazy>()) {}
Checkpoint::~Checkpoint() = default;

CheckpointPtr Checkpoint::make(CheckpointData data) {
    markUnusable(data);
    for (Notice& notice : data.notices) {
        notice.severity = settledSeverity(notice);
    }
    return CheckpointPtr(new Checkpoint(std::move(data)));
}

std::optional<TensorIndex> Checkpoint::find(std::string_view name) const {
    const std::scoped_lock lock(m_lazy->namesMutex);
    if (!m_lazy->namesReady) {
        m_lazy->names.reserve(m_data.tensors.size());
        for (std::size_t i = 0; i < m_data.tensors.size(); ++i) {
            m_lazy->names.emplace(m_data.tensors[i].name, static_cast<std::uint32_t>(i));
        }
        m_lazy->namesReady = true;
    }
    const auto found = m_lazy->names.find(name);
    return found == m_lazy->names.end() ? std::nullopt : std::optional(TensorIndex(found->second));
}

std::string_view Checkpoint::codecName(CodecId codec) const {
    return codec == kRawCodec ? "raw" : m_data.codecs.at(codec)->name();
}

Result<Value> Checkpoint::values(const CancelToken& cancel) const {
    CAIRN_TRY(LoadedValues loaded, valuesWithRecords(cancel));
    return std::move(loaded.value);
}

Result<LoadedValues> Checkpoint::valuesWithRecords(const CancelToken& cancel) const {
    if (!m_data.loadValues) {
        return LoadedValues(Value(), {});
    }
    const std::scoped_lock lock(m_lazy->valuesMutex);
    if (!m_lazy->values) {
        Result<LoadedValues> loaded = m_data.loadValues(cancel);
        if (!loaded && loaded.error().code == ErrorCode::Cancelled) {
            return loaded;
        }
        m_lazy->values = std::move(loaded);
    }
    return *m_lazy->values;
}

const StoredChecksum* Checkpoint::checksumOver(FileIndex file, ByteRange bytes) const {
    const auto& all = m_data.checksums;
    std::call_once(m_lazy->checksumsOnce, [&] {
        m_lazy->checksums.resize(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            m_lazy->checksums[i] = static_cast<std::uint32_t>(i);
        }
        std::ranges::sort(m_lazy->checksums, {}, [&](std::uint32_t i) {
            return std::tuple(all[i].file, all[i].bytes.offset, ~all[i].bytes.length);
        });
    });
    // Records contain each other at most two deep: an archive and a record of it.
    constexpr int kMaxTries = 8;
    auto next = std::ranges::upper_bound(
        m_lazy->checksums, std::pair(file, bytes.offset), {},
        [&](std::uint32_t i) { return std::pair(all[i].file, all[i].bytes.offset); });
    for (int i = 0; i < kMaxTries && next != m_lazy->checksums.begin(); ++i) {
        const StoredChecksum& record = all[*--next];
        const auto end = checkedAdd(bytes.offset, bytes.length);
        if (record.file != file) {
            break;
        }
        if (end && *end <= record.bytes.offset + record.bytes.length) {
            return &record;
        }
    }
    return nullptr;
}

Result<ByteSourcePtr> Checkpoint::openFile(FileIndex index) const {
    const CheckpointFile& file = m_data.files.at(index.position());
    if (file.source) {
        return file.source;
    }
    if (file.missing) {
        return fail(ErrorCode::MissingShard, "A file of this checkpoint is missing")
            .inFile(file.path)
            .withHint("Copy it from where the checkpoint was saved, then refresh");
    }
    if (ByteSourcePtr source = m_lazy->files.find(index.value)) {
        return source;
    }
    // Without the lock: a file on a mount that hangs must not hold up those that are open.
    CAIRN_TRY(ByteSourcePtr source,
              file.folder->openFile(file.openAs.empty() ? file.path : file.openAs));
    if (source->identity() != file.identity) {
        return fail(ErrorCode::ChangedOnDisk, "The file changed since the checkpoint was opened")
            .inFile(source->name())
            .butFound(sentence("%1 bytes", source->size()))
            .expecting(sentence("%1 bytes and the same time stamp", file.identity.size))
            .withHint("Refresh after the writer has finished");
    }
    return m_lazy->files.keep(index.value, std::move(source));
}

Result<LocatedPiece> Checkpoint::locate(const TensorEntry& tensor, const Piece& piece) const {
    CAIRN_TRY(ByteSourcePtr source, openFile(piece.file));
    if (piece.codec != kRawCodec) {
        auto located = m_data.codecs.at(piece.codec)->locate(source, tensor, piece);
        if (!located && located.error().where.tensor.empty()) {
            return Error(std::move(located).error()).inTensor(tensor.name);
        }
        return located;
    }
    if (!piece.bytes.fitsInto(source->size())) {
        return fail(ErrorCode::Truncated, "The file ends before the end of this tensor's data")
            .inFile(source->name())
            .inTensor(tensor.name)
            .at(piece.bytes.offset)
            .butFound(sentence("%1 bytes in the file", source->size()))
            .expecting(sentence("%1 bytes from that offset", piece.bytes.length))
            .withHint("Copy the file again; this one is incomplete");
    }
    LocatedPiece located{std::move(source), piece.bytes,  piece.strides,
                         piece.flags,       std::nullopt, {}};
    return located;
}

namespace {

/// Whether a notice names a file as the checkpoint's files are named, not where it is on disk:
/// a source's own name begins with the folder that it was opened from, which may be relative, too.
bool isRelative(const std::string& file, const Checkpoint& nested) {
    const std::filesystem::path path(file);
    const std::filesystem::path& opened = nested.path();
    const auto [rest, same] = std::mismatch(opened.begin(), opened.end(), path.begin(), path.end());
    const bool below = !opened.empty() && rest == opened.end();
    return !file.empty() && path.is_relative() && !below;
}

} // namespace

std::uint32_t append(CheckpointData& into, const Checkpoint& nested, std::string_view prefix,
                     std::string_view folder, std::optional<Role> role) {
    const auto tensorShift = static_cast<std::uint32_t>(into.tensors.size());
    const std::size_t fileShift = into.files.size();
    const auto codecShift = static_cast<CodecId>(into.codecs.size() - 1);
    for (CheckpointFile file : nested.files()) {
        if (file.openAs.empty()) {
            file.openAs = file.path; // still opened from the nested checkpoint's own folder
        }
        file.path = std::string(folder) + file.path;
        file.role = role.value_or(file.role);
        into.files.push_back(std::move(file));
    }
    for (std::size_t i = 1; i < nested.data().codecs.size(); ++i) {
        into.codecs.push_back(nested.data().codecs[i]);
    }
    for (TensorEntry tensor : nested.tensors()) {
        tensor.name = std::string(prefix) + tensor.name;
        tensor.role = role.value_or(tensor.role);
        if (tensor.aliasOf) {
            tensor.aliasOf = TensorIndex(tensor.aliasOf->position() + tensorShift);
        }
        for (Piece& piece : tensor.pieces) {
            piece.file = FileIndex(piece.file.position() + fileShift);
            piece.codec = piece.codec == kRawCodec ? kRawCodec
                                                   : static_cast<CodecId>(piece.codec + codecShift);
        }
        into.tensors.push_back(std::move(tensor));
    }
    for (StoredChecksum checksum : nested.checksums()) {
        checksum.file = FileIndex(checksum.file.position() + fileShift);
        into.checksums.push_back(std::move(checksum));
    }
    for (StoredDigest digest : nested.data().digests) {
        digest.file = FileIndex(digest.file.position() + fileShift);
        into.digests.push_back(std::move(digest));
    }
    for (Notice notice : nested.notices()) {
        if (isRelative(notice.error.where.file, nested)) {
            notice.error.where.file = std::string(folder) + notice.error.where.file;
        }
        into.notices.push_back(std::move(notice));
    }
    return tensorShift;
}

Totals totals(const Checkpoint& checkpoint) {
    struct Sum {
        std::uint64_t tensors = 0;
        std::uint64_t bytes = 0;
    };
    Totals sums;
    std::map<std::pair<Dtype, Role>, Sum> kinds;
    std::pair<Dtype, Role> last{};
    Sum* sum = nullptr;
    sums.tensors = checkpoint.tensors().size();
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        const std::pair kind(tensor.dtype, tensor.role);
        if (sum == nullptr || kind != last) { // neighbours are usually of one kind
            sum = &kinds[kind];
            last = kind;
        }
        ++sum->tensors;
        sum->bytes += tensor.aliasOf ? 0 : tensor.bytes();
    }
    std::map<Dtype, std::uint64_t> byDtype;
    std::map<Role, Sum> byRole;
    for (const auto& [kind, of] : kinds) {
        sums.bytes += of.bytes;
        byDtype[kind.first] += of.bytes;
        byRole[kind.second].tensors += of.tensors;
        byRole[kind.second].bytes += of.bytes;
    }
    for (const auto& [role, of] : byRole) {
        sums.byRole.emplace_back(role, of.bytes);
        sums.tensorsByRole.emplace_back(role, of.tensors);
    }
    for (const CheckpointFile& file : checkpoint.files()) {
        sums.storedBytes += file.missing || file.source ? 0 : file.identity.size;
    }
    sums.byDtype.assign(byDtype.begin(), byDtype.end());
    const auto moreBytes = [](const auto& a, const auto& b) { return a.second > b.second; };
    std::ranges::stable_sort(sums.byDtype, moreBytes);
    std::ranges::stable_sort(sums.byRole, moreBytes);
    return sums;
}

} // namespace cairn
