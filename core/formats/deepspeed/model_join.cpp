// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/deepspeed/expert_names.h"
#include "core/formats/deepspeed/model_part.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

// Joins the flat vectors of all ranks to the parameters of a ModelPart.

namespace cairn::formats::deepspeed {
namespace {

constexpr std::uint64_t kMaxAbsent = 40; // missing expert ranks that are shown
constexpr std::size_t kMaxHoles = 20;    // listed in messages

} // namespace

void ModelPart::joinFrozen(std::vector<Logical>& joined) {
    for (const Parameter& parameter : m_states.frozen) {
        const auto fragmentIn = [&](const Member& member) {
            const Value* fragments = member.root.find("frozen_param_fragments");
            return member.tensor(fragments == nullptr ? nullptr : fragments->find(parameter.name));
        };
        const TensorEntry* own = m_model ? fragmentIn(*m_model) : nullptr;
        if (!m_partitioned) {
            if (own != nullptr && own->shape == parameter.shape) {
                m_model->used[m_model->positionOf(own)] = true;
                TensorEntry tensor = *own;
                tensor.name = parameter.name;
                tensor.role = Role::Weight;
                tensor.aliasOf.reset();
                joined.push_back({parameter.name, std::move(tensor), {}});
            }
            continue;
        }
        std::map<std::uint64_t, const TensorEntry*> parts;
        if (own != nullptr) {
            parts.emplace(m_modelRank, own);
        }
        for (const OpenedModel& each : m_otherModels) {
            if (const TensorEntry* fragment = fragmentIn(each.member)) {
                parts.emplace(each.rank, fragment);
            }
        }
        joined.push_back({parameter.name, joinFragments(m_data, parameter, m_world, parts), {}});
    }
}

/// Experts are cut among the ranks that have the same ones: with `partitions` parts, world /
/// partitions ranks have different experts, and param_shapes has the local numbers of each.
std::vector<Logical> ModelPart::joinExperts(const FlatRanks& ranks, std::size_t group,
                                            std::uint64_t partitions) {
    std::vector<Logical> joined;
    const std::uint64_t expertRanks = m_world / partitions;
    const std::uint64_t last =
        ranks.parts.rbegin()->first; // experts of later ranks are not described anywhere
    std::set<std::uint64_t> firsts;
    for (const auto& [rank, parts] : ranks.parts) {
        firsts.insert(rank % expertRanks);
    }
    // Of missing ranks only some experts are shown as holes; there may be a million.
    std::uint64_t absent = 0;
    for (std::uint64_t first = 0; first < std::min(expertRanks, last + 1) && absent < kMaxAbsent;
         ++first) {
        absent += firsts.insert(first).second ? 1 : 0;
    }
    for (const std::uint64_t first : firsts) {
        FlatRanks own;
        own.worldSize = partitions;
        for (const auto& [rank, parts] : ranks.parts) {
            if (rank % expertRanks == first && group < parts.size()) {
                own.parts[rank / expertRanks] = {parts[group]};
                own.files[rank / expertRanks] = ranks.files.at(rank);
            }
        }
        auto parameters = withGlobalExperts(m_states.groups[group], first);
        for (Logical& logical : joinGroups(m_data, {std::move(parameters)}, own)) {
            joined.push_back(std::move(logical));
        }
    }
    return joined;
}

/// Reports incomplete parameters although no file is missing.
void ModelPart::checkCoverage(const std::vector<Logical>& joined) {
    if (m_data.completeness == Completeness::Incomplete) {
        return;
    }
    std::size_t reported = 0;
    for (const Logical& logical : joined) {
        std::uint64_t there = 0;
        for (const Piece& piece : logical.master->pieces) {
            there += elementCount(piece.box.extent).value_or(0);
        }
        if (there < logical.master->elements() && reported++ < kMaxHoles) {
            addDamage(m_data, fail(ErrorCode::CoverageHole,
                                   "Some elements of a weight are not in any rank's file")
                                  .inTensor(logical.name)
                                  .butFound(sentence("%1 elements", there))
                                  .expecting(verbatim(std::to_string(logical.master->elements()))));
        }
    }
}

void ModelPart::nameWithoutZero(const ShapeOf& shapeOf) {
    if (!m_states.withoutZero || m_optimizers.empty() || m_optimizers.size() != m_world) {
        return;
    }
    std::vector<std::vector<Parameter>> groups;
    for (const OpenedOptimizer& each : m_optimizers) { // in rank order
        if (!each.slices || (!groups.empty() && groups.size() != each.slices->size())) {
            return;
        }
        groups.resize(each.slices->size());
        for (std::size_t g = 0; g < groups.size(); ++g) {
            for (const NamedSlice& slice : (*each.slices)[g]) {
                const bool continuesSlice =
                    !groups[g].empty() && groups[g].back().name == slice.name;
                if (!continuesSlice) {
                    groups[g].push_back({slice.name, {}, 0, 0});
                }
                groups[g].back().elements += slice.elements;
            }
        }
    }
    for (auto& group : groups) {
        for (Parameter& parameter : group) {
            const auto flat = Shape{static_cast<std::int64_t>(parameter.elements)};
            parameter.shape = shapeOf(parameter.name, parameter.elements).value_or(flat);
        }
    }
    m_states.groups = std::move(groups);
    m_states.hasShapes = true;
}

std::vector<Logical> ModelPart::join() {
    FlatRanks ranks;
    ranks.worldSize = m_world;
    std::vector<std::int64_t> partitions;
    for (const OpenedOptimizer& each : m_optimizers) {
        ranks.parts[each.rank] = each.states.parts;
        ranks.files[each.rank] = each.member.name;
        partitions = partitions.empty() ? each.states.partitionCounts : partitions;
        for (std::size_t g = 0; g < std::min(each.states.paddings.size(), m_states.groups.size());
             ++g) {
            const auto& paddings = each.states.paddings[g];
            auto& group = m_states.groups[g];
            for (std::size_t i = 0; i < group.size() && paddings.size() == group.size(); ++i) {
                group[i].padding = paddings[i];
            }
        }
    }
    std::vector<Logical> joined;
    if (m_states.hasShapes && m_partitioned && !ranks.parts.empty()) {
        joined = joinPartitioned(m_data, m_states.groups, ranks);
    } else if (m_states.hasShapes && !ranks.parts.empty()) {
        auto shared = m_states.groups; // groups that all ranks share
        std::vector<Logical> experts;
        for (std::size_t g = 0; g < std::min(shared.size(), partitions.size()); ++g) {
            const auto count = static_cast<std::uint64_t>(partitions[g]);
            if (count < m_world && m_world % count == 0) {
                shared[g].clear();
                std::ranges::move(joinExperts(ranks, g, count), std::back_inserter(experts));
            }
        }
        for (std::size_t g = 0; g < shared.size(); ++g) {
            if (shared[g].empty()) {
                continue;
            }
            FlatRanks own;
            own.worldSize = m_world;
            own.files = ranks.files;
            for (const auto& [rank, parts] : ranks.parts) {
                if (g < parts.size()) {
                    own.parts[rank] = {parts[g]};
                }
            }
            std::ranges::move(joinGroups(m_data, {shared[g]}, own), std::back_inserter(joined));
        }
        std::ranges::move(experts, std::back_inserter(joined));
    }
    if (!m_states.hasShapes && m_model && !m_optimizers.empty()) {
        addDamage(m_data, fail(ErrorCode::BadIndex, "The parameters' names and shapes are missing")
                              .inFile(m_model->name)
                              .inField("param_shapes")
                              .withHint("The flat partitions are shown as stored"));
    }
    joinFrozen(joined);
    checkCoverage(joined);
    return joined;
}

} // namespace cairn::formats::deepspeed
