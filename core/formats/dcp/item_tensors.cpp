// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/item_tensors.h"

#include "core/formats/dcp/names.h"

#include <utility>

namespace cairn::formats::dcp {

Result<ByteSourcePtr> ShardOpener::open(const CheckpointFile& file) {
    if (m_last != &file) {
        m_last = nullptr;
        if (file.missing) {
            return fail(ErrorCode::MissingShard, "A shard is missing").inFile(file.path);
        }
        CAIRN_TRY(m_source, file.folder->openFile(file.path));
        if (m_source->identity() != file.identity) {
            return fail(ErrorCode::ChangedOnDisk,
                        "The shard changed since the checkpoint was opened")
                .inFile(file.path)
                .withHint("Refresh after the writer has finished");
        }
        m_last = &file;
    }
    return m_source;
}

std::vector<TensorEntry> takeTensors(CheckpointData& data, const BytesItem& item,
                                     ItemContent& content) {
    const std::size_t memory = data.files.size();
    for (ByteSourcePtr& decoded : content.memory) {
        CheckpointFile file;
        file.path = data.files[item.file.position()].path;
        file.identity.size = decoded->size();
        file.source = std::move(decoded);
        data.addFile(std::move(file));
    }
    for (TensorEntry& tensor : content.tensors) {
        tensor.name = tensor.name.empty() ? item.name : item.name + "." + tensor.name;
        for (Piece& piece : tensor.pieces) {
            const std::size_t local = piece.file.position();
            piece.file = local == 0 ? item.file : FileIndex(memory + local - 1);
        }
    }
    for (Notice& notice : content.notices) {
        notice.error.where.file = data.files[item.file.position()].path;
        notice.error.where.offset = item.bytes.offset;
        notice.error.where.tensor = item.name;
        data.notices.push_back(std::move(notice));
    }
    return std::move(content.tensors);
}

} // namespace cairn::formats::dcp
