// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/blob_codec.h"

#include "core/codec/json/json_value.h"
#include "core/formats/common/safetensors/safetensors_header.h"
#include "core/formats/dcp/item_archive.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::size_t kMaxBlobs = 64; ///< cached headers

struct Blob {
    SafetensorsHeader header;
    std::unordered_map<std::string_view, std::size_t>
        tensors;        ///< name -> position in header.tensors
    JsonValue sharding; ///< DCP_SHARDING_INFO: {fqn: {"saved_offsets": […]}}
};
using BlobPtr = std::shared_ptr<const Blob>;

Result<BlobPtr> readBlob(const ByteSourcePtr& file, std::uint64_t start) {
    const ByteSourcePtr rest = makeSliceSource(file, {start, file->size() - start});
    auto blob = std::make_shared<Blob>();
    CAIRN_TRY(blob->header, readSafetensorsHeader(*rest));
    for (std::size_t i = 0; i < blob->header.tensors.size(); ++i) {
        blob->tensors[blob->header.tensors[i].name] = i;
    }
    if (const std::string_view info = blob->header.find("DCP_SHARDING_INFO"); !info.empty()) {
        if (auto parsed = parseJson(info, "DCP_SHARDING_INFO")) {
            blob->sharding = std::move(*parsed);
        }
    }
    return BlobPtr(std::move(blob));
}

/// Offset of the blob's chunk in the complete tensor; empty if not recorded.
std::optional<Dims> savedOffsets(const Blob& blob, std::string_view name) {
    const JsonValue* entry = blob.sharding.find(name);
    const JsonValue* offsets = entry == nullptr ? nullptr : entry->find("saved_offsets");
    const auto list = offsets == nullptr
                          ? Result<std::span<const JsonValue>>(std::span<const JsonValue>())
                          : offsets->asArray();
    if (offsets == nullptr || !list || list->size() > kMaxRank) {
        return std::nullopt;
    }
    Dims dims(list->size(), 0);
    for (std::size_t d = 0; d < list->size(); ++d) {
        dims[d] = (*list)[d].asInteger().value_or(-1);
    }
    return dims;
}

Error mismatch(Sentence found, Sentence expected) {
    return fail(ErrorCode::DcpItemMismatch,
                "The shard contains a different chunk than the index records")
        .butFound(std::move(found))
        .expecting(std::move(expected))
        .withHint("Such a shard cannot contain two chunks of one tensor, or the shard and "
                  ".metadata are from different saves");
}

class BlobCodec final : public PieceCodec {
public:
    std::string_view name() const override { return "safetensors"; }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override {
        auto located = find(file, tensor, piece);
        if (!located) {
            return rebased(std::move(located).error(), piece.bytes.offset, file->name());
        }
        return located;
    }

private:
    struct Kept {
        FileIdentity file;
        std::uint64_t start = 0;
        BlobPtr blob;
    };

    Result<LocatedPiece> find(const ByteSourcePtr& file, const TensorEntry& tensor,
                              const Piece& piece) const {
        if (!piece.bytes.fitsInto(file->size())) {
            return fail(ErrorCode::DcpItemBeyondFile, "The shard ends before the end of this item");
        }
        CAIRN_TRY(const BlobPtr blob, blobAt(file, piece.bytes.offset));
        const auto known = blob->tensors.find(tensor.name);
        if (known == blob->tensors.end()) {
            return mismatch("no item with this name in the shard", verbatim(tensor.name));
        }
        const SafetensorsTensor& stored = blob->header.tensors[known->second];
        const bool there =
            stored.sound && stored.begin <= stored.end && stored.end <= blob->header.dataSize;
        if (!there || stored.dtype != tensor.dtype || stored.shape != piece.box.extent) {
            return mismatch(
                sentence("%1 %2", dtypeName(stored.dtype), formatDims(stored.shape)),
                sentence("%1 %2", dtypeName(tensor.dtype), formatDims(piece.box.extent)));
        }
        if (const auto offsets = savedOffsets(*blob, tensor.name);
            offsets && *offsets != piece.box.origin) {
            return mismatch(sentence("a chunk at %1", formatDims(*offsets)),
                            verbatim(formatDims(piece.box.origin)));
        }
        const std::uint64_t start = piece.bytes.offset + blob->header.dataStart + stored.begin;
        LocatedPiece located;
        located.source = file;
        located.bytes = {start, stored.end - stored.begin};
        return located;
    }

    Result<BlobPtr> blobAt(const ByteSourcePtr& file, std::uint64_t start) const {
        const FileIdentity identity = file->identity();
        const std::scoped_lock lock(m_mutex);
        const auto same = [&](const Kept& kept) {
            return kept.start == start && kept.file == identity;
        };
        const auto known = std::ranges::find_if(m_kept, same);
        if (known != m_kept.end()) {
            m_kept.splice(m_kept.begin(), m_kept, known);
            return known->blob;
        }
        CAIRN_TRY(BlobPtr blob, readBlob(file, start));
        m_kept.push_front({identity, start, blob});
        if (m_kept.size() > kMaxBlobs) {
            m_kept.pop_back();
        }
        return blob;
    }

    mutable std::mutex m_mutex;
    mutable std::list<Kept> m_kept; ///< most recently used first
};

} // namespace

std::shared_ptr<const PieceCodec> makeBlobCodec() {
    return std::make_shared<BlobCodec>();
}

} // namespace cairn::formats::dcp
