// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/file_data.h"
#include "core/formats/format.h"
#include "core/formats/torch_legacy/stream.h"
#include "core/formats/torch_legacy/tar_file.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::formats::torch_legacy {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"*.pt", "*.pth", "*.bin", "*.ckpt"});

constexpr std::uint64_t kTarHead = 4096;

Match probe(const Candidate& candidate) {
    return !candidate.isFolder &&
                   (beginsWithMagic(candidate.head) || beginsTorchTar(candidate.head))
               ? Match::Yes
               : Match::No;
}

/// PyTorch up to 0.1.10.
Result<CheckpointPtr> openTar(const OpenRequest& request, const ByteSource& source) {
    CheckpointData data = fileData("torch_legacy", request, source);
    TarFile tar(source);
    if (auto result = tar.read(data.notices); !result) {
        return std::move(result).error().inFile(request.name);
    }
    const bool whole = data.notices.empty();
    CAIRN_TRY(TorchObjects objects, readTorchObjects(tar.object(), tar, request.cancel));
    data.framework = "torch";
    objects.anyMissing = objects.anyMissing || !whole;
    return makeCheckpoint(std::move(data), std::move(objects));
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    CAIRN_TRY(const ByteSourcePtr source, request.openSelf());
    CAIRN_TRY(const auto head, readRange(*source, {0, std::min(source->size(), kTarHead)}));
    if (beginsTorchTar(head)) {
        return openTar(request, *source);
    }
    auto stream = readLegacyStream(*source);
    if (!stream) {
        return std::move(stream).error().inFile(request.name);
    }
    CheckpointData data = fileData("torch_legacy", request, *source);
    LegacyStorages storages(*stream, *source);
    CAIRN_TRY(data.notices, storages.locate());
    const bool walked = std::ranges::none_of(
        data.notices, [](const Notice& n) { return n.severity == Severity::Error; });
    CAIRN_TRY(TorchObjects objects, readTorchObjects(stream->object, storages, request.cancel));
    data.framework =
        objects.root.find("pytorch-lightning_version") != nullptr ? "lightning" : "torch";
    objects.anyMissing = objects.anyMissing || !walked;
    return makeCheckpoint(std::move(data), std::move(objects));
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{"torch_legacy", "PyTorch (before 1.6)", kGlobs, probe, open, nullptr};

} // namespace cairn::formats::torch_legacy
