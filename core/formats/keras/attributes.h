// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/hdf5/hdf5_index.h"
#include "core/model/value.h"

#include <string>
#include <vector>

namespace cairn::formats::keras {

/// Adds the attributes that describe a model: those of the root, and as
/// {"object_graph": {"names": {"layers/dense": "encoder"}}} the names of layers and optimizers,
/// which Keras 3 records at their variables, because their places consist of classes and numbers.
/// Several shards add to the same names.
void addAttributes(const hdf5::Index& index, const std::string& file,
                   std::vector<ValueItem>& values);

} // namespace cairn::formats::keras
