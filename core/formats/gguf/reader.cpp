// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/format.h"
#include "core/formats/gguf/header.h"
#include "core/formats/gguf/layout.h"
#include "core/formats/gguf/split_set.h"

#include <array>

namespace cairn::formats::gguf {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"*.gguf"});
constexpr auto kEndings = std::to_array<std::string_view>({".gguf"});

Match probe(const Candidate& candidate) {
    if (candidate.isFolder) {
        return hasSplits(candidate) ? Match::Yes : Match::No;
    }
    if (asText(candidate.head).starts_with("GGUF")) {
        return Match::Yes;
    }
    return candidate.path.extension() == ".gguf" || isOldContainer(asText(candidate.head))
               ? Match::Maybe
               : Match::No;
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{
    .id = "gguf",
    .title = "GGUF (llama.cpp)",
    .globs = kGlobs,
    .probe = probe,
    .open = openGguf,
    .layout = layOut,
    .writes = {.endings = kEndings, .hasBlocks = true, .describesModel = true}};

} // namespace cairn::formats::gguf
