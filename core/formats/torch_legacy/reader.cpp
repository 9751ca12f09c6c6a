// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/formats/torch_legacy/stream.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::formats::torch_legacy {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"*.pt", "*.pth", "*.bin", "*.ckpt"});

Match probe(const Candidate& candidate) {
    return !candidate.isFolder && beginsWithMagic(candidate.head) ? Match::Yes : Match::No;
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    CAIRN_TRY(const ByteSourcePtr source, request.folder->openFile(request.name));
    auto stream = readLegacyStream(*source);
    if (!stream) {
        return std::move(stream).error().inFile(request.name);
    }
    CheckpointData data;
    data.format = "torch_legacy";
    data.path = request.path;
    CheckpointFile file;
    file.path = request.name;
    file.identity = source->identity();
    file.folder = request.folder;
    data.addFile(std::move(file));
    LegacyStorages storages(*stream, *source);
    CAIRN_TRY(data.notices, storages.locate());
    const bool walked = std::ranges::none_of(
        data.notices, [](const Notice& n) { return n.severity == Severity::Error; });
    CAIRN_TRY(TorchObjects objects, readTorchObjects(stream->object, storages, request.cancel));
    data.framework =
        objects.root.find("pytorch-lightning_version") != nullptr ? "lightning" : "torch";
    objects.anyMissing = objects.anyMissing || !walked;
    data.why = objects.why();
    data.completeness = data.why.empty() ? Completeness::Complete : Completeness::Incomplete;
    adoptObjects(data, objects, request.name + " (decoded arrays)");
    for (Notice& notice : data.notices) {
        notice.error.where.file = request.name;
    }
    data.loadValues = [root = std::move(objects.root)](const CancelToken&) -> Result<Value> {
        return root;
    };
    return Checkpoint::make(std::move(data));
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{"torch_legacy", "PyTorch (before 1.6)", kGlobs, probe, open, nullptr};

} // namespace cairn::formats::torch_legacy
