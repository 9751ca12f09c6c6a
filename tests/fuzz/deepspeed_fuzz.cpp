// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/folder_reader.h"
#include "tests/fuzz/pickle_folder.h"

// Model states and two other files of one save, mostly ranks' optimizer states; the first byte
// chooses the kind of save. The input's form is described in tests/fuzz/pickle_folder.h.

namespace {

std::vector<std::string> namesOf(std::uint8_t kind) {
    switch (kind % 7) {
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
    case 3:
        return {"zero_pp_rank_0_mp_rank_00_model_states.pt",
                "zero_pp_rank_1_mp_rank_00_model_states.pt",
                "layer_0_expert_1_mp_rank_00_model_states.pt"};
    case 4:
        return {"mp_rank_00_model_states.pt", "mp_rank_01_model_states.pt",
                "zero_pp_rank_0_mp_rank_00_optim_states.pt"};
    case 6: // without ZeRO, with experts
        return {"mp_rank_00_model_states.pt", "layer_0_expert_0_mp_rank_00_model_states.pt",
                "expp_rank_0_mp_rank_00_optim_states.pt"};
    default: // two of very many ranks
        return {"mp_rank_00_model_states.pt", "zero_pp_rank_0_mp_rank_00_optim_states.pt",
                "zero_pp_rank_999999_mp_rank_00_optim_states.pt"};
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size >= 9) {
        cairn::fuzz::openFolderOfPickles(std::span(reinterpret_cast<const std::byte*>(data), size),
                                         namesOf(data[0]),
                                         cairn::formats::deepspeed::readTagFolder);
    }
    return 0;
}
