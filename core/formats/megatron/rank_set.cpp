// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/rank_set.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/formats/megatron/layout.h"

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace cairn::formats::megatron {
namespace {

constexpr auto kModelFiles =
    std::to_array<std::string_view>({"model_optim_rng.pt", "model_rng.pt", "model_weights.ckpt"});
constexpr auto kOtherFiles = std::to_array<std::string_view>({"distrib_optim.pt", "optim.pt"});

/// The iteration recorded in a rank's file.
std::optional<std::int64_t> iterationOf(const RankFile& file) {
    const Value* recorded = file.stem.empty() ? file.member.root.find("iteration") : nullptr;
    return recorded == nullptr || recorded->asInt() == nullptr ? std::nullopt
                                                               : std::optional(*recorded->asInt());
}

} // namespace

std::string modelFileOf(const std::string& folder) {
    return folder + "/" + std::string(kModelFiles[0]);
}

RankSet::RankSet(const OpenRequest& request, CheckpointData& data)
    : m_request(request), m_data(data), m_folders(rankFolders(request.entries)) {}

Result<void> RankSet::open() {
    for (const RankFolder& folder : m_folders) {
        CAIRN_CHECK(openFolder(folder));
    }
    if (!m_files.empty()) {
        return {};
    }
    return m_firstError
               ? std::move(*m_firstError)
               : fail(ErrorCode::NotACheckpoint, "The rank folders do not contain any known file")
                     .inFile(m_folders.front().name)
                     .expecting(verbatim(std::string(kModelFiles[0])));
}

Result<void> RankSet::openFolder(const RankFolder& folder) {
    bool model = false;
    for (const std::string_view name : kModelFiles) {
        if (!model) {
            CAIRN_TRY(model, openFile(folder, name, ""));
        }
    }
    for (const std::string_view name : kOtherFiles) {
        CAIRN_CHECK(openFile(folder, name, name.substr(0, name.find('.'))));
    }
    if (!model) {
        noteMissing(folder.name, "the folder of its rank exists");
    }
    return {};
}

/// Returns whether the file exists, readable or not.
Result<bool> RankSet::openFile(const RankFolder& folder, std::string_view name,
                               std::string_view stem) {
    const std::string path = folder.name + "/" + std::string(name);
    auto member =
        openMember(m_request, path, m_data, stem.empty() ? Role::Weight : Role::Optimizer);
    if (member) {
        m_files.push_back({folder, std::move(*member), std::string(stem)});
        return true;
    }
    if (member.error().code == ErrorCode::Cancelled) {
        return member.error();
    }
    if (member.error().code == ErrorCode::NotFound) {
        return false;
    }
    m_firstError = m_firstError ? m_firstError : std::optional(member.error());
    addDamage(m_data, std::move(member).error());
    return true;
}

void RankSet::checkIterations() {
    const auto named = iterationOfFolder(m_request.path.filename().string());
    std::optional<std::int64_t> first;
    for (const RankFile& file : m_files) {
        const auto own = iterationOf(file);
        if (own && first && *own != *first) {
            addDamage(m_data,
                      fail(ErrorCode::StaleShard, "The ranks' files are from different saves")
                          .inFile(file.member.name)
                          .inField("iteration")
                          .butFound(verbatim(std::to_string(*own)))
                          .expecting(sentence("%1 as in the first rank", *first)));
        }
        first = first ? first : own;
    }
    m_data.step = first ? first : named && *named > 0 ? named : std::nullopt;
    if (first && named && *named > 0 && *named != *first) {
        addNotice(m_data, Severity::Warning,
                  fail(ErrorCode::StaleShard,
                       "The folder's name contains a different iteration than its files")
                      .inFile(m_files.front().member.name)
                      .inField("iteration")
                      .butFound(verbatim(std::to_string(*first)))
                      .expecting(verbatim(std::to_string(*named))));
    }
}

/// Tensor parallel ranks are neighbours: that of a process is its rank modulo their number. Files
/// that a converter wrote have the rank of its one process.
void RankSet::checkRanks() {
    std::map<std::vector<std::uint32_t>, std::map<std::int64_t, const RankFile*>> stages;
    std::map<std::vector<std::uint32_t>, std::size_t> sizes;
    for (const RankFile& file : m_files) {
        const auto layout = readLayout(file.member.root);
        const Value* recorded = layout ? file.member.root.find("args")->find("rank") : nullptr;
        const std::int64_t* rank = recorded != nullptr ? recorded->asInt() : nullptr;
        if (rank == nullptr || *rank < 0 || layout->tensor < 2) {
            continue;
        }
        ++sizes[file.folder.rest];
        stages[file.folder.rest].emplace(*rank % layout->tensor, &file);
    }
    for (const auto& [stage, ranks] : stages) {
        if (ranks.size() < 2 || ranks.size() != sizes[stage]) {
            continue; // not recorded, or not distinct
        }
        for (const auto& [rank, file] : ranks) {
            if (rank != file->folder.tp) {
                addDamage(m_data, fail(ErrorCode::StaleShard,
                                       "The file was written by a different tensor parallel rank "
                                       "than its folder is of")
                                      .inFile(file->member.name)
                                      .inField("args.rank")
                                      .butFound(verbatim(std::to_string(rank)))
                                      .expecting(verbatim(std::to_string(file->folder.tp))));
            }
        }
    }
}

std::string RankSet::prefixOf(const RankFile& file) const {
    return (isSingle() ? "" : file.folder.name + ".") + (file.stem.empty() ? "" : file.stem + ".");
}

void RankSet::noteNotMerged(Error error) {
    if (error.where.file.empty()) {
        error.where.file = m_folders.front().name;
    }
    addDamage(m_data, std::move(error));
}

void RankSet::noteMissing(const std::string& folder, const Sentence& evidence) {
    addMissingFile(m_data, m_request.folder, modelFileOf(folder), Role::Weight, evidence);
}

} // namespace cairn::formats::megatron
