// SPDX-License-Identifier: Apache-2.0
#include "app/cli/quantised_output.h"

#include "app/cli/json_output.h"
#include "core/jobs/bundle/found_weights.h"

#include <utility>

namespace cairn::cli {

Result<OpenedWeights> openSelectedWeights(const Arguments& arguments, const CancelToken& cancel) {
    CAIRN_TRY(Opened opened, openFirst(arguments, cancel));
    CAIRN_TRY(WeightValues weights, findWeightValues(opened.checkpoint, cancel));
    opened.checkpoint = weights.checkpoint();
    CAIRN_CHECK(selectByGlob(opened, arguments.text("tensor"), *weights.stored()));
    return OpenedWeights{std::move(opened), std::move(weights)};
}

void writeQuantised(JsonWriter& json, const QuantisedTensor& tensor, const TensorEntry& stored) {
    json.beginObject();
    json.member("kind", quantisedKindName(tensor.kind));
    json.member("layout", tensor.layout);
    json.member("weight", tensor.weight);
    json.key("stored");
    json.beginObject();
    json.member("name", stored.name);
    json.member("dtype", dtypeName(stored.dtype));
    json.key("shape");
    writeDims(json, stored.shape);
    json.endObject();
    if (!tensor.why.empty()) {
        json.member("why", tensor.why.text());
    }
    json.endObject();
}

} // namespace cairn::cli
