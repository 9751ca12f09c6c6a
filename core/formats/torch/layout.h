// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::torch {

/// The layout of `<baseName>.pt`: a zip of stored records as torch.save writes it (data.pkl,
/// byteorder, one data/<key> per storage at a multiple of 64, version), which torch.load opens with
/// weights_only=True. With plain values their nesting is kept; without them the root is one
/// OrderedDict of the tensors' names. Tensors without a reference in the values are added to the
/// root under their names. Aliases share one storage. Objects of classes that weights_only refuses
/// become a dict of their state with the class under "$class"; tensor subclasses become plain
/// tensors. Always one file. There is no `.format_version` record, so readers look offsets up
/// instead of computing them. Fails: DtypeNotRepresentable (quantised and sub-byte elements, whose
/// scales are not part of the layout).
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::torch
