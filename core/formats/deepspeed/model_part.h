// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/file_names.h"
#include "core/formats/deepspeed/flat_parts.h"

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cairn::formats::deepspeed {

/// One model parallel rank (the complete model, a pipeline stage, or a tensor parallel slice):
/// opens its files, checks them against each other, and joins its weights. Damage is added to
/// `data` as notices. Not thread-safe.
class ModelPart {
public:
    ModelPart(const OpenRequest& request, CheckpointData& data, Rank mp)
        : m_request(request), m_data(data), m_mp(mp) {}
    ModelPart(const ModelPart&) = delete;
    ModelPart& operator=(const ModelPart&) = delete;
    ~ModelPart() = default;

    /// `universal`: the optimizer's state is stored elsewhere. Fails only with Cancelled and
    /// OutsideFolder.
    Result<void> open(const RankFiles& files, bool partitioned, bool universal);

    /// Saves of BF16_Optimizer without ZeRO lack param_shapes: takes names and lengths from the
    /// optimizers, if all exist, and the shapes from the files with the 16-bit weights (empty: no
    /// weight with that name and number of elements).
    using ShapeOf = std::function<std::optional<Shape>(const std::string&, std::uint64_t)>;
    void nameWithoutZero(const ShapeOf& shapeOf);

    /// Master weights, moments and frozen parameters, but no buffers. Empty without param_shapes.
    std::vector<Logical> join();

    [[nodiscard]] const ModelStates& states() const { return m_states; }
    [[nodiscard]] std::string modelName() const { return m_model ? m_model->name : std::string(); }
    [[nodiscard]] Member* model() { return m_model ? &*m_model : nullptr; }
    [[nodiscard]] Member* optimizer() {
        return m_optimizers.empty() ? nullptr : &m_optimizers.front().member;
    }
    /// Whether a tensor of the first optimizer file is a flat vector that join() splits.
    [[nodiscard]] bool isFlat(const TensorEntry& tensor) const;
    template <class Use> void forEachOptimizer(Use use) {
        for (OpenedOptimizer& each : m_optimizers) {
            use(each.member);
        }
    }
    [[nodiscard]] std::uint64_t worldSize() const { return m_world; }
    [[nodiscard]] std::optional<std::int64_t> stage() const { return m_stage; }
    /// Number of optimizer steps, if all ranks agree.
    [[nodiscard]] std::optional<double> updates() const { return m_updates; }
    [[nodiscard]] Rank rank() const { return m_mp; }
    [[nodiscard]] const std::optional<Error>& firstError() const { return m_firstError; }
    [[nodiscard]] bool partitioned() const { return m_partitioned; }

private:
    struct OpenedOptimizer {
        Rank rank = 0;
        Member member;
        OptimizerStates states;
        std::optional<Slices> slices; ///< without ZeRO
        std::optional<double> step;
    };
    struct OpenedModel {
        Rank rank = 0;
        Member member;
        ModelStates states;
    };
    Result<void> openModels(const RankFiles& files);
    Result<void> openOptimizers(const RankFiles& files);
    Result<void> take(Error error);
    void decideWorldSize(const RankFiles& files);
    void dropOtherSaves();
    void nameMissing(const RankFiles& files, bool universal);
    void checkModelSteps();
    void checkOptimizerSteps();
    std::vector<Logical> joinExperts(const FlatRanks& ranks, std::size_t group,
                                     std::uint64_t partitions);
    void joinFrozen(std::vector<Logical>& joined);
    void checkCoverage(const std::vector<Logical>& joined);

    const OpenRequest& m_request;
    CheckpointData& m_data;
    Rank m_mp;
    bool m_partitioned = false;
    std::optional<std::int64_t> m_stage;
    std::uint64_t m_world = 1;
    Sentence m_evidence;           ///< the file that records the world size
    std::optional<Member> m_model; ///< of the lowest data parallel rank
    Rank m_modelRank = 0;
    ModelStates m_states;
    std::deque<OpenedModel> m_otherModels; ///< ZeRO 3: of the other ranks
    std::deque<OpenedOptimizer> m_optimizers;
    std::optional<double> m_updates;
    std::optional<Error> m_firstError;
};

} // namespace cairn::formats::deepspeed
