// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/index_file.h"

#include "core/codec/pickle/pickle.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/content_mismatch.h"
#include "core/io/read_block.h"

#include <memory>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::uint64_t kMaxIndex = std::uint64_t{2} << 30U;

Result<pickle::PickleGraph> readGraph(const ByteSource& source, const std::string& name) {
    if (source.size() > kMaxIndex) {
        return fail(ErrorCode::LimitExceeded, "The checkpoint's index is too large")
            .inFile(name)
            .butFound(sentence("%1 bytes", source.size()))
            .expecting(sentence("at most %1", kMaxIndex));
    }
    CAIRN_TRY(const auto block, readBlock(source, {0, source.size()}));
    const auto bytes = block->bytes();
    if (auto error = contentMismatch(bytes, bytes, bytes.size(), name)) {
        return std::move(*error);
    }
    auto graph = pickle::parsePickle({bytes, block});
    if (!graph) {
        return Error(std::move(graph).error()).inFile(name);
    }
    return graph;
}

} // namespace

Result<IndexFiles> readIndexFiles(const FolderPtr& folder, std::span<const std::string> names,
                                  const CancelToken& cancel) {
    IndexBuilder builder;
    IndexFiles read;
    for (const std::string& name : names) {
        CAIRN_CHECK(cancel.check());
        CAIRN_TRY(const ByteSourcePtr source, folder->openFile(name));
        CAIRN_TRY(const pickle::PickleGraph graph, readGraph(*source, name));
        CAIRN_CHECK(builder.add(graph, name));
        read.files.push_back(fileIn(folder, name, source->identity()));
    }
    read.index = std::move(builder).finish();
    return read;
}

} // namespace cairn::formats::dcp
