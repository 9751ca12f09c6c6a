// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/deepspeed_save.h"

#include "core/base/counted.h"
#include "core/base/visible_text.h"
#include "core/formats/common/save_series.h"
#include "core/formats/huggingface/index_check.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

// Names: deepspeed/runtime/engine.py, _get_ckpt_name and _get_zero_ckpt_name.

namespace cairn::formats::huggingface {
namespace {

constexpr std::string_view kPointer = "latest"; ///< engine.py, load_checkpoint
constexpr std::string_view kOptimizers = "_optim_states.pt";
constexpr std::string_view kModels = "_model_states.pt";
constexpr std::string_view kDataRank = "zero_pp_rank_";
constexpr std::string_view kModelRank = "_mp_rank_";
constexpr std::int64_t kMostRanks = 1'000'000; ///< more are nobody's
constexpr std::size_t kMostListed = 1000;
constexpr std::size_t kMostNamed = 20; ///< one by one

/// "bf16_zero_pp_rank_3_mp_rank_00_optim_states.pt": what is before the rank, it, what is after.
struct RankFile {
    std::string before;
    std::int64_t rank = 0;
    std::string after;
};

std::optional<RankFile> parseRankFile(std::string_view name) {
    const std::size_t start = name.find(kDataRank);
    if (start == std::string_view::npos ||
        !(name.ends_with(kOptimizers) || name.ends_with(kModels))) {
        return std::nullopt;
    }
    const std::size_t digits = start + kDataRank.size();
    std::int64_t rank = -1;
    const auto end = std::from_chars(name.data() + digits, name.data() + name.size(), rank);
    const std::string_view after = name.substr(static_cast<std::size_t>(end.ptr - name.data()));
    if (end.ec != std::errc{} || rank < 0 || rank > kMostRanks || !after.starts_with(kModelRank)) {
        return std::nullopt;
    }
    return RankFile{std::string(name.substr(0, digits)), rank, std::string(after)};
}

std::optional<std::int64_t> countIn(const Value& values, std::string_view key) {
    const Value* found = values.find(key);
    const std::int64_t* count = found == nullptr ? nullptr : found->asInt();
    return count == nullptr || *count < 0 ? std::nullopt
                                          : std::optional(std::min(*count, kMostRanks));
}

/// What training would miss.
struct SaveState {
    std::vector<std::string> missing; ///< files of ranks, as they would be called
    std::vector<std::string> empty;   ///< files without a byte
};

class SaveLook {
public:
    SaveLook(const OpenRequest& request, std::string folder)
        : m_request(request), m_folder(std::move(folder)) {}

    Result<SaveState> look() {
        CAIRN_TRY(const FolderPtr inner, m_request.folder->openFolder(m_folder));
        CAIRN_TRY(const std::vector<FolderEntry> entries, inner->list());
        for (const FolderEntry& entry : entries) {
            take(entry);
        }
        if (m_states.empty()) {
            if (!m_series.empty()) {
                miss(std::string("mp_rank_00") + std::string(kModels));
            }
            return std::move(m_result);
        }
        CAIRN_TRY(const CheckpointPtr states, m_request.openNested(m_folder + "/" + m_states));
        CAIRN_TRY(const Value values, states->values(m_request.cancel));
        const Value* shapes = values.find("param_shapes");
        // Without ZeRO the model states hold the optimizer, and there are no such files.
        if (shapes != nullptr && !shapes->items().empty() && !m_optimizers) {
            m_series[{std::string(kDataRank), "_mp_rank_00" + std::string(kOptimizers)}];
        }
        const std::int64_t told = countIn(values, "dp_world_size").value_or(0);
        for (const auto& [name, ranks] : m_series) {
            const std::int64_t seen = ranks.empty() ? 0 : *ranks.rbegin() + 1;
            for (std::int64_t rank = 0; rank < std::max(told, seen); ++rank) {
                if (!ranks.contains(rank)) {
                    miss(name.first + std::to_string(rank) + name.second);
                }
            }
        }
        return std::move(m_result);
    }

private:
    void take(const FolderEntry& entry) {
        const std::string& name = entry.name;
        if (entry.kind == EntryKind::File && entry.identity.size == 0 && name.ends_with(".pt")) {
            m_result.empty.push_back(m_folder + "/" + name);
        }
        const auto file = parseRankFile(name);
        const bool first = name.ends_with("mp_rank_00" + std::string(kModels)) &&
                           (file || name.starts_with("mp_rank_"));
        m_states = m_states.empty() && first ? name : m_states;
        if (file) {
            m_series[{file->before, file->after}].insert(file->rank);
            m_optimizers = m_optimizers || name.ends_with(kOptimizers);
        }
    }

