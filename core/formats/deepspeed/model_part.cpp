// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/model_part.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/formats/deepspeed/optimizer_step.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cairn::formats::deepspeed {
namespace {

constexpr std::uint64_t kMaxMissing = 40; // listed in messages

Sentence ranksText(std::uint64_t count) {
    return counting(count, "rank");
}

/// The step of ZeRO's optimizer states.
std::optional<double> stepOf(const Member& member, const CancelToken& cancel) {
    const Value* root = member.root.find("optimizer_state_dict");
    std::optional<double> step;
    for (const std::string_view key : {"base_optimizer_state", "optimizer_state_dict"}) {
        const Value* optimizer = root == nullptr ? nullptr : root->find(key);
        const Value* states = optimizer == nullptr ? nullptr : optimizer->find("state");
        if (!step && states != nullptr && !cancel.cancelled()) {
            step = stepIn(member, *states);
        }
    }
    return step;
}

/// For ranks after the first, only the parts of frozen parameters are needed.
Member onlyFrozen(Member member) {
    const Value* fragments = member.root.find("frozen_param_fragments");
    const bool any = fragments != nullptr && !fragments->items().empty();
    member.root = any ? Value::dict({{Value("frozen_param_fragments"), *fragments}}) : Value();
    member.checkpoint.reset();
    if (!any) {
        member.tensors = {};
        member.placed = {};
        member.used = {};
    }
    return member;
}

} // namespace

Result<void> ModelPart::take(Error error) {
    if (error.code == ErrorCode::Cancelled || error.code == ErrorCode::OutsideFolder) {
        return error;
    }
    if (!m_firstError) {
        m_firstError = error;
    }
    markIncomplete(m_data, sentence("%1 cannot be read", error.where.file));
    addNotice(m_data, Severity::Error, std::move(error));
    return {};
}

Result<void> ModelPart::open(const RankFiles& files, bool partitioned, bool universal) {
    m_partitioned = partitioned;
    CAIRN_CHECK(openModels(files));
    CAIRN_CHECK(openOptimizers(files));
    decideWorldSize(files);
    dropOtherSaves();
    nameMissing(files, universal);
    checkModelSteps();
    checkOptimizerSteps();
    return {};
}

Result<void> ModelPart::openModels(const RankFiles& files) {
    for (const auto& [rank, file] : files.models) {
        auto member = openMember(m_request, file.name, m_data, Role::Weight);
        if (!member) {
            CAIRN_CHECK(take(std::move(member).error()));
            continue;
        }
        ModelStates states = readModelStates(*member);
        for (const std::string& name : states.unreadable) {
            addDamage(m_data, fail(ErrorCode::BadIndex, "The shape of a parameter cannot be read")
                                  .inFile(file.name)
                                  .inTensor(name)
                                  .inField("param_shapes"));
        }
        if (!m_model) {
            m_model = std::move(*member);
            m_states = std::move(states);
            m_modelRank = rank;
        } else {
            m_otherModels.push_back({rank, onlyFrozen(std::move(*member)), std::move(states)});
            OpenedModel& other = m_otherModels.back();
            other.states.groups.clear(); // the same as in the first rank's
        }
    }
    return {};
}

Result<void> ModelPart::openOptimizers(const RankFiles& files) {
    for (const auto& [rank, file] : files.optimizers) {
        auto member = openMember(m_request, file.name, m_data, Role::Other);
        if (!member) {
            CAIRN_CHECK(take(std::move(member).error()));
            continue;
        }
        OpenedOptimizer& opened =
            m_optimizers.emplace_back(OpenedOptimizer{rank, std::move(*member), {}, {}, {}});
        opened.states = readOptimizerStates(opened.member);
        if (m_states.withoutZero) {
            opened.slices = readSlices(opened.member);
        }
        opened.step = stepOf(opened.member, m_request.cancel);
        if (m_optimizers.size() > 1) { // with hundreds of ranks, free what is no longer needed
            opened.member.checkpoint.reset();
            opened.member.root = Value();
        }
        if (!m_stage) {
            m_stage = opened.states.stage;
        }
    }
    return {};
}

