// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/deepspeed/expert_names.h"
#include "core/formats/deepspeed/name_pattern.h"
#include "core/formats/deepspeed/optimizer_step.h"
#include "core/formats/deepspeed/tag_folder.h"
#include "core/formats/deepspeed/zero_off.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

/// Experts: each has a file, and without ZeRO there is one more for each rank that trains some of
/// them. Source: deepspeed/runtime/engine.py (_save_moe_checkpoint, load_moe_state_dict).
namespace cairn::formats::deepspeed {

Result<void> TagFolder::openExpertOptimizers() {
    for (const FileName& file : m_files.expertOptimizers) {
        auto member = openMember(m_request, file.name, m_data, Role::Other);
        if (!member) {
            CAIRN_CHECK(takeFailure(std::move(member).error()));
            continue;
        }
        m_expertOptimizers.push_back({file, std::move(*member)});
    }
    std::ranges::stable_sort(m_expertOptimizers, {}, [](const ExpertOptimizer& each) {
        return std::pair(each.file.mp, each.file.expert);
    });
    return {};
}

std::vector<Parameter> TagFolder::expertParameters(Rank mp) const {
    std::vector<Parameter> parameters;
    for (const Loose& loose : m_loose) {
        if (loose.file.kind != FileKind::Expert || loose.file.mp != mp) {
            continue;
        }
        for (const TensorEntry& tensor : loose.member.tensors) {
            parameters.push_back({tensor.name, tensor.shape, tensor.elements(), 0});
        }
    }
    return parameters;
}

/// The optimizers of a part that was trained without ZeRO. The model states contain the first
/// rank's; the file of every expert rank contains the shared parameters again, and the rank's own
/// experts.
struct TagFolder::WithoutZero {
    struct Optimizer {
        Member* member;
        ZeroOffOptimizer content;
        Rank rank;
    };
    std::optional<Optimizer> own; ///< in the model states
    std::vector<Optimizer> files;
    std::vector<std::vector<Parameter>> experts; ///< by rank; empty: unknown

