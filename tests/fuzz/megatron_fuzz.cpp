// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/folder_merger.h"
#include "tests/fuzz/pickle_folder.h"

// Three ranks of a legacy save; the first byte chooses which ones. The input's form is described in
// tests/fuzz/pickle_folder.h.

namespace {

std::vector<std::string> namesOf(std::uint8_t kind) {
    switch (kind % 3) {
    case 0:
        return {"mp_rank_00/model_optim_rng.pt", "mp_rank_01/model_optim_rng.pt",
                "mp_rank_01/distrib_optim.pt"};
    case 1:
        return {"mp_rank_00_000/model_optim_rng.pt", "mp_rank_00_001/model_optim_rng.pt",
                "mp_rank_01_001/model_optim_rng.pt"};
    default:
        return {"mp_rank_00_000_000/model_optim_rng.pt", "mp_rank_00_000_001/model_optim_rng.pt",
                "mp_rank_00_001_000/model_optim_rng.pt"};
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size >= 9) {
        cairn::fuzz::openFolderOfPickles(std::span(reinterpret_cast<const std::byte*>(data), size),
                                         namesOf(data[0]), cairn::formats::megatron::mergeFolder);
    }
    return 0;
}