/// Uses the world size in the model states if an optimizer file agrees or there is none; otherwise
/// that of most optimizer files.
void ModelPart::decideWorldSize(const RankFiles& files) {
    std::map<std::int64_t, std::size_t> votes;
    for (const OpenedOptimizer& each : m_optimizers) {
        if (const auto size = each.states.worldSize()) {
            ++votes[*size];
        }
    }
    const auto recorded = m_states.dpWorldSize;
    if (recorded && (votes.empty() || votes.contains(*recorded))) {
        m_world = static_cast<std::uint64_t>(*recorded);
        m_evidence = sentence("%1 was saved by %2", m_model->name, ranksText(m_world));
        return;
    }
    if (!votes.empty()) {
        const auto most =
            std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
        m_world = static_cast<std::uint64_t>(most->first);
        m_evidence = sentence("the optimizer states were saved by %1", ranksText(m_world));
        return;
    }
    const Rank last = std::max(files.models.empty() ? 0 : files.models.rbegin()->first,
                               files.optimizers.empty() ? 0 : files.optimizers.rbegin()->first);
    m_world = std::uint64_t{last} + 1;
    m_evidence = sentence("there are files of %1", ranksText(m_world));
}

/// Drops files of a save with a different number of ranks.
void ModelPart::dropOtherSaves() {
    const auto isOther = [&](Rank rank, std::optional<std::int64_t> size) {
        return rank >= m_world || (size && static_cast<std::uint64_t>(*size) != m_world);
    };
    const auto note = [&](const std::string& name, std::optional<std::int64_t> size) {
        addNotice(
            m_data, Severity::Warning,
            fail(ErrorCode::StaleShard, "The file is left over from another save and is not used")
                .inFile(name)
                .butFound(
                    size ? sentence("saved by %1", ranksText(static_cast<std::uint64_t>(*size)))
                         : "a rank out of range")
                .expecting(m_evidence));
    };
    std::erase_if(m_optimizers, [&](const OpenedOptimizer& each) {
        const bool other = isOther(each.rank, each.states.worldSize());
        if (other) {
            note(each.member.name, each.states.worldSize());
        }
        return other;
    });
    std::erase_if(m_otherModels, [&](const OpenedModel& each) {
        const bool other = isOther(each.rank, each.states.dpWorldSize);
        if (other) {
            note(each.member.name, each.states.dpWorldSize);
        }
        return other;
    });
}

bool ModelPart::isFlat(const TensorEntry& tensor) const {
    if (m_optimizers.empty()) {
        return false;
    }
    return std::ranges::any_of(m_optimizers.front().states.parts, [&](const FlatPart& part) {
        return part.master == &tensor || std::ranges::any_of(part.states, [&](const auto& state) {
                   return state.second == &tensor;
               });
    });
}