    void miss(const std::string& name) {
        if (m_result.missing.size() < kMostListed) {
            m_result.missing.push_back(m_folder + "/" + name);
        }
    }

    const OpenRequest& m_request;
    std::string m_folder;
    SaveState m_result;
    std::string m_states; ///< of the first model parallel rank
    /// The ranks of which a file is there, by what its name is around the rank.
    std::map<std::pair<std::string, std::string>, std::set<std::int64_t>> m_series;
    bool m_optimizers = false;
};

void addReason(CheckpointData& data, const std::string& folder, const std::string& what) {
    markIncomplete(data, "Training cannot go on from " + folder + ": " + what +
                             " (the weights do not need it)");
}

void noteLost(CheckpointData& data, const OpenRequest& request, const std::string& folder,
              const std::vector<std::string>& files, const std::string& how) {
    if (!files.empty()) {
        addReason(data, folder, counted(files.size(), "file of it is ", "files of it are ") + how);
    }
    for (std::size_t i = 0; i < std::min(files.size(), kMostNamed); ++i) {
        const auto source = request.folder->openFile(files[i]);
        CheckpointFile file;
        file.path = files[i];
        file.folder = request.folder;
        file.role = Role::Optimizer;
        file.missing = !source;
        if (source) {
            file.identity = (*source)->identity();
        }
        data.addFile(std::move(file));
        addNotice(data, Severity::Error,
                  fail(source ? ErrorCode::EmptyFile : ErrorCode::MissingShard,
                       "A file that training would go on from is " + how)
                      .inFile(files[i])
                      .withHint("The weights are whole without it; copy it from where the "
                                "checkpoint was saved"));
    }
    if (files.size() > kMostNamed) {
        addNotice(data, Severity::Warning,
                  fail(ErrorCode::MissingShard, "More of its files are " + how)
                      .inFile(folder)
                      .butFound(counted(files.size() - kMostNamed, "file") + " more"));
    }
}

} // namespace

std::string newestSave(CheckpointData& data, const OpenRequest& request,
                       std::span<const std::string> saves) {
    const auto named = readSavePointer(*request.folder, kPointer);
    const auto found = std::ranges::find_if(request.entries, [&](const FolderEntry& entry) {
        return named && entry.name == *named && entry.kind == EntryKind::Folder;
    });
    if (named && found == request.entries.end()) {
        addNotice(data, Severity::Warning,
                  fail(ErrorCode::BadIndex,
                       "The file " + std::string(kPointer) + " points nowhere")
                      .inFile(std::string(kPointer))
                      .butFound(visibleText(*named))
                      .expecting("the name of a folder beside it")
                      .withHint("The save of the highest step was taken: " + saves.back()));
    }
    return found == request.entries.end() ? saves.back() : *named;
}

Result<void> noteSave(CheckpointData& data, const OpenRequest& request, const std::string& folder) {
    auto state = SaveLook(request, folder).look();
    if (state) {
        noteLost(data, request, folder, state->missing, "missing");
        noteLost(data, request, folder, state->empty, "empty");
        return {};
    }
    Error error = std::move(state).error();
    if (error.code == ErrorCode::Cancelled || error.code == ErrorCode::OutsideFolder) {
        return error;
    }
    if (error.where.file.empty()) {
        error.where.file = folder;
    }
    addReason(data, folder, "it cannot be read");
    addNotice(data, Severity::Warning, std::move(error)); // stops nobody who wants the weights
    return {};
}

} // namespace cairn::formats::huggingface
