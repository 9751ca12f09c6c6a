// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/bare_pickle.h"

#include "core/formats/common/file_data.h"
#include "core/formats/common/torch_objects.h"

#include <string>
#include <utility>

namespace cairn::formats::torch {
namespace {

/// There is no archive, so that only bytes inside the pickle itself can be found.
class PickleStorages : public TorchStorages {
public:
    explicit PickleStorages(std::span<const std::byte> buffer) : m_buffer(buffer) {}

    Result<std::uint64_t> sizeOf(const TorchStorage& storage) override {
        return fail(ErrorCode::TorchMissingRecord, "The bytes of a tensor are not in this file")
            .butFound("a pickle without an archive")
            .expecting("a storage " + std::string(storage.key));
    }
    void place(const TorchStorage&, ByteRange, Dtype, Piece&) override {}
    bool placeInline(std::span<const std::byte> bytes, Piece& piece) override {
        if (bytes.empty()) {
            return false;
        }
        piece.bytes = {static_cast<std::uint64_t>(bytes.data() - m_buffer.data()), bytes.size()};
        return true;
    }

private:
    std::span<const std::byte> m_buffer;
};

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
    // Protocols 0 and 1 have no mark of their own.
    const auto extension = candidate.path.extension();
    constexpr std::string_view kOpeners = "(c}]";
    return ends && (extension == ".pkl" || extension == ".pickle") &&
           kOpeners.find(static_cast<char>(first)) != std::string_view::npos;
}

Result<CheckpointPtr> openBarePickle(const OpenRequest& request, const ByteSourcePtr& source) {
    CAIRN_TRY(auto bytes, readRange(*source, {0, source->size()}));
    auto buffer = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    auto graph = pickle::parsePickle(pickle::PickleBytes(buffer));
    if (!graph) {
        return std::move(graph).error().inFile(request.name);
    }
    CheckpointData data = fileData("torch", request, *source);
    data.framework = "pickle";
    PickleStorages storages(graph->buffer());
    CAIRN_TRY(TorchObjects objects, readTorchObjects(*graph, storages, request.cancel));
    if (objects.tensors.empty() && !objects.root.isContainer()) {
        return fail(ErrorCode::NotACheckpoint,
                    "This pickle holds one plain value, not a checkpoint")
            .inFile(request.name)
            .at(0);
    }
    if (graph->consumed() < buffer->size()) {
        data.notices.push_back(
            {Severity::Warning, fail(ErrorCode::Unsupported,
                                     "More bytes follow the pickle; only its first value is shown")
                                    .inFile(request.name)
                                    .at(graph->consumed())});
    }
    return makeCheckpoint(std::move(data), std::move(objects));
}

} // namespace cairn::formats::torch
