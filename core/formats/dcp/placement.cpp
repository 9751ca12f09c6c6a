// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/placement.h"

#include "core/base/counted.h"
#include "core/base/position_table.h"
#include "core/base/visible_text.h"
#include "core/formats/dcp/blob_codec.h"
#include "core/formats/dcp/index.h"
#include "core/formats/dcp/item_codec.h"
#include "core/formats/dcp/names.h"
#include "core/model/coverage.h"
#include "core/model/tensor_entry.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace cairn::formats::dcp {
namespace {

/// Shards are written before their index. Copying may reverse the order of times by a moment.
constexpr std::int64_t kStaleAfterNs = 2'000'000'000;
constexpr std::size_t kMaxWhy = 50;
/// Budget for exact checks, in chunks of tensors cut in two or more dimensions; further tensors are
/// checked by volume.
constexpr std::uint64_t kExactBudget = 100'000;

bool sameItems(const TensorEntry& a, const TensorEntry& b) {
    return a.dtype == b.dtype && a.shape == b.shape &&
           std::ranges::equal(a.pieces, b.pieces, [](const Piece& left, const Piece& right) {
               return left.file == right.file && left.bytes == right.bytes && left.box == right.box;
           });
}

/// Marks tensors whose chunks are the same items as those of an earlier tensor. torch never writes
/// such an index; Cairn does for tied weights. Linear.
void markAliases(std::span<TensorEntry> tensors) {
    const auto placeOf = [](const Piece& piece) {
        return std::pair(piece.file, piece.bytes.offset);
    };
    PositionTable firstAt(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        TensorEntry& tensor = tensors[i];
        // For chunks in a safetensors blob the index names only the blob, which many chunks share.
        if (tensor.pieces.empty() || tensor.pieces.front().codec == kBlobCodec) {
            continue;
        }
        const Piece& first = tensor.pieces.front();
        const std::uint64_t hash =
            hashOf(first.bytes.offset ^ (std::uint64_t{first.file.value} << 40U));
        const std::size_t known =
            firstAt.add(hash, static_cast<std::uint32_t>(i), [&](std::uint32_t earlier) {
                return placeOf(tensors[earlier].pieces.front()) == placeOf(first);
            });
        if (known != i && sameItems(tensors[known], tensor)) {
            tensor.aliasOf = TensorIndex(known);
        }
    }
}

struct FileState {
    std::uint64_t holedTensors = 0; ///< tensors that are incomplete because of this file
    std::uint64_t lostItems = 0;
    std::uint64_t itemsBeyond = 0;
    std::uint64_t firstBeyond = 0;
    std::size_t lastTensor = 0; ///< 1 + position of the last tensor counted in holedTensors
};

/// True if the pieces, sorted by origin, are contiguous slices along one dimension that cover the
/// tensor.
bool tilesOneDimension(const TensorEntry& tensor) {
    const Dims& shape = tensor.shape;
    std::size_t cut = 0;
    while (cut < shape.size() && tensor.pieces[0].box.extent[cut] == shape[cut]) {
        ++cut;
    }
    if (cut == shape.size()) {
        return tensor.pieces.size() == 1;
    }
    std::int64_t next = 0;
    for (const Piece& piece : tensor.pieces) {
        for (std::size_t d = 0; d < shape.size(); ++d) {
            if (d != cut && piece.box.extent[d] != shape[d]) {
                return false;
            }
        }
        if (piece.box.origin[cut] != next) {
            return false;
        }
        next += piece.box.extent[cut];
    }
    return next == shape[cut];
}

class Placement {
public:
    Placement(DcpIndex& index, const ShardFolder& shards) : m_index(index), m_shards(shards) {}

