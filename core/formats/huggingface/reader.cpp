// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/format.h"
#include "core/formats/huggingface/folder_joiner.h"
#include "core/formats/huggingface/folder_kind.h"

#include <algorithm>
#include <array>

namespace cairn::formats::huggingface {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>(
    {"*.safetensors.index.json", "pytorch_model.bin.index.json", "flax_model.msgpack.index.json",
     "tf_model.h5.index.json", "trainer_state.json"});

/// Whether every sub-folder is an adapter; examined only if the folder contains nothing else, up to
/// the first other folder.
bool hasAdaptersOnly(const Candidate& candidate) {
    return mayHoldAdaptersOnly(candidate.entries) &&
           std::ranges::all_of(candidate.entries, [&](const FolderEntry& entry) {
               if (entry.kind != EntryKind::Folder || entry.name.starts_with('.')) {
                   return true;
               }
               const auto inner = entriesOf(candidate.openFolder(entry.name));
               return inner && isAdapterFolder(*inner);
           });
}

/// Shards with arbitrary names ("train-00001-of-00010.bin" may be text): torch files begin as a ZIP
/// or a pickle.
bool hasPickledShards(const Candidate& candidate) {
    const auto name = pickledShard(candidate.entries);
    const auto source =
        name && candidate.folder ? candidate.folder->openFile(*name) : Result<ByteSourcePtr>();
    std::array<std::byte, 4> head{};
    if (!name || !candidate.folder || !source || (*source)->size() < head.size() ||
        !(*source)->readAt(0, head)) {
        return false;
    }
    return asText(head) == "PK\3\4" || head[0] == std::byte{0x80};
}

Match probe(const Candidate& candidate) {
    if (!candidate.isFolder) {
        return Match::No;
    }
    const bool mine = isHuggingFaceFolder(candidate.entries) || hasAdaptersOnly(candidate) ||
                      hasPickledShards(candidate);
    return mine ? Match::Yes : Match::No;
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "huggingface",
                         .title = "Hugging Face folder",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = joinFolder};

} // namespace cairn::formats::huggingface
