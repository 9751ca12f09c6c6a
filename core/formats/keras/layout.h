// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::keras {

/// A `.weights.h5` of Keras 3: a dataset for each tensor under its name, which must be a place in
/// Keras' tree (`layers/dense/vars/0`, `optimizer/vars/3`), as Keras finds its variables by it.
/// The names of layers that a source of Keras records (values.object_graph.names) are written, too.
/// HDF5's library decides the places of the elements (codec/hdf5/file_layout.h). Tied tensors are
/// written repeatedly. Fails: NameNotRepresentable, DtypeNotRepresentable, InvalidArgument (several
/// shards), the errors of hdf5::layOutFile().
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::keras