    CheckpointData run() {
        sortFiles();
        for (const IndexedFile& file : m_index.files) {
            addFile(file);
        }
        m_states.resize(m_index.files.size());
        for (std::size_t i = 0; i < m_index.tensors.size(); ++i) {
            placeTensor(m_index.tensors[i], i + 1);
        }
        for (BytesItem& item : m_index.items) {
            placeItem(item);
        }
        for (std::size_t i = 0; i < m_states.size(); ++i) {
            reportFile(m_data.files[i], m_states[i], m_index.files[i].needed);
        }
        reportStrays();
        decideCompleteness();
        markAliases(m_index.tensors);
        m_data.tensors = std::move(m_index.tensors);
        m_data.notices = std::move(m_index.notices).take();
        m_data.codecs.push_back(makeTorchSaveCodec());
        m_data.codecs.push_back(makeZstdCodec());
        m_data.codecs.push_back(makeBlobCodec());
        for (const std::string& words : m_index.unknownTransforms) {
            m_data.codecs.push_back(makeUnknownCodec(words));
        }
        return std::move(m_data);
    }

private:
    /// Natural order, whatever the order in the index.
    void sortFiles() {
        std::vector<std::uint32_t> order(m_index.files.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
            return naturalLess(m_index.files[a].path, m_index.files[b].path);
        });
        std::vector<IndexedFile> sorted;
        std::vector<FileIndex> moved(order.size());
        sorted.reserve(order.size());
        for (const std::uint32_t old : order) {
            moved[old] = FileIndex(sorted.size());
            sorted.push_back(std::move(m_index.files[old]));
        }
        m_index.files = std::move(sorted);
        for (TensorEntry& tensor : m_index.tensors) {
            for (Piece& piece : tensor.pieces) {
                piece.file = moved[piece.file.position()];
            }
        }
        for (BytesItem& item : m_index.items) {
            item.file = item.stored ? moved[item.file.position()] : item.file;
        }
        for (const FolderEntry& entry : m_shards.entries) {
            m_entries.emplace(entry.name, &entry);
        }
    }

    void addFile(const IndexedFile& indexed) {
        CheckpointFile file;
        file.path = indexed.path;
        file.folder = m_shards.folder;
        const auto entry = m_entries.find(indexed.path);
        if (entry != m_entries.end() && entry->second->kind == EntryKind::File) {
            file.identity = entry->second->identity;
        } else if (auto source = m_shards.folder->openFile(indexed.path)) {
            file.identity = (*source)->identity();
        } else {
            file.missing = true;
            if (source.error().code != ErrorCode::NotFound) {
                Error error = std::move(source).error();
                error.where.file = indexed.path;
                m_index.notices.add(Severity::Error, std::move(error));
            }
        }
        if (!file.missing && file.identity.mtimeNs > m_shards.indexMtimeNs + kStaleAfterNs) {
            m_index.notices.add(Severity::Warning,
                                fail(ErrorCode::NewerThanIndex, "The shard is newer than the index")
                                    .inFile(file.path)
                                    .withHint("A later save may have replaced it, or a copy did "
                                              "not preserve the time stamps"));
        }
        if (const auto rank = rankInShardName(file.path)) {
            m_data.worldSize = std::max(m_data.worldSize.value_or(0), *rank + 1);
        }
        m_data.addFile(std::move(file));
    }

    /// Removes the pieces that are beyond the end of a file, and counts the affected tensors of
    /// each file.
    void placeTensor(TensorEntry& tensor, std::size_t number) {
        const auto wanted = elementCount(tensor.shape);
        bool unreadable = false;
        std::uint64_t covered = 0;
        tensor.pieces.eraseIf([&](const Piece& piece) {
            const CheckpointFile& file = m_data.files[piece.file.position()];
            const bool beyond = !file.missing && !piece.bytes.fitsInto(file.identity.size);
            if (file.missing || beyond) {
                unreadable = true;
                noteUnreadable(piece.file, piece.bytes, beyond, number);
            } else {
                covered = checkedAdd(covered, elementCount(piece.box.extent).value_or(0))
                              .value_or(~std::uint64_t{0});
            }
            return beyond;
        });
        if (!wanted) {
            m_index.unsound = true; // Checkpoint::make reports why
        } else if (!unreadable && (covered != *wanted || !tilesExactly(tensor))) {
            reportCoverage(tensor);
        }
    }

    void noteUnreadable(FileIndex file, const ByteRange& bytes, bool beyond, std::size_t tensor) {
        FileState& state = m_states[file.position()];
        if (tensor == 0) {
            ++state.lostItems;
        } else if (state.lastTensor != tensor) {
            state.lastTensor = tensor;
            ++state.holedTensors;
        }
        if (beyond) {
            state.firstBeyond =
                state.itemsBeyond == 0 ? bytes.offset : std::min(state.firstBeyond, bytes.offset);
            ++state.itemsBeyond;
        }
    }

    /// REQUIRES: the volumes add up, so that a hole implies an overlap.
    bool tilesExactly(const TensorEntry& tensor) {
        if (tensor.pieces.size() < 2 || tilesOneDimension(tensor)) {
            return true;
        }
        if (m_exactlyChecked > kExactBudget) {
            return true;
        }
        m_exactlyChecked += tensor.pieces.size();
        return coverage(tensor).complete();
    }

