// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/saved_names.h"

#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/formats/common/members/folder_notices.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace cairn::formats::deepspeed {
namespace {

constexpr std::uint64_t kHeader = 30; ///< a local file header of a zip archive, without its name
constexpr std::size_t kNameLength = 26;
constexpr std::size_t kLongestName = 256;

/// The folder of an archive's first entry; nothing if the file is no archive or has none.
std::optional<std::string> archiveFolder(const ByteSource& file) {
    const auto header = file.size() < kHeader
                            ? Result<std::vector<std::byte>>(std::vector<std::byte>())
                            : readRange(file, {0, kHeader});
    if (!header || header->empty() || !asText(*header).starts_with("PK\x03\x04")) {
        return std::nullopt;
    }
    const std::size_t length =
        std::min<std::size_t>(loadLittle<std::uint16_t>(*header, kNameLength), kLongestName);
    if (file.size() - kHeader < length) {
        return std::nullopt;
    }
    const auto name = readRange(file, {kHeader, length});
    const std::size_t slash = name ? asText(*name).find('/') : std::string::npos;
    return slash == std::string::npos ? std::nullopt
                                      : std::optional(std::string(asText(*name).substr(0, slash)));
}

bool isOfSamePlace(const FileName& a, const FileName& b) {
    return a.kind == b.kind && a.dp == b.dp && a.mp == b.mp && a.layer == b.layer &&
           a.expert == b.expert;
}

} // namespace

void checkSavedNames(const OpenRequest& request, const FileSet& files, CheckpointData& data) {
    std::vector<const FileName*> all;
    for (const auto& [mp, rank] : files.ranks) {
        for (const auto* group : {&rank.models, &rank.optimizers}) {
            for (const auto& [dp, file] : *group) {
                all.push_back(&file);
            }
        }
    }
    for (const auto* group : {&files.layers, &files.experts, &files.expertOptimizers}) {
        for (const FileName& file : *group) {
            all.push_back(&file);
        }
    }
    for (const FileName* file : all.size() > 1 ? all : std::vector<const FileName*>()) {
        const auto source = request.folder->openFile(file->name);
        const auto folder = source ? archiveFolder(**source) : std::nullopt;
        const auto saved = folder ? parseFileName(*folder + ".pt") : std::nullopt;
        if (saved && !isOfSamePlace(*saved, *file)) {
            addDamage(data,
                      fail(ErrorCode::StaleShard,
                           "The file was saved for another rank or layer and then renamed")
                          .inFile(file->name)
                          .butFound(sentence("an archive of %1", visibleText(*folder + ".pt")))
                          .withHint("Give the files the names with which they were saved"));
        }
    }
}

} // namespace cairn::formats::deepspeed
