// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/model_merger.h"

#include "core/formats/megatron/parameter_names.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace cairn::formats::megatron {
namespace {

constexpr std::string_view kNotInAll = "one that is missing on some tensor-parallel ranks";

} // namespace

std::vector<ValueItem> ModelMerger::merge() {
    const Layout& layout = m_places.layout;
    for (std::uint32_t chunk = 0; chunk < layout.chunks; ++chunk) {
        for (std::uint32_t pp = 0; pp < layout.pipeline; ++pp) {
            for (std::uint32_t ep = 0; ep < layout.expert; ++ep) {
                mergeStage(chunk, pp, ep);
            }
        }
    }
    if (m_notMerged > 0) {
        const Sentence others =
            m_notMerged > 1 ? sentence(" and %1 more", m_notMerged - 1) : Sentence();
        m_ranks.noteNotMerged(
            fail(ErrorCode::ShardsNotJoined,
                 sentence("The ranks' tensors cannot be merged: %1%2", m_firstNotMerged, others))
                .inTensor(m_firstNotMerged)
                .butFound(m_firstWhy)
                .withHint("They are shown per rank, as stored"));
    }
    return std::move(m_values);
}

std::vector<ModelMerger::StageRank> ModelMerger::ranksOfStage(std::uint32_t pp,
                                                              std::uint32_t ep) const {
    std::vector<StageRank> ranks;
    for (std::uint32_t tp = 0; tp < m_places.layout.tensor; ++tp) {
        const auto found = m_places.files.find({tp, pp, ep});
        if (found == m_places.files.end()) {
            continue;
        }
        StageRank& rank = ranks.emplace_back(StageRank{tp, &found->second->member, {}});
        for (std::size_t i = 0; i < rank.member->tensors.size(); ++i) {
            rank.positions.emplace(rank.member->tensors[i].name, i);
        }
    }
    return ranks;
}

/// Merges all tensors of one stage (and expert rank) from the files of its tensor parallel ranks.
void ModelMerger::mergeStage(std::uint32_t chunk, std::uint32_t pp, std::uint32_t ep) {
    const std::vector<StageRank> ranks = ranksOfStage(pp, ep);
    if (ranks.empty()) {
        return;
    }
    const StageRank& front = ranks.front();
    for (const TensorEntry& first : front.member->tensors) {
        const auto model = nameInModel(first.name);
        if (!model || model->chunk != chunk) {
            continue;
        }
        std::vector<Part> parts;
        for (const StageRank& rank : ranks) {
            if (const auto at = rank.positions.find(first.name); at != rank.positions.end()) {
                parts.push_back({rank.tp, rank.member, at->second});
            }
        }
        if (parts.size() < ranks.size()) {
            countNotMerged(first.name, fixedText(kNotInAll));
            continue;
        }
        const std::string second = secondOfMlp(first.name);
        const auto at = second.empty() ? front.positions.end() : front.positions.find(second);
        mergeTensor(globalName(model->name, m_places.stageOf(pp, chunk), ep), model->name, parts,
                    at == front.positions.end() ? nullptr : &front.member->tensors[at->second]);
    }
    for (const StageRank& rank : std::span(ranks).subspan(1)) {
        for (const TensorEntry& tensor : rank.member->tensors) {
            const auto model = nameInModel(tensor.name);
            if (model && model->chunk == chunk && !front.positions.contains(tensor.name)) {
                countNotMerged(tensor.name, fixedText(kNotInAll));
            }
        }
    }
}

std::string ModelMerger::globalName(std::string_view local, std::size_t stage,
                                    std::uint32_t ep) const {
    std::string name(local);
    if (const auto layer = layerNumber(name)) {
        const auto first = m_firstLayers.find(layer->before);
        if (first != m_firstLayers.end()) {
            name = withNumber(name, *layer, layer->number + first->second[stage]);
        }
    }
    if (m_places.layout.expert > 1 && m_places.layout.experts) {
        if (const auto expert = expertNumber(name)) {
            const std::uint64_t each =
                static_cast<std::uint64_t>(std::max<std::int64_t>(*m_places.layout.experts, 0)) /
                m_places.layout.expert;
            name = withNumber(name, *expert, expert->number + each * ep);
        }
    }
    return name;
}

/// `second`: for the first weight of an MLP, the weight that follows it.
void ModelMerger::mergeTensor(std::string name, std::string_view local,
                              const std::vector<Part>& parts, const TensorEntry* second) {
    const TensorEntry& first = parts.front().entry();
    if (const auto known = m_named.find(name); known != m_named.end()) {
        takeCopies(known->second, parts);
        return;
    }
    const bool experts = m_places.layout.expert > 1 &&
                         local.find(".experts.") != std::string_view::npos &&
                         (!expertNumber(local) || !m_places.layout.experts);
    const auto [cut, why] = m_decision.decide(local, parts, second);
    const auto whole =
        experts || !cut ? std::nullopt : fullShape(first.shape, *cut, m_places.layout.tensor);
    if (!whole || (m_places.layout.tensor > 1 && !agrees(local, *whole, m_places.layout))) {
        countNotMerged(first.name, why);
        return;
    }
    TensorEntry merged = first;
    merged.name = "model." + name;
    merged.shape = *whole;
    merged.pieces.clear();
    merged.aliasOf.reset();
    for (const Part& part : parts) {
        auto pieces = movedPieces(part.entry(), *cut, part.tp, m_places.layout.tensor);
        if (!pieces) {
            countNotMerged(first.name, {});
            return;
        }
        std::ranges::move(*pieces, std::back_inserter(merged.pieces));
        if (cut->kind == CutKind::Replicated) {
            break;
        }
    }
    if (first.aliasOf) {
        merged.aliasOf = parts.front().member->placed[first.aliasOf->position()];
    }
    const TensorIndex index(m_data.tensors.size());
    m_data.tensors.push_back(std::move(merged));
    m_named.emplace(name, Named{index, parts});
    m_values.push_back({Value(std::move(name)), Value(index)});
    for (const Part& part : parts) {
        part.member->used[part.position] = true;
        part.member->placed[part.position] = index;
    }
}

/// Adds copies from other stages or expert ranks, which must be equal.
void ModelMerger::takeCopies(const Named& known, const std::vector<Part>& parts) {
    for (const Part& part : parts) {
        const auto same = std::ranges::find(known.parts, part.tp, &Part::tp);
        if (same != known.parts.end() && m_decision.differ(same->entry(), part.entry())) {
            countNotMerged(part.entry().name, "different elements in another rank's copy");
            return;
        }
    }
    for (const Part& part : parts) {
        part.member->used[part.position] = true;
        part.member->placed[part.position] = known.index;
    }
}

/// Some state, such as that of fp8, always differs between ranks.
void ModelMerger::countNotMerged(const std::string& name, const Sentence& why) {
    constexpr std::string_view kOwnState = "_extra_state";
    if (name.ends_with(kOwnState)) {
        return;
    }
    if (m_notMerged++ == 0) {
        m_firstNotMerged = name;
        m_firstWhy = why;
    }
}

} // namespace cairn::formats::megatron
