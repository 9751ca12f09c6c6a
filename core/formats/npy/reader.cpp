// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/common/bare_storages.h"
#include "core/formats/common/file_data.h"
#include "core/formats/common/npy_array.h"
#include "core/formats/common/npz_write.h"
#include "core/formats/format.h"

#include <array>

// One array in a file of its own, as numpy.save and mlx.core.save write it. README.md has the byte
// map.

namespace cairn::formats::npy {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"*.npy"});

Match probe(const Candidate& candidate) {
    if (candidate.isFolder) {
        return Match::No;
    }
    if (asText(candidate.head).starts_with(kNpyMagic)) {
        return Match::Yes;
    }
    return candidate.path.extension() == ".npy" ? Match::Maybe : Match::No;
}

/// numpy.save of a dict of arrays: one element, a Python object, as a pickle behind the header.
/// Nothing: it is no whole pickle, or there are no arrays in it.
Result<CheckpointPtr> openObjects(const OpenRequest& request, const ByteSourcePtr& source,
                                  std::uint64_t offset) {
    CAIRN_TRY(const PickleImagePtr image,
              PickleImage::read(source, {offset, source->size() - offset}, request.cancel));
    const auto graph = pickle::parsePickle({image->bytes(), image});
    if (!graph || offset + graph->consumed() != source->size()) {
        return CheckpointPtr();
    }
    BareStorages storages(image);
    CAIRN_TRY(TorchObjects objects, readTorchObjects(*graph, storages, request.cancel));
    if (objects.tensors.empty()) {
        return CheckpointPtr();
    }
    CheckpointData data = fileData("npy", request, *source);
    data.framework = "numpy";
    return makeCheckpoint(std::move(data), std::move(objects));
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    CAIRN_TRY(const ByteSourcePtr source, request.folder->openFile(request.name));
    auto header = readNpyHeader(*source);
    if (!header) {
        return std::move(header).error().inFile(request.name);
    }
    if (header->element.kind == NpyKind::Objects) {
        CAIRN_TRY(CheckpointPtr objects, openObjects(request, source, header->dataOffset));
        if (objects) {
            return objects;
        }
    }
    CheckpointData data = fileData("npy", request, *source);
    data.framework = "numpy";
    data.completeness = Completeness::Complete;
    NpyPlace place;
    place.file = FileIndex(0);
    place.size = source->size();
    place.where = request.name;
    NpyArrays arrays(data);
    std::string name = request.name.substr(request.name.rfind('/') + 1);
    if (name.size() > 4 && name.ends_with(".npy")) {
        name.resize(name.size() - 4);
    }
    arrays.add(std::move(name), *header, place);
    arrays.noteNameless();
    data.files.front().role = data.tensors.front().role;
    data.loadValues = [values = arrays.values()](const CancelToken&) {
        return Result<Value>(values);
    };
    return Checkpoint::make(std::move(data));
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "npy",
                         .title = "NumPy array",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open,
                         .layout = layoutNpy};

} // namespace cairn::formats::npy