void ModelPart::nameMissing(const RankFiles& files, bool universal) {
    if (!m_model && files.models.empty()) {
        const std::string name = (m_partitioned ? "zero_pp_rank_0_" : "") +
                                 ("mp_rank_" + twoDigits(m_mp)) + "_model_states.pt";
        addMissingFile(m_data, m_request.folder, name, Role::Weight,
                       "no file with the parameters' names and shapes");
    }
    const bool optimizers =
        !files.optimizers.empty() || ((m_states.hasShapes || m_states.flatOptimizer) && !universal);
    std::string prefix = m_states.flatOptimizer ? "bf16_" : "";
    if (!files.optimizers.empty()) {
        prefix = files.optimizers.begin()->second.prefix;
    }
    std::set<Rank> used;
    for (const OpenedOptimizer& each : m_optimizers) {
        used.insert(each.rank);
    }
    // Existing files imply which others must exist; if all files of a kind are missing, none is
    // reported.
    const bool models = m_partitioned && !files.models.empty();
    const auto modelsThere = static_cast<std::uint64_t>(std::ranges::count_if(
        files.models, [&](const auto& file) { return file.first < m_world; }));
    const std::uint64_t gone =
        (optimizers ? m_world - used.size() : 0) + (models ? m_world - modelsThere : 0);
    std::uint64_t named = 0;
    for (std::uint64_t rank = 0; rank < m_world && named < std::min(gone, kMaxMissing); ++rank) {
        const auto key = static_cast<Rank>(rank);
        const bool optimizerMissing = optimizers && !used.contains(key);
        const bool modelMissing = models && !files.models.contains(key);
        if (!optimizerMissing && !modelMissing) {
            continue;
        }
        const std::string stem =
            "zero_pp_rank_" + std::to_string(rank) + "_mp_rank_" + twoDigits(m_mp);
        if (optimizerMissing) {
            ++named;
            markIncomplete(m_data, sentence("The optimizer state of rank %1 is missing", rank));
            if (!files.optimizers.contains(key)) {
                addMissingFile(m_data, m_request.folder, prefix + stem + "_optim_states.pt",
                               Role::Other, m_evidence);
            }
        }
        if (modelMissing) {
            ++named;
            addMissingFile(m_data, m_request.folder, stem + "_model_states.pt", Role::Weight,
                           m_evidence);
        }
    }
    if (named < gone) {
        addNotice(m_data, Severity::Error,
                  fail(ErrorCode::MissingShard, "More ranks' files are missing than are listed")
                      .butFound(sentence("%1 more, %2", gone - named, m_evidence))
                      .withHint("Copy them from where the checkpoint was saved"));
    }
}

void ModelPart::checkModelSteps() {
    for (const OpenedModel& each : m_otherModels) {
        if (m_states.steps && each.states.steps && *m_states.steps != *each.states.steps) {
            addDamage(m_data,
                      fail(ErrorCode::StaleShard, "The ranks' files are from different saves")
                          .inFile(each.member.name)
                          .inField("global_steps")
                          .butFound(verbatim(std::to_string(*each.states.steps)))
                          .expecting(sentence("%1 as in %2", *m_states.steps, m_model->name)));
        }
    }
}

/// All ranks step together: a rank with a different step count belongs to another save, and so do
/// all ranks if they are ahead of the model states.
void ModelPart::checkOptimizerSteps() {
    std::map<double, std::size_t> votes;
    std::vector<std::optional<double>> steps;
    for (const OpenedOptimizer& each : m_optimizers) {
        steps.push_back(each.step);
        if (each.step) {
            ++votes[*each.step];
        }
    }
    if (votes.empty()) {
        return;
    }
    double expected =
        std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; })->first;
    if (votes.size() == 1) {
        m_updates = expected;
    }
    if (m_states.steps) { // the ranks that agree with the model states are right
        const double recorded = static_cast<double>(*m_states.steps) -
                                static_cast<double>(m_states.skippedSteps.value_or(0));
        // An optimizer that was not restored starts at 0 again; some use one extra step to allocate
        // buffers.
        const bool ahead = expected > recorded + 1;
        if (votes.size() == 1 && expected != recorded && !ahead) {
            addNotice(m_data, Severity::Warning,
                      fail(ErrorCode::StaleShard,
                           "The optimizer's step count does not match the model states")
                          .inFile(m_optimizers.front().member.name)
                          .inField("step")
                          .butFound(verbatim(stepText(expected)))
                          .expecting(sentence("%1 as in %2", stepText(recorded), m_model->name))
                          .withHint("This is normal if training was resumed from weights only; "
                                    "otherwise the files are from different saves"));
        }
        expected = votes.contains(recorded) || ahead ? recorded : expected;
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i] && *steps[i] != expected) {
            addDamage(m_data, fail(ErrorCode::StaleShard,
                                   "The ranks' optimizer states are from different saves")
                                  .inFile(m_optimizers[i].member.name)
                                  .inField("step")
                                  .butFound(verbatim(stepText(*steps[i])))
                                  .expecting(sentence("%1%2", stepText(expected),
                                                      votes.contains(expected)
                                                          ? Sentence(" as in the other ranks")
                                                          : " as in the model states")));
        }
    }
}

} // namespace cairn::formats::deepspeed
