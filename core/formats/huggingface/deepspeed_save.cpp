// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/deepspeed_save.h"

#include "core/base/counted.h"
#include "core/base/visible_text.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/members/save_series.h"

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
constexpr std::int64_t kMostRanks = 1'000'000; ///< larger numbers are implausible
constexpr std::size_t kMostNamed = 20;         ///< listed in messages

/// "bf16_zero_pp_rank_3_mp_rank_00_optim_states.pt": the text before the rank, the rank, the text
/// after it.
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

struct MissingFiles {
    std::uint64_t count = 0;
    std::vector<std::string> names; ///< the first kMostNamed
};

/// Files that resuming the training needs.
struct SaveState {
    MissingFiles missing; ///< missing files of ranks, by their expected names
    MissingFiles empty;   ///< empty files
};

class SaveCheck {
public:
    SaveCheck(const OpenRequest& request, std::string folder)
        : m_request(request), m_folder(std::move(folder)) {}

    Result<SaveState> check() {
        CAIRN_TRY(const FolderPtr inner, m_request.folder->openFolder(m_folder));
        CAIRN_TRY(const std::vector<FolderEntry> entries, inner->list());
        for (const FolderEntry& entry : entries) {
            CAIRN_CHECK(m_request.cancel.check());
            take(entry);
        }
        std::int64_t recorded = 0;
        if (!m_states.empty()) {
            CAIRN_TRY(recorded, readWorldSize());
        } else if (!m_series.empty() && !m_emptyStates) {
            addLost(m_result.missing, std::string("mp_rank_00") + std::string(kModels));
        }
        for (const auto& [name, ranks] : m_series) {
            CAIRN_CHECK(m_request.cancel.check());
            missRanks(name, ranks, recorded);
        }
        return std::move(m_result);
    }

private:
    /// The parts of a file's name before and after the rank.
    using RankPattern = std::pair<std::string, std::string>;

    Result<std::int64_t> readWorldSize() {
        CAIRN_TRY(const CheckpointPtr states, m_request.openNested(m_folder + "/" + m_states));
        CAIRN_TRY(const Value values, states->values(m_request.cancel));
        const Value* shapes = values.find("param_shapes");
        // Without ZeRO the model states contain the optimizer, and there are no optimizer files.
        if (shapes != nullptr && !shapes->items().empty() && !m_optimizers) {
            m_series[{std::string(kDataRank), "_mp_rank_00" + std::string(kOptimizers)}];
        }
        return countIn(values, "dp_world_size").value_or(0);
    }

    /// There may be a million ranks, and hostile files may have a pattern each: all are counted,
    /// but only those that will be listed are searched for.
    void missRanks(const RankPattern& name, const std::set<std::int64_t>& ranks,
                   std::int64_t recorded) {
        const std::int64_t seen = ranks.empty() ? 0 : *ranks.rbegin() + 1;
        const std::int64_t world = std::max(recorded, seen);
        const std::uint64_t missing = static_cast<std::uint64_t>(world) - ranks.size();
        std::uint64_t left = missing;
        auto next = ranks.begin();
        MissingFiles& lost = m_result.missing;
        for (std::int64_t rank = 0; left > 0 && lost.names.size() < kMostNamed; ++rank) {
            if (next != ranks.end() && *next == rank) {
                ++next;
                continue;
            }
            addLost(lost, name.first + std::to_string(rank) + name.second);
            --left;
        }
        lost.count += left;
    }

    void take(const FolderEntry& entry) {
        const std::string& name = entry.name;
        const bool empty = entry.kind == EntryKind::File && entry.identity.size == 0;
        if (empty && name.ends_with(".pt")) {
            addLost(m_result.empty, name);
        }
        const auto file = parseRankFile(name);
        const bool first = name.ends_with("mp_rank_00" + std::string(kModels)) &&
                           (file || name.starts_with("mp_rank_"));
        m_emptyStates = m_emptyStates || (first && empty);
        m_states = m_states.empty() && first && !empty ? name : m_states;
        if (file) {
            m_series[{file->before, file->after}].insert(file->rank);
            m_optimizers = m_optimizers || name.ends_with(kOptimizers);
        }
    }

    void addLost(MissingFiles& lost, const std::string& name) {
        ++lost.count;
        if (lost.names.size() < kMostNamed) {
            lost.names.push_back(m_folder + "/" + name);
        }
    }

    const OpenRequest& m_request;
    std::string m_folder;
    SaveState m_result;
    std::string m_states; ///< file of the first model parallel rank
    /// The ranks with a file, by pattern.
    std::map<RankPattern, std::set<std::int64_t>> m_series;
    bool m_optimizers = false;
    bool m_emptyStates = false; ///< the file m_states is empty
};

void addReason(CheckpointData& data, const std::string& folder, const Sentence& what) {
    markIncomplete(data, sentence("Training cannot resume from %1: %2 (the weights do not need it)",
                                  folder, what));
}

void noteMissingFiles(CheckpointData& data, const OpenRequest& request, const std::string& folder,
                      const MissingFiles& files, const Sentence& how) {
    if (files.count != 0) {
        addReason(
            data, folder,
            sentence("%1 %2", counting(files.count, "file of it is", "files of it are"), how));
    }
    for (const std::string& name : files.names) {
        const auto source = request.folder->openFile(name);
        data.addFile(source ? fileIn(request.folder, name, (*source)->identity(), Role::Optimizer)
                            : missingFile(request.folder, name, Role::Optimizer));
        addNotice(data, Severity::Error,
                  fail(source ? ErrorCode::EmptyFile : ErrorCode::MissingShard,
                       sentence("A file that is needed to resume training is %1", how))
                      .inFile(name)
                      .withHint("The weights are complete without it; copy it from where the "
                                "checkpoint was saved"));
    }
    if (files.count > files.names.size()) {
        addNotice(
            data, Severity::Warning,
            fail(ErrorCode::MissingShard, sentence("More of its files are %1", how))
                .inFile(folder)
                .butFound(sentence("%1 more", counting(files.count - files.names.size(), "file"))));
    }
}

} // namespace

std::string newestSave(CheckpointData& data, const OpenRequest& request,
                       std::span<const std::string> saves) {
    const auto named = readSavePointer(*request.folder, kPointer);
    const auto found = std::ranges::find_if(request.entries, [&](const FolderEntry& entry) {
        return named && entry.name == *named && entry.kind == EntryKind::Folder;
    });
    if (found != request.entries.end()) {
        return *named;
    }
    if (named ||
        (!saves.empty() && std::ranges::find(request.entries, kPointer, &FolderEntry::name) !=
                               request.entries.end())) {
        addNotice(data, Severity::Error,
                  fail(ErrorCode::DanglingPointer,
                       sentence("The file %1 names a missing folder", kPointer))
                      .inFile(std::string(kPointer))
                      .butFound(named ? verbatim(visibleText(*named)) : "no readable name")
                      .expecting("the name of a folder beside it")
                      .withHint(saves.empty()
                                    ? "No DeepSpeed save beside it"
                                    : sentence("The save with the highest step is used: %1",
                                               saves.back())));
    }
    return saves.empty() ? std::string() : saves.back();
}

Result<void> noteSave(CheckpointData& data, const OpenRequest& request, const std::string& folder) {
    auto state = SaveCheck(request, folder).check();
    if (state) {
        noteMissingFiles(data, request, folder, state->missing, "missing");
        noteMissingFiles(data, request, folder, state->empty, "empty");
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
    addNotice(data, Severity::Warning,
              std::move(error)); // a warning: users who only need the weights are not affected
    return {};
}

} // namespace cairn::formats::huggingface
