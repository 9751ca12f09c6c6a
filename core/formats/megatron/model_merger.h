// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/formats/megatron/cut_decision.h"
#include "core/formats/megatron/stage_layers.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::formats::megatron {

/// Merges the tensor parallel parts of each tensor, stage by stage. Its arguments must outlive it.
/// Not thread-safe; use it once.
class ModelMerger {
public:
    ModelMerger(CheckpointData& data, RankSet& ranks, const RankPlaces& places,
                const FirstLayers& firstLayers)
        : m_data(data), m_ranks(ranks), m_places(places), m_firstLayers(firstLayers),
          m_decision(data, places.layout) {}

    /// Adds the tensors of the complete model to `data` and marks their parts as used; returns
    /// their names within the model with their positions. Tensors that cannot be merged are
    /// reported in one notice.
    std::vector<ValueItem> merge();

private:
    /// A tensor of the complete model, and the part from which it was first made.
    struct Named {
        TensorIndex index;
        std::vector<Part> parts;
    };
    /// A tensor parallel rank of one stage, and the position of each name in it.
    struct StageRank {
        std::uint32_t tp = 0;
        Member* member = nullptr;
        std::map<std::string_view, std::size_t> positions;
    };

    [[nodiscard]] std::vector<StageRank> ranksOfStage(std::uint32_t pp, std::uint32_t ep) const;
    void mergeStage(std::uint32_t chunk, std::uint32_t pp, std::uint32_t ep);
    [[nodiscard]] std::string globalName(std::string_view local, std::size_t stage,
                                         std::uint32_t ep) const;
    void mergeTensor(std::string name, std::string_view local, const std::vector<Part>& parts,
                     const TensorEntry* second);
    void takeCopies(const Named& known, const std::vector<Part>& parts);
    void countNotMerged(const std::string& name, const Sentence& why);

    CheckpointData& m_data;
    RankSet& m_ranks;
    const RankPlaces& m_places;
    const FirstLayers& m_firstLayers;
    CutDecision m_decision;
    std::map<std::string, Named, std::less<>> m_named;
    std::vector<ValueItem> m_values;
    std::size_t m_notMerged = 0;
    std::string m_firstNotMerged;
    Sentence m_firstWhy;
};

} // namespace cairn::formats::megatron
