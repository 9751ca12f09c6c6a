// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/safetensors/safetensors_header.h"
#include "core/formats/format.h"
#include "core/formats/safetensors/edit_header.h"
#include "core/formats/safetensors/header_entries.h"
#include "core/formats/safetensors/layout.h"
#include "core/formats/safetensors/shard_folder.h"
#include "core/model/role_decision.h"

#include <array>

namespace cairn::formats::safetensors {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"*.safetensors"});
constexpr auto kEndings = std::to_array<std::string_view>({".safetensors"});

Match probe(const Candidate& candidate) {
    if (candidate.isFolder) {
        return hasShards(candidate) ? Match::Yes : Match::No;
    }
    const bool named = candidate.path.extension() == ".safetensors";
    if (candidate.head.size() < 9) {
        return named ? Match::Maybe : Match::No;
    }
    const auto length = loadLittle<std::uint64_t>(candidate.head);
    const char first = static_cast<char>(candidate.head[8]);
    const bool opens = first == '{' || (named && (first == ' ' || first == '\n'));
    if (length >= 2 && length <= kMaxSafetensorsHeader && opens) {
        return Match::Yes;
    }
    return named ? Match::Maybe : Match::No;
}

Result<CheckpointPtr> openFile(const OpenRequest& request) {
    CAIRN_TRY(const ByteSourcePtr source, request.openSelf());
    CAIRN_TRY(SafetensorsHeader header, readSafetensorsHeader(*source));
    auto unfinished = unfinishedEdit(*request.folder, request.name);
    if (unfinished && !header.notices.empty()) {
        return std::move(unfinished->error); // part of its data may have been moved
    }
    CheckpointData data = fileData("safetensors", request, *source);
    data.framework = frameworkName(header.find("format"));
    data.completeness = header.damaged ? Completeness::Incomplete : Completeness::Complete;
    if (header.damaged) {
        data.why.emplace_back("The file violates its format; see the notices");
    }
    data.notices = std::move(header.notices);
    addEntries(data, header, FileIndex(0));
    decideRolesByName(data.tensors);
    data.files.back().role = data.tensors.empty() ? Role::Other : data.tensors.front().role;
    if (unfinished) {
        data.notices.insert(data.notices.begin(), std::move(*unfinished));
    }
    data.loadValues = [values = plainValues(header.metadata, data.tensors)](const CancelToken&) {
        return Result<LoadedValues>(values);
    };
    return Checkpoint::make(std::move(data));
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    return request.name.empty() ? openShardFolder(request) : openFile(request);
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{
    .id = "safetensors",
    .title = "Safetensors",
    .globs = kGlobs,
    .probe = probe,
    .open = open,
    .layout = layOut,
    .editHeader = editHeader,
    .writes = {.endings = kEndings, .splitsFiles = true, .library = "pt", .reader = "safetensors"}};

} // namespace cairn::formats::safetensors
