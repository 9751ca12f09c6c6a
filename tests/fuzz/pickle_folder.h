// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/endian.h"
#include "core/codec/pickle/pickle.h"
#include "core/formats/common/torch/torch_objects.h"
#include "core/formats/format.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Three pickles with any content as the files of one folder. Input: a byte for the caller, the
/// lengths of the first two pickles (u32, little-endian), the pickles.
namespace cairn::fuzz {

using namespace cairn::formats;

inline constexpr std::uint64_t kStorage = 1U << 20U; // of every tensor

inline void require(bool holds) {
    if (!holds) {
        __builtin_trap();
    }
}

class AnyStorages : public TorchStorages {
public:
    Result<std::uint64_t> sizeOf(const TorchStorage&) override { return kStorage; }
    void place(const TorchStorage&, ByteRange bytes, Dtype, Piece& piece) override {
        piece.bytes = bytes;
    }
    bool placeInline(std::span<const std::byte>, Piece&) override { return false; }
};

inline FolderPtr emptyFolder() {
    static const cairn::test::TemporaryFolder scratch;
    static const FolderPtr folder = *Folder::open(scratch.path());
    return folder;
}

inline Result<CheckpointPtr> openPickle(std::span<const std::byte> bytes, const std::string& name) {
    pickle::PickleLimits limits;
    limits.maxNodes = 1U << 18U;
    limits.maxStack = 1U << 18U;
    auto buffer = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
    CAIRN_TRY(const auto graph, pickle::parsePickle(buffer, limits));
    AnyStorages storages;
    CAIRN_TRY(TorchObjects objects, readTorchObjects(graph, storages));
    CheckpointData data;
    data.format = "torch";
    CheckpointFile file;
    file.path = name;
    file.identity.size = kStorage;
    file.folder = emptyFolder();
    data.addFile(std::move(file));
    return makeCheckpoint(std::move(data), std::move(objects));
}

/// `names`: of the three files, possibly in subfolders. Whatever opens must keep the model's
/// promises.
inline void openFolderOfPickles(std::span<const std::byte> all,
                                const std::vector<std::string>& names,
                                Result<CheckpointPtr> (*open)(const OpenRequest&)) {
    std::array<std::span<const std::byte>, 3> pickles;
    auto rest = all.subspan(9);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto length = std::min<std::size_t>(
            loadLittle<std::uint32_t>(all.subspan(1 + 4 * i, 4)), rest.size());
        pickles[i] = rest.first(length);
        rest = rest.subspan(length);
    }
    pickles[2] = rest;
    OpenRequest request;
    request.folder = emptyFolder();
    request.path = "fuzz";
    for (const std::string& name : names) {
        const std::size_t slash = name.find('/');
        request.entries.push_back({name.substr(0, slash),
                                   slash == std::string::npos ? EntryKind::File : EntryKind::Folder,
                                   {}});
    }
    request.openNested = [&](std::string_view member) -> Result<CheckpointPtr> {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == member) {
                return openPickle(pickles[i], names[i]);
            }
        }
        return fail(ErrorCode::NotFound, "There is no such file").inFile(std::string(member));
    };
    const auto checkpoint = open(request);
    if (!checkpoint) {
        return;
    }
    for (const TensorEntry& tensor : (*checkpoint)->tensors()) {
        for (const Piece& piece : tensor.pieces) {
            require(fitsInto(piece.box, tensor.shape));
            require(piece.file.position() < (*checkpoint)->files().size());
            require(piece.codec != kRawCodec || piece.bytes.fitsInto(kStorage) ||
                    (*checkpoint)->files()[piece.file.position()].source != nullptr);
        }
    }
    (void)(*checkpoint)->values();
}

} // namespace cairn::fuzz