    [[nodiscard]] const Optimizer* first() const {
        return own ? &*own : !files.empty() ? files.data() : nullptr;
    }
    [[nodiscard]] const std::vector<Parameter>* expertsOf(Rank rank) const {
        static const std::vector<Parameter> none;
        return rank < experts.size() ? &experts[rank] : &none;
    }
    [[nodiscard]] Sentence evidence() const {
        return sentence("the experts are distributed over %1 ranks", experts.size());
    }
    static std::optional<double> stepOf(const Optimizer& optimizer) {
        const Value* states = optimizer.content.states();
        return states == nullptr ? std::nullopt : stepIn(*optimizer.member, *states);
    }
};

TagFolder::WithoutZero TagFolder::findWithoutZero(ModelPart& part) {
    WithoutZero found;
    if (auto read = ZeroOffOptimizer::read(*part.model())) {
        found.own = {part.model(), std::move(*read), 0};
    }
    for (auto& [file, member] : m_expertOptimizers) {
        auto read = file.mp == part.rank() ? ZeroOffOptimizer::read(member) : std::nullopt;
        if (read) {
            found.files.push_back({&member, std::move(*read), file.expert});
        }
    }
    const std::vector<Parameter> experts = expertParameters(part.rank());
    const std::uint64_t total = elementsOf(experts);
    const WithoutZero::Optimizer* first = found.first();
    const std::uint64_t share = first == nullptr ? 0 : first->content.expertElements();
    found.experts = expertsByRank(experts, share > 0 && total % share == 0 ? total / share : 0);
    return found;
}

/// The trainable parameters of a part, except its experts.
Trainable TagFolder::denseParameters(ModelPart& part, const std::string& prefix) const {
    Trainable dense;
    addTrainable(*part.model(), part.states(), kModule, {}, dense);
    for (const Loose& loose : m_loose) { // of all stages, because their stage is not recorded
        if (loose.file.kind == FileKind::Layer && loose.prefix == prefix) {
            addTrainable(loose.member, part.states(), {}, std::to_string(loose.file.layer) + ".",
                         dense);
        }
    }
    return dense;
}

/// Adds masters and moments of a part that was trained without ZeRO.
void TagFolder::addWithoutZero(ModelPart& part, const std::string& prefix) {
    const WithoutZero found = findWithoutZero(part);
    MasterNames names(m_data, denseParameters(part, prefix));
    std::set<Rank> there;
    if (found.own) {
        const bool firstHasFile = !found.files.empty() && found.files[0].rank == 0;
        m_list.addLogicals(found.own->content.join(m_data, *found.own->member, &names,
                                                   firstHasFile ? nullptr : found.expertsOf(0)),
                           prefix);
        if (found.files.empty()) { // otherwise each rank has one
            there.insert(0);
        }
    }
    const auto expected = found.files.empty() ? std::nullopt : WithoutZero::stepOf(*found.first());
    for (const WithoutZero::Optimizer& each : found.files) {
        there.insert(each.rank);
        if (!found.experts.empty() && each.rank >= found.experts.size()) {
            leaveOut(*each.member, found.evidence());
            continue;
        }
        const auto step = WithoutZero::stepOf(each);
        if (step && expected && *step != *expected) {
            addDamage(m_data, fail(ErrorCode::StaleShard,
                                   "The ranks' optimizer states are from different saves")
                                  .inFile(each.member->name)
                                  .inField("step")
                                  .butFound(verbatim(stepText(*step)))
                                  .expecting(sentence("%1 as in %2", stepText(*expected),
                                                      found.first()->member->name)));
        }
        const bool onlyOne = !found.own && &each == found.first();
        m_list.addLogicals(each.content.join(m_data, *each.member, onlyOne ? &names : nullptr,
                                             found.expertsOf(each.rank)),
                           prefix);
    }
    for (Rank rank = 0; rank < found.experts.size(); ++rank) {
        if (!there.contains(rank)) {
            addMissingFile(m_data, m_request.folder,
                           "expp_rank_" + std::to_string(rank) + "_mp_rank_" +
                               twoDigits(part.rank()) + "_optim_states.pt",
                           Role::Other, found.evidence());
        }
    }
}

/// Skips a file of a rank beyond the world size, which `evidence` records.
void TagFolder::leaveOut(Member& member, const Sentence& evidence) {
    member.used.assign(member.used.size(), true);
    addNotice(m_data, Severity::Warning,
              fail(ErrorCode::StaleShard, "The file is left over from another save and is not used")
                  .inFile(member.name)
                  .butFound("a rank out of range")
                  .expecting(evidence));
}

void TagFolder::noteMissingExperts() {
    const Member* model = nullptr;
    for (ModelPart& part : m_parts) {
        model = model == nullptr ? part.model() : model;
    }
    const Value* counts = model == nullptr ? nullptr : model->root.find("num_experts");
    if (counts == nullptr || m_files.experts.empty()) {
        return;
    }
    std::set<std::pair<Rank, Rank>> there;
    std::set<Rank> layers;
    for (const FileName& file : m_files.experts) {
        there.insert({file.layer, file.expert});
        layers.insert(file.layer);
    }
    const Rank mp = m_files.experts.front().mp;
    // The first versions stored the parts of an expert in all layers in one file, with a single
    // count.
    const bool perLayer = m_files.experts.front().name.starts_with("layer_");
    for (const Rank layer : layers) {
        const auto& items = counts->items();
        const Value* recorded =
            items.empty() ? counts : &items[std::min<std::size_t>(layer, items.size() - 1)].value;
        const std::int64_t count = integerOf(recorded).value_or(0);
        for (Rank expert = 0; expert < std::min<std::int64_t>(count, 10'000); ++expert) {
            if (!there.contains({layer, expert})) {
                addMissingFile(m_data, m_request.folder,
                               (perLayer ? "layer_" + std::to_string(layer) + "_" : "") +
                                   "expert_" + std::to_string(expert) + "_mp_rank_" +
                                   twoDigits(mp) + "_model_states.pt",
                               Role::Weight,
                               sentence("%1 has %2 experts",
                                        perLayer ? Sentence("the layer") : "each layer", count));
            }
        }
    }
}

} // namespace cairn::formats::deepspeed
