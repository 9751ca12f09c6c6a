// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shards/shard_index.h"

#include "ui/models/shard_evenness.h"
#include "ui/models/tensor_table.h"

#include <algorithm>
#include <map>

namespace cairn::ui {
namespace {

constexpr std::size_t kCancelStride = 4096;

void markUneven(const Checkpoint& checkpoint, std::vector<ShardIndex::File>& files) {
    std::vector<ShardIndex::File*> shards;
    std::vector<ShardSize> sizes;
    for (ShardIndex::File& file : files) {
        if (!file.missing && file.tensors > 0) {
            shards.push_back(&file);
            sizes.push_back({checkpoint.files()[file.file].path, file.bytes});
        }
    }
    const std::vector<double> against = shardEvenness(sizes);
    for (std::size_t i = 0; i < shards.size(); ++i) {
        shards[i]->against = against[i];
    }
}

void sortFiles(const Checkpoint& checkpoint, std::vector<ShardIndex::File>& files) {
    std::vector<std::string> keys;
    for (const CheckpointFile& file : checkpoint.files()) {
        keys.push_back(naturalKey(file.path));
    }
    std::ranges::stable_sort(files, [&](const ShardIndex::File& a, const ShardIndex::File& b) {
        const bool aHolds = a.tensors > 0;
        const bool bHolds = b.tensors > 0;
        return aHolds != bHolds ? aHolds : keys[a.file] < keys[b.file];
    });
}

/// Dimensions that some piece cuts.
std::vector<int> cutDimensions(const TensorEntry& tensor) {
    std::vector<int> cut;
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
        const auto isCut = [&](const Piece& piece) {
            return piece.box.extent[d] != tensor.shape[d];
        };
        if (std::ranges::any_of(tensor.pieces, isCut)) {
            cut.push_back(static_cast<int>(d));
        }
    }
    return cut;
}

/// Which dimensions go down and across.
void chooseDimensions(const TensorEntry& tensor, PieceLayout& layout) {
    const int rank = static_cast<int>(tensor.shape.size());
    const std::vector<int> cut = cutDimensions(tensor);
    layout.flattened = cut.size() > 2;
    if (rank == 0) {
        return;
    }
    if (rank == 1) {
        layout.horizontal = 0;
        return;
    }
    if (rank == 2 || cut.empty()) {
        layout.vertical = rank - 2;
        layout.horizontal = rank - 1;
    } else if (cut.size() >= 2) {
        layout.vertical = cut[0];
        layout.horizontal = cut[1];
    } else { // one cut dimension and the one after it, or before it if it is the last
        layout.vertical = cut[0] == rank - 1 ? rank - 2 : cut[0];
        layout.horizontal = layout.vertical + 1;
    }
}

double extentOf(const Dims& dims, int dimension) {
    return dimension < 0 ? 1.0 : static_cast<double>(dims[static_cast<std::size_t>(dimension)]);
}
double originOf(const Dims& dims, int dimension) {
    return dimension < 0 ? 0.0 : static_cast<double>(dims[static_cast<std::size_t>(dimension)]);
}

PieceLayout::Part partOf(const PieceLayout& layout, const Box& box) {
    return {originOf(box.origin, layout.horizontal),
            originOf(box.origin, layout.vertical),
            extentOf(box.extent, layout.horizontal),
            extentOf(box.extent, layout.vertical),
            0,
            false};
}

} // namespace

Result<ShardIndexPtr> ShardIndex::make(CheckpointPtr checkpoint, const CancelToken& cancel) {
    auto index = std::make_shared<ShardIndex>();
    index->files.resize(checkpoint->files().size());
    for (std::uint32_t i = 0; i < index->files.size(); ++i) {
        const CheckpointFile& file = checkpoint->files()[i];
        index->files[i].file = i;
        index->files[i].bytes = file.missing ? 0 : file.identity.size;
        index->files[i].missing = file.missing;
        index->missing += file.missing ? 1 : 0;
    }
    constexpr std::uint32_t kNoTensor = 0xffffffffU;
    std::vector<std::uint32_t> lastTensor(index->files.size(), kNoTensor);
    for (std::uint32_t t = 0; t < checkpoint->tensors().size(); ++t) {
        if (t % kCancelStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        const TensorEntry& tensor = checkpoint->tensors()[t];
        index->holds[static_cast<std::size_t>(roleGroup(tensor.role))] = true;
        for (std::uint32_t p = 0; p < tensor.pieces.size() && !tensor.aliasOf; ++p) {
            const Piece& piece = tensor.pieces[p];
            File& file = index->files[piece.file.position()];
            file.segments.push_back({piece.bytes.offset, piece.bytes.length, t, p});
            file.holds += piece.bytes.length;
            file.tensors += lastTensor[piece.file.position()] == t ? 0 : 1;
            lastTensor[piece.file.position()] = t;
        }
    }
    for (File& file : index->files) {
        CAIRN_CHECK(cancel.check());
        const auto byOffset = [](const Segment& a, const Segment& b) {
            return a.offset < b.offset;
        };
        if (!std::ranges::is_sorted(file.segments, byOffset)) {
            std::ranges::stable_sort(file.segments, byOffset);
        }
        std::uint64_t end = 0;
        for (const Segment& segment : file.segments) {
            end = std::max(end, segment.offset + segment.length);
        }
        file.bytes = std::max(file.bytes,
                              end); // nothing is known of a missing file but what should be in it
        index->largest = std::max(index->largest, file.tensors > 0 ? file.bytes : 0);
    }
    markUneven(*checkpoint, index->files);
    sortFiles(*checkpoint, index->files);
    index->checkpoint = std::move(checkpoint);
    return ShardIndexPtr(std::move(index));
}

PieceLayout layOutPieces(const Checkpoint& checkpoint, const TensorEntry& tensor) {
    PieceLayout layout;
    chooseDimensions(tensor, layout);
    layout.width = std::max(1.0, extentOf(tensor.shape, layout.horizontal));
    layout.height = std::max(1.0, extentOf(tensor.shape, layout.vertical));
    for (std::uint32_t p = 0;
         p < tensor.pieces.size() && layout.parts.size() < PieceLayout::kMaxParts; ++p) {
        PieceLayout::Part part = partOf(layout, tensor.pieces[p].box);
        part.piece = p;
        part.missing = checkpoint.files()[tensor.pieces[p].file.position()].missing;
        layout.parts.push_back(part);
    }
    const Coverage covered = coverage(tensor);
    layout.holeElements = covered.holes;
    layout.overlaps = covered.overlaps;
    for (const Box& hole : covered.holeBoxes) {
        layout.holes.push_back(partOf(layout, hole));
    }
    return layout;
}

} // namespace cairn::ui
