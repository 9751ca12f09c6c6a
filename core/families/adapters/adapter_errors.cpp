// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter_errors.h"

#include <utility>

namespace cairn::adapterErrors {
namespace {

bool isPlainFloat(Dtype dtype) {
    return dtype == Dtype::Float32 || dtype == Dtype::Bfloat16 || dtype == Dtype::Float16;
}

/// Of the errors that the adapter of another model causes, and of no others.
Sentence otherBaseHint() {
    return "Fold into the base that base_model_name_or_path in adapter_config.json names";
}

} // namespace

Error missingHalf(const std::string& module, std::string_view wanted) {
    return fail(ErrorCode::NotFound, "The adapter has only a part of the tensors for a module")
        .inTensor(module)
        .expecting(verbatim(std::string(wanted)))
        .withHint("Use the complete files that PEFT saved");
}

Error wrongShape(const TensorEntry& found, const Shape& expected) {
    return fail(
               ErrorCode::Unsupported,
               "The shape of a tensor of the base differs from that in the training of the adapter")
        .inTensor(found.name)
        .butFound(verbatim(formatDims(found.shape)))
        .expecting(verbatim(formatDims(expected)))
        .withHint(otherBaseHint());
}

Error wrongRank(const TensorEntry& matrix, std::int64_t wanted) {
    return fail(ErrorCode::Unsupported,
                "The rank of a matrix of the adapter differs from that in its settings")
        .inTensor(matrix.name)
        .inField("r")
        .butFound(verbatim(formatDims(matrix.shape)))
        .expecting(sentence("rank %1", wanted))
        .withHint("adapter_config.json and the adapter's weights must be of the same save");
}

Error quantised(std::string name) {
    return fail(ErrorCode::Unsupported, "The base is quantised; an adapter can only be folded into "
                                        "the weights in full precision")
        .inTensor(std::move(name))
        .withHint("--dequantize folds it into the numbers of the weights; the model that was "
                  "quantised is closer to what was trained");
}

Error notInBase(const AdapterBase& base, std::string name, const std::string& sought) {
    const std::string module = sought.substr(0, sought.rfind('.'));
    for (const NamedTensor& each : base.tensors) {
        if (each.name.starts_with(module + ".") &&
            (each.name.ends_with(".qweight") || each.name.ends_with(".weight_packed"))) {
            return quantised(each.name);
        }
    }
    return fail(ErrorCode::NotFound, "The base has no tensor that this one of the adapter changes")
        .inTensor(std::move(name))
        .expecting(verbatim(sought))
        .withHint(otherBaseHint());
}

Result<void> checkBase(const TensorEntry& tensor) {
    return isPlainFloat(tensor.dtype) ? Result<void>() : quantised(tensor.name);
}

Result<void> checkAdapter(const TensorEntry& tensor, std::size_t rank) {
    if (isPlainFloat(tensor.dtype) && tensor.shape.size() == rank && tensor.elements() > 0) {
        return {};
    }
    return fail(ErrorCode::Unsupported, "A tensor of the adapter cannot be used")
        .inTensor(tensor.name)
        .butFound(sentence("%1 %2", dtypeName(tensor.dtype), formatDims(tensor.shape)))
        .expecting(sentence("float32, bfloat16 or float16 of %1 dimensions", rank));
}

Result<void> checkPair(const TensorEntry& a, const TensorEntry& b) {
    const std::size_t rank = a.shape.size() == 4 ? 4 : 2;
    CAIRN_CHECK(checkAdapter(a, rank));
    CAIRN_CHECK(checkAdapter(b, rank));
    if (a.shape[0] != b.shape[1]) {
        return wrongRank(a, b.shape[1]);
    }
    if (asMatrix(b.shape)[1] != b.shape[1]) {
        return fail(ErrorCode::Unsupported, "A tensor of the adapter cannot be used")
            .inTensor(b.name)
            .butFound(verbatim(formatDims(b.shape)))
            .expecting(sentence("kernels of 1 × 1"));
    }
    return {};
}

} // namespace cairn::adapterErrors

namespace cairn {

bool isOfOtherBase(const Error& error) {
    return error.hint == adapterErrors::otherBaseHint();
}

} // namespace cairn
