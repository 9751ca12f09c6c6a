// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/folder_notices.h"

#include "core/formats/common/members/file_data.h"
#include "core/model/coverage.h"

#include <algorithm>
#include <utility>

namespace cairn::formats {
namespace {

constexpr std::size_t kMaxNotices = 1000;
constexpr std::size_t kMaxReasons = 40;
constexpr std::size_t kMaxUncovered = 20;

} // namespace

void addNotice(CheckpointData& data, Severity severity, Error error) {
    if (data.notices.size() < kMaxNotices) {
        data.notices.push_back({severity, std::move(error)});
    }
}

void markIncomplete(CheckpointData& data, Sentence why) {
    data.completeness = Completeness::Incomplete;
    if (data.why.size() < kMaxReasons && std::ranges::find(data.why, why) == data.why.end()) {
        data.why.push_back(std::move(why));
    }
}

void addDamage(CheckpointData& data, Error error) {
    markIncomplete(data, error.where.file.empty()
                             ? error.message
                             : sentence("%1 (%2)", error.message, error.where.file));
    addNotice(data, Severity::Error, std::move(error));
}

Error missingShard(const std::string& name) {
    return fail(ErrorCode::MissingShard, "A shard of this checkpoint is missing")
        .inFile(name)
        .withHint("Copy it from where the checkpoint was saved");
}

void addMissingFile(CheckpointData& data, const FolderPtr& folder, const std::string& name,
                    Role role, const Sentence& evidence) {
    data.addFile(missingFile(folder, name, role));
    markIncomplete(data, sentence("The file %1 is missing", name));
    addNotice(data, Severity::Error,
              fail(ErrorCode::MissingShard, "A rank's file of this checkpoint is missing")
                  .inFile(name)
                  .butFound(evidence)
                  .withHint("Copy it from where the checkpoint was saved"));
}

void checkVolume(CheckpointData& data, const TensorEntry& tensor) {
    std::uint64_t volume = 0;
    for (const Piece& piece : tensor.pieces) {
        volume += elementCount(piece.box.extent).value_or(0);
    }
    const auto whole = elementCount(tensor.shape);
    if (whole && volume < *whole) {
        addNotice(data, Severity::Error,
                  fail(ErrorCode::CoverageHole, "Parts of this tensor are not in any shard")
                      .inTensor(tensor.name)
                      .butFound(sentence("%1 elements", volume))
                      .expecting(verbatim(std::to_string(*whole))));
        markIncomplete(data, sentence("Parts of %1 are not in any shard", tensor.name));
    }
}

void addUncovered(CheckpointData& data) {
    std::size_t found = 0;
    for (const TensorEntry& tensor : data.tensors) {
        const Coverage parts = coverage(tensor);
        if (parts.complete()) {
            continue;
        }
        const bool hole = parts.holes > 0;
        markIncomplete(data, hole ? Sentence("Parts of tensors are missing")
                                  : "Parts of tensors overlap");
        if (++found <= kMaxUncovered) {
            addNotice(data, Severity::Error,
                      fail(hole ? ErrorCode::CoverageHole : ErrorCode::CoverageOverlap,
                           hole ? Sentence("The ranks' files do not contain all of a tensor")
                                : "Several ranks' files contain the same part of a tensor")
                          .inTensor(tensor.name)
                          .butFound(sentence("%1%2", hole ? parts.holes : parts.overlaps,
                                             hole ? Sentence(" elements missing")
                                                  : " elements stored more than once")));
        }
    }
}

} // namespace cairn::formats
