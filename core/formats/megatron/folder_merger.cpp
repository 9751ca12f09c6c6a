// SPDX-License-Identifier: Apache-2.0
//
// From what each model parallel rank saved to the complete model.
//
// Every rank's file is a torch.save of its own part: `model` (or `model0`, `model1` … of virtual
// stages) with local shapes and layers that count from 0 on every stage, beside its own optimizer
// and generators. What is cut how is not in the files: `args` state how many ranks of each kind
// there are, the rest is known by the parameters' names (merge_rules.h). So first the places of all
// files are found, then the layers of all stages are counted, which gives each stage's first layer;
// then tensor parallel parts of one name become pieces of one tensor.
//
// What no rule knows is shown as it is, once for every rank, under "mp_rank_…."; so is everything
// that is not the model. Nothing is merged by guess.
#include "core/formats/megatron/folder_merger.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/formats/megatron/model_merger.h"
#include "core/formats/megatron/rank_values.h"

#include <utility>

namespace cairn::formats::megatron {

Result<CheckpointPtr> mergeFolder(const OpenRequest& request) {
    CheckpointData data;
    data.format = "megatron";
    data.framework = "megatron";
    data.path = request.path;
    data.completeness = Completeness::Complete;
    RankSet ranks(request, data);
    CAIRN_CHECK(ranks.open());
    ranks.checkIterations();
    ranks.checkRanks();
    std::vector<ValueItem> model;
    if (const auto places = findPlaces(data, ranks)) {
        if (const auto firstLayers = countLayers(*places, ranks)) {
            model = ModelMerger(data, ranks, *places, *firstLayers).merge();
        }
    }
    addOwnTensors(data, ranks);
    if (data.completeness == Completeness::Complete) {
        addUncovered(data);
    }
    ValueRecords records;
    for (const RankFile& file : ranks.files()) {
        records += file.member.records;
    }
    data.loadValues = [loaded = LoadedValues(mergedValues(ranks, std::move(model)), records)](
                          const CancelToken&) -> Result<LoadedValues> { return loaded; };
    return Checkpoint::make(std::move(data));
}

} // namespace cairn::formats::megatron
