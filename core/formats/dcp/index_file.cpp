// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/index_file.h"

#include "core/base/endian.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::uint64_t kMaxIndex = std::uint64_t{2} << 30U;

/// Files that are known not to be what their name says; `bytes` is the whole file.
Result<void> refuseImpostors(std::span<const std::byte> bytes, const std::string& name) {
    if (bytes.empty()) {
        return fail(ErrorCode::EmptyFile, "The checkpoint's index is empty")
            .inFile(name)
            .at(0)
            .withHint("The save was probably interrupted; use an older checkpoint");
    }
    if (asText(bytes).starts_with("version https://git-lfs")) {
        return fail(ErrorCode::LfsPointer, "The checkpoint's index is a Git LFS pointer")
            .inFile(name)
            .at(0)
            .withHint("Run `git lfs pull` in the repository");
    }
    if (bytes[0] == std::byte{0} &&
        std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; })) {
        return fail(ErrorCode::ZeroFilled, "The checkpoint's index is filled with zeros")
            .inFile(name)
            .at(0)
            .withHint("The write never reached the disk; use an older checkpoint");
    }
    return {};
}

Result<pickle::PickleGraph> readGraph(const ByteSource& source, const std::string& name) {
    if (source.size() > kMaxIndex) {
        return fail(ErrorCode::LimitExceeded, "The checkpoint's index is too large")
            .inFile(name)
            .butFound(std::to_string(source.size()) + " bytes")
            .expecting("at most " + std::to_string(kMaxIndex));
    }
    CAIRN_TRY(auto bytes, readRange(source, {0, source.size()}));
    CAIRN_CHECK(refuseImpostors(bytes, name));
    auto graph =
        pickle::parsePickle(std::make_shared<const std::vector<std::byte>>(std::move(bytes)));
    if (!graph) {
        return Error(std::move(graph).error()).inFile(name);
    }
    return graph;
}

} // namespace

Result<IndexFiles> readIndexFiles(const FolderPtr& folder, std::span<const std::string> names,
                                  bool keepGraphs, const CancelToken& cancel) {
    IndexBuilder builder;
    IndexFiles read;
    for (const std::string& name : names) {
        CAIRN_CHECK(cancel.check());
        CAIRN_TRY(const ByteSourcePtr source, folder->openFile(name));
        CAIRN_TRY(pickle::PickleGraph graph, readGraph(*source, name));
        CAIRN_CHECK(builder.add(graph, name));
        CheckpointFile file;
        file.path = name;
        file.folder = folder;
        file.identity = source->identity();
        read.files.push_back(std::move(file));
        if (keepGraphs) {
            read.graphs.push_back(std::move(graph));
        }
    }
    read.index = std::move(builder).finish();
    return read;
}

} // namespace cairn::formats::dcp
