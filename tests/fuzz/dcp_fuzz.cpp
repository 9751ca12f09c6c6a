// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle.h"
#include "core/formats/dcp/index.h"
#include "core/formats/dcp/placement.h"
#include "core/formats/dcp/subclass_items.h"
#include "core/formats/dcp/unflatten.h"
#include "core/formats/dcp/values.h"
#include "core/io/folder.h"
#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

// A DCP index with any content, matched with an empty folder: it may be refused or full of notices,
// but every piece that results fits its tensor, and the work stays linear.

namespace {

using namespace cairn;

FolderPtr emptyFolder() {
    static const cairn::test::TemporaryFolder scratch;
    static const FolderPtr folder = *Folder::open(scratch.path());
    return folder;
}

void require(bool holds) {
    if (!holds) {
        __builtin_trap();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto bytes = std::make_shared<const std::vector<std::byte>>(
        reinterpret_cast<const std::byte*>(data), reinterpret_cast<const std::byte*>(data) + size);
    pickle::PickleLimits limits;
    limits.maxNodes = 1U << 20U;
    limits.maxStack = 1U << 20U;
    const auto graph = pickle::parsePickle(bytes, limits);
    if (!graph) {
        return 0;
    }
    formats::dcp::IndexBuilder builder;
    if (!builder.add(*graph, ".metadata") ||
        !builder.add(*graph, "__1.metadata")) { // twice: the union over ranks
        return 0;
    }
    formats::dcp::DcpIndex index = std::move(builder).finish();
    for (const TensorEntry& tensor : index.tensors) {
        for (const Piece& piece : tensor.pieces) {
            require(fitsInto(piece.box, tensor.shape));
            require(piece.file.position() < index.files.size());
        }
    }
    CheckpointData checkpoint = formats::dcp::place(index, {emptyFolder(), {}, 0});
    require(checkpoint.files.size() == index.files.size());
    auto expanded = formats::dcp::expandSubclasses(checkpoint, {});
    formats::dcp::unflatten(checkpoint, index.reshaped);
    for (const TensorEntry& tensor : checkpoint.tensors) {
        for (const Piece& piece : tensor.pieces) {
            require(fitsInto(piece.box, tensor.shape));
        }
    }
    const std::size_t shards = checkpoint.files.size();
    formats::dcp::prepareValues(checkpoint, std::move(index), std::move(expanded), shards, {});
    static_cast<void>(Checkpoint::make(std::move(checkpoint))->values());
    return 0;
}
