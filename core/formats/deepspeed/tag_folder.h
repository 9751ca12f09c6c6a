// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/master_names.h"
#include "core/formats/deepspeed/model_part.h"
#include "core/formats/deepspeed/tensor_list.h"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::formats::deepspeed {

/// Combines the parts, layers, experts and universal files of one save. Not thread-safe; use it
/// once.
class TagFolder {
public:
    explicit TagFolder(const OpenRequest& request);
    Result<CheckpointPtr> read();

private:
    struct Loose { ///< a file with separately named tensors: a pipeline layer or an expert
        FileName file;
        Member member;
        std::string prefix; ///< of its weights
    };

    struct ExpertOptimizer { ///< of a rank with its own experts, saved without ZeRO
        FileName file;
        Member member;
    };

    Result<void> openParts();
    Result<void> openLoose(const std::vector<FileName>& files);
    Result<void> openExpertOptimizers();
    Result<void> openUniversal();
    Result<void> openUniversalFile(const std::string& parameter, const std::string& file);
    Result<void> takeFailure(Error error);

    void checkUniversal(const std::map<std::string, std::set<std::string>>& states);
    void nameWithoutZero();
    [[nodiscard]] std::set<std::string, std::less<>> listedParameters() const;
    void addWeights();
    struct WithoutZero; ///< in tag_experts.cpp
    void addWithoutZero(ModelPart& part, const std::string& prefix);
    WithoutZero findWithoutZero(ModelPart& part);
    [[nodiscard]] Trainable denseParameters(ModelPart& part, const std::string& prefix) const;
    void leaveOut(Member& member, const Sentence& evidence);
    [[nodiscard]] std::vector<Parameter> expertParameters(Rank mp) const;
    void addLooseWeights(Loose& loose);
    void addCopies();
    void addLeftovers();
    void addFlat(ModelPart& part);
    void joinSlices();

    void noteStrays();
    void noteMissingLayers();
    void noteMissingExperts();
    void checkTag();
    void setFacts();
    ValueLoader valueLoader();
    [[nodiscard]] Rank slices() const;
    void checkTied(const std::string& master);
    void checkLayersWithoutZero();
    [[nodiscard]] std::string prefixOf(const ModelPart& part) const;

    const OpenRequest& m_request;
    FileSet m_files;
    CheckpointData m_data;
    TensorList m_list;
    std::deque<ModelPart> m_parts;
    std::deque<Loose> m_loose;
    std::deque<ExpertOptimizer> m_expertOptimizers; ///< by model parallel rank, then expert rank
    std::vector<ValueItem> m_universalValues;
    std::optional<Member> m_universalState; ///< zero/optimizer_state.pt
    std::optional<Error> m_firstError;
};

} // namespace cairn::formats::deepspeed
