// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_objects.h"

#include "core/formats/common/torch/torch_walker.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cairn::formats {

Result<TorchObjects> readTorchObjects(const pickle::PickleGraph& graph, TorchStorages& storages,
                                      const CancelToken& cancel) {
    return TorchWalker(graph, storages, cancel).run();
}

std::vector<Sentence> TorchObjects::why() const {
    std::vector<Sentence> sentences;
    if (anyMissing) {
        sentences.emplace_back("The file does not contain the data of some tensors");
    }
    if (anyUnread) {
        sentences.emplace_back("Some tensors cannot be read by Cairn");
    }
    if (anyPart) {
        sentences.emplace_back("Some tensors are one rank's parts of larger ones");
    }
    sentences.insert(sentences.end(), unshown.begin(), unshown.end());
    return sentences;
}

void adoptObjects(CheckpointData& data, TorchObjects& objects, const std::string& memoryName) {
    if (!objects.decoded.empty()) {
        CheckpointFile file;
        file.path = memoryName;
        file.identity.size = objects.decoded.size();
        file.source = makeMemorySource(std::move(objects.decoded), memoryName);
        const FileIndex index = data.addFile(std::move(file));
        for (TensorEntry& tensor : objects.tensors) {
            for (Piece& piece : tensor.pieces) {
                piece.file = piece.file == kDecodedFile ? index : piece.file;
            }
        }
    }
    std::ranges::move(objects.tensors, std::back_inserter(data.tensors));
    std::ranges::move(objects.notices, std::back_inserter(data.notices));
    objects.tensors.clear();
    objects.notices.clear();
}

Result<CheckpointPtr> makeCheckpoint(CheckpointData data, TorchObjects objects,
                                     const ValueRecords& records) {
    const std::string file = data.files.front().path;
    data.why = objects.why();
    const bool onlyUnread = objects.anyUnread && data.why.size() == 1;
    data.completeness = data.why.empty() ? Completeness::Complete
                        : onlyUnread     ? Completeness::Unknown
                                         : Completeness::Incomplete;
    adoptObjects(data, objects, file + " (decoded arrays)");
    for (Notice& notice : data.notices) {
        notice.error.where.file = file;
    }
    data.loadValues = [loaded = LoadedValues(std::move(objects.root), records)](
                          const CancelToken&) -> Result<LoadedValues> { return loaded; };
    return Checkpoint::make(std::move(data));
}

} // namespace cairn::formats
