// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/formats/huggingface/folder_joiner.h"
#include "core/formats/huggingface/members.h"

#include <array>

namespace cairn::formats::huggingface {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>(
    {"*.safetensors.index.json", "pytorch_model.bin.index.json", "trainer_state.json"});

Match probe(const Candidate& candidate) {
    return candidate.isFolder && isHuggingFaceFolder(candidate.entries) ? Match::Yes : Match::No;
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "huggingface",
                         .title = "Hugging Face folder",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = joinFolder};

} // namespace cairn::formats::huggingface