    void reportCoverage(const TensorEntry& tensor) {
        ++m_uncovered;
        if (!m_index.notices.count(ErrorCode::CoverageHole)) {
            return;
        }
        const Coverage found = coverage(tensor);
        const ErrorCode code = found.holes == 0 && found.overlaps > 0 ? ErrorCode::CoverageOverlap
                                                                      : ErrorCode::CoverageHole;
        m_index.notices.addCounted(
            Severity::Error,
            fail(code, "The chunks do not tile the tensor")
                .inTensor(tensor.name)
                .butFound(sentence("%1 in no chunk, %2 in more than one",
                                   counting(found.holes, "element"),
                                   counting(found.overlaps, "element")))
                .expecting(sentence("every element of %1 in one chunk", formatDims(tensor.shape))));
    }

    void placeItem(BytesItem& item) {
        if (!item.stored) {
            return;
        }
        const CheckpointFile& file = m_data.files[item.file.position()];
        const bool beyond = !file.missing && !item.bytes.fitsInto(file.identity.size);
        if (file.missing || beyond) {
            noteUnreadable(item.file, item.bytes, beyond, 0);
            item.lost = true;
        }
    }

    void reportFile(const CheckpointFile& file, const FileState& state, bool needed) {
        const Sentence lost = missingItemsText(state);
        if (file.missing && needed) {
            m_index.notices.add(
                Severity::Error,
                fail(ErrorCode::MissingShard, sentence("A shard is missing: %1", lost))
                    .inFile(file.path)
                    .withHint("Copy it from where the checkpoint was saved, then refresh"));
            addWhy(sentence("shard %1 is missing: %2", visibleText(file.path), lost));
        } else if (state.itemsBeyond > 0) {
            m_index.notices.add(
                Severity::Error,
                fail(ErrorCode::DcpItemBeyondFile,
                     sentence("The shard ends before %1: %2",
                              counting(state.itemsBeyond, "of its items", "of its items"), lost))
                    .inFile(file.path)
                    .at(state.firstBeyond)
                    .butFound(sentence("%1 bytes in the file", file.identity.size))
                    .withHint("Copy the shard again; this one is incomplete"));
            addWhy(sentence("shard %1 is truncated: %2", visibleText(file.path), lost));
        }
    }

    static Sentence missingItemsText(const FileState& state) {
        const Sentence tensors =
            counting(state.holedTensors, "tensor is incomplete", "tensors are incomplete");
        const Sentence values = counting(state.lostItems, "value is missing", "values are missing");
        return state.holedTensors == 0 ? values
               : state.lostItems == 0  ? tensors
                                       : sentence("%1, %2", tensors, values);
    }

    void reportStrays() {
        std::unordered_set<std::string_view> referred;
        for (const CheckpointFile& file : m_data.files) {
            referred.insert(file.path);
        }
        for (const FolderEntry& entry : m_shards.entries) {
            const bool holdsNothing = entry.identity.size == 0; // a rank had nothing to store
            if (entry.name.ends_with(".distcp") && !holdsNothing &&
                !referred.contains(entry.name)) {
                m_index.notices.add(
                    Severity::Warning,
                    fail(ErrorCode::StrayFile, "The index does not refer to this shard")
                        .inFile(entry.name)
                        .butFound(sentence("%1", amount(formatBytes(entry.identity.size))))
                        .withHint("It is left over from an earlier save, or the index belongs to a "
                                  "different save"));
            }
        }
    }

    void addWhy(Sentence sentence) {
        if (m_data.why.size() < kMaxWhy) {
            m_data.why.push_back(std::move(sentence));
        }
    }

    void decideCompleteness() {
        if (m_uncovered > 0) {
            addWhy(sentence("%1 not tiled by the chunks in the index",
                            counting(m_uncovered, "tensor is", "tensors are")));
        }
        if (m_index.unsound) {
            addWhy("the index is damaged; see the notices");
        }
        m_data.completeness =
            m_data.why.empty() ? Completeness::Complete : Completeness::Incomplete;
    }

    DcpIndex& m_index;
    const ShardFolder& m_shards;
    CheckpointData m_data;
    std::unordered_map<std::string_view, const FolderEntry*> m_entries;
    std::vector<FileState> m_states;
    std::uint64_t m_uncovered = 0;
    std::uint64_t m_exactlyChecked = 0;
};

} // namespace

CheckpointData place(DcpIndex& index, const ShardFolder& shards) {
    return Placement(index, shards).run();
}

} // namespace cairn::formats::dcp
