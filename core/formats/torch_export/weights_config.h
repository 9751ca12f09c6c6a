// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/json/json_value.h"
#include "core/model/tensor_entry.h"

#include <string>

namespace cairn::formats::torch_export {

/// One row of model_weights_config.json.
struct Payload {
    std::string record; ///< name of the record, weight_<i>
    bool pickled = false;
    bool parameter = false;
    Dtype dtype = Dtype::Float32;
    Shape shape;
    Strides strides;
    std::uint64_t offset = 0; ///< first element, in elements
};

/// Fails: TorchBadTensor, TorchUnknownDtype, and the JSON reader's codes. Pure.
Result<Payload> readPayload(const JsonValue& row);

/// A row of AOTInductor's weights_config.json: [record, sizes, strides, offset], without a dtype.
/// Fails as readPayload().
Result<Payload> readView(const JsonValue& row);

/// The byte range in the storage from the tensor's first element to the end of its last one; empty
/// if it overflows.
std::optional<ByteRange> bytesOf(const Payload& payload);

} // namespace cairn::formats::torch_export
