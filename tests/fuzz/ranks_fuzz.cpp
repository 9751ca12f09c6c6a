// SPDX-License-Identifier: Apache-2.0
#include "core/formats/ranks/rank_joiner.h"
#include "tests/fuzz/pickle_folder.h"

// Two ranks of a model and one of its optimizer. The input's form is described in
// tests/fuzz/pickle_folder.h.

namespace {

std::vector<std::string> namesOf(std::uint8_t kind) {
    const std::string world = kind % 2 == 0 ? "2" : "3";
    return {"model_world_size_" + world + "_rank_0.pt", "model_world_size_" + world + "_rank_1.pt",
            "optim_world_size_2_rank_0.pt"};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size >= 9) {
        cairn::fuzz::openFolderOfPickles(std::span(reinterpret_cast<const std::byte*>(data), size),
                                         namesOf(data[0]), cairn::formats::ranks::joinRanks);
    }
    return 0;
}
