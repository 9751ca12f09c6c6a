// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/bare_pickle.h"

#include "core/base/endian.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/torch/bare_storages.h"

#include <algorithm>
#include <string>
#include <utility>

namespace cairn::formats::torch {
namespace {

/// joblib.dump writes the name of a class before each array's bytes, near the start.
bool isJoblib(std::span<const std::byte> pickle) {
    constexpr std::size_t kSearchedBytes = std::size_t{1} << 16;
    const auto front = asText(pickle.first(std::min(pickle.size(), kSearchedBytes)));
    return front.find("joblib.numpy_pickle") != std::string_view::npos;
}

} // namespace

bool looksLikePickle(const Candidate& candidate) {
    if (candidate.isFolder || candidate.head.size() < 3 || candidate.tail.empty()) {
        return false;
    }
    const auto first = std::to_integer<unsigned>(candidate.head[0]);
    const auto second = std::to_integer<unsigned>(candidate.head[1]);
    const bool ends = std::to_integer<char>(candidate.tail.back()) == '.';
    if (first == 0x80 && second >= 2 && second <= 5) {
        return true;
    }
    // Protocols 0 and 1 have no magic number.
    const auto extension = candidate.path.extension();
    constexpr std::string_view kOpeners = "(c}]";
    return ends && (extension == ".pkl" || extension == ".pickle") &&
           kOpeners.find(static_cast<char>(first)) != std::string_view::npos;
}

Result<CheckpointPtr> openBarePickle(const OpenRequest& request, const ByteSourcePtr& source) {
    CAIRN_TRY(const PickleImagePtr image,
              PickleImage::read(source, {0, source->size()}, request.cancel));
    auto graph = pickle::parsePickle({image->bytes(), image});
    if (!graph && isJoblib(image->bytes())) {
        return fail(ErrorCode::Unsupported,
                    "A joblib file: its arrays are embedded between the parts of the pickle")
            .inFile(request.name)
            .at(graph.error().where.offset.value_or(0))
            .withHint("Load it with joblib, and save it with pickle.dump or numpy.savez");
    }
    if (!graph) {
        return std::move(graph).error().inFile(request.name);
    }
    CheckpointData data = fileData("torch", request, *source);
    data.framework = "pickle";
    BareStorages storages(image);
    CAIRN_TRY(TorchObjects objects, readTorchObjects(*graph, storages, request.cancel));
    if (objects.tensors.empty() && !objects.root.isContainer()) {
        return fail(ErrorCode::NotACheckpoint,
                    "The pickle contains a single plain value, not a checkpoint")
            .inFile(request.name)
            .at(0);
    }
    if (graph->consumed() < source->size()) {
        data.notices.push_back(
            {Severity::Warning,
             fail(ErrorCode::Unsupported,
                  "Trailing bytes after the pickle; only its first value is shown")
                 .inFile(request.name)
                 .at(graph->consumed())});
    }
    return makeCheckpoint(std::move(data), std::move(objects));
}

} // namespace cairn::formats::torch
