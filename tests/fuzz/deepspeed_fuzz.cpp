// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/pickle/pickle.h"
#include "core/formats/common/torch_objects.h"
#include "core/formats/deepspeed/folder_reader.h"
#include "core/io/folder.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Three pickles of any content as the files of a save: model states and two ranks' optimizer
// states. Input: a byte that says which kind of save, the lengths of the first two pickles (u32,
// little-endian), the pickles.

namespace {

using namespace cairn;
using namespace cairn::formats;

constexpr std::uint64_t kStorage = 1U << 20U; // of any tensor

void require(bool holds) {
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

FolderPtr emptyFolder() {
    static const FolderPtr folder = [] {
        const auto path = std::filesystem::temp_directory_path() / "cairn-deepspeed-fuzz";
        std::filesystem::create_directories(path);
        return *Folder::open(path);
    }();
    return folder;
}

Result<CheckpointPtr> openPickle(std::span<const std::byte> bytes, const std::string& name) {
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

std::vector<std::string> namesOf(std::uint8_t kind) {
    switch (kind % 4) {
    case 0:
        return {"mp_rank_00_model_states.pt", "zero_pp_rank_0_mp_rank_00_optim_states.pt",
                "zero_pp_rank_1_mp_rank_00_optim_states.pt"};
    case 1:
        return {"zero_pp_rank_0_mp_rank_00_model_states.pt",
                "bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt",
                "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt"};
    case 2:
        return {"mp_rank_00_model_states.pt", "layer_00-model_states.pt",
                "zero_pp_rank_0_mp_rank_00_optim_states.pt"};
    default:
        return {"zero_pp_rank_0_mp_rank_00_model_states.pt",
                "zero_pp_rank_1_mp_rank_00_model_states.pt",
                "layer_0_expert_1_mp_rank_00_model_states.pt"};
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 9) {
        return 0;
    }
    const auto all = std::span(reinterpret_cast<const std::byte*>(data), size);
    const std::vector<std::string> names = namesOf(data[0]);
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
        request.entries.push_back({name, EntryKind::File, {}});
    }
    request.openNested = [&](std::string_view member) -> Result<CheckpointPtr> {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == member) {
                return openPickle(pickles[i], names[i]);
            }
        }
        return fail(ErrorCode::NotFound, "There is no such file").inFile(std::string(member));
    };
    const auto checkpoint = deepspeed::readTagFolder(request);
    if (!checkpoint) {
        return 0;
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
    return 0;
}
