// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/codec/pickle/pickle.h"
#include "core/formats/dcp/notice_log.h"
#include "core/formats/dcp/value_tree.h"
#include "core/model/tensor_entry.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

/// A DCP index (`.metadata`) as a placement map, before anybody has looked whether the shards are
/// there. Private to this folder; no I/O here, so that a fuzzer can feed it. Source:
/// torch/distributed/checkpoint/metadata.py, README.md.
namespace cairn::formats::dcp {

/// Longer ones are nobody's names; in bytes.
inline constexpr std::size_t kMaxName = 16384;

/// Codec ids that every checkpoint of this format has; unknown transforms follow.
inline constexpr CodecId kTorchSaveCodec = 1;
inline constexpr CodecId kZstdCodec = 2;
inline constexpr CodecId kBlobCodec = 3;
inline constexpr CodecId kFirstUnknownCodec = 4;

/// A plain value that is in a shard as an archive or pickle of its own.
struct BytesItem {
    std::string name;
    FileIndex file;
    ByteRange bytes;
    CodecId codec = kTorchSaveCodec;
    bool stored = false; ///< storage_data knows it
    bool lost = false;   ///< but its shard is missing or too short
};

struct IndexedFile {
    std::string path;    ///< as the index states it: not to be trusted
    bool needed = false; ///< holds something beyond empty chunks
};

/// A tensor that Megatron stored in another shape than its own; see unflatten.h.
struct ReshapedTensor {
    std::string name;
    Shape shape; ///< its own
};

struct DcpIndex {
    std::vector<TensorEntry>
        tensors; ///< pieces by rising origin: items that storage_data knows; the rest are holes
    std::vector<BytesItem> items;
    std::vector<IndexedFile> files;             ///< by FileIndex
    std::vector<std::string> unknownTransforms; ///< [codec - kFirstUnknownCodec]
    ValueTree
        nesting; ///< of tensors and items, as planner_data shows; leaves: tensorLeaf(), itemLeaf()
    NoticeLog notices;
    std::vector<ReshapedTensor> reshaped;
    bool megatron = false;
    bool unsound =
        false; ///< something in the index itself was wrong: the checkpoint cannot be complete
};

constexpr std::uint32_t tensorLeaf(std::size_t position) {
    return static_cast<std::uint32_t>(2 * position);
}
constexpr std::uint32_t itemLeaf(std::size_t position) {
    return static_cast<std::uint32_t>(2 * position + 1);
}

/// Builds one index out of one or several `.metadata` files (one per rank when saved without
/// collectives: the union). Linear in the pickles' size. One thread.
class IndexBuilder {
public:
    /// Fails with DcpBadMetadata when the pickle holds no index at all. Everything less is a
    /// notice.
    Result<void> add(const pickle::PickleGraph& graph, const std::string& file);
    DcpIndex finish() &&;

private:
    struct Source;
    struct Name;
    struct Chunk;
    using NodeId = pickle::NodeId;

    void nameKnown();
    void noteReshaped(const Source& source);
    void readEntries(Source& source, NodeId entries);
    void readStorage(Source& source, NodeId storage);
    void readNesting(Source& source, NodeId paths);
    void putLeaf(const pickle::PickleGraph* graph, NodeId path, std::uint32_t leaf);
    std::optional<std::uint32_t> leafOf(Source& source, NodeId name) const;
    std::optional<std::uint32_t> addTensor(Source& source, const Name& name);
    void addChunks(Source& source, TensorEntry& tensor, const Name& name, NodeId chunks);
    void addChunk(Source& source, TensorEntry& tensor, const Name& name, const Chunk& chunk);
    std::optional<std::uint32_t> addBytes(Source& source, const Name& name);
    bool readItem(Source& source, NodeId info, BytesItem& item);
    CodecId codecOf(Source& source, NodeId transforms);
    FileIndex fileOf(Source& source, NodeId path);
    void sortPieces();
    void detectOptimizers();
    void dropRepeats();
    void complain(const Source& source, ErrorCode code, Sentence message, std::string_view tensor,
                  Sentence found);

    DcpIndex m_index;
    std::unordered_map<std::string, std::uint32_t> m_fileIds;
    std::unordered_map<std::string, std::size_t> m_tensorIds; ///< filled from the second file on
    std::unordered_map<std::string, std::size_t> m_itemIds;
    std::vector<bool> m_nested; ///< by leaf: is in the nesting
    std::size_t m_sources = 0;
};

} // namespace cairn::formats::dcp
