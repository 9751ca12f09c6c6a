// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::torch {

/// Where everything goes in `<baseName>.pt`: a zip of stored records as torch.save writes it
/// (data.pkl, byteorder, one data/<key> for each storage at a multiple of 64, version), which
/// torch.load opens with weights_only=True. With plain values the nested containers are kept;
/// without them the root is one OrderedDict of the tensors' names. Tensors that the values do not
/// mention are added to the root under their names. Aliases share one storage. Objects of classes
/// that weights_only refuses become a dict of their state with the class under "$class"; a tensor
/// of a class of its own becomes the plain tensor. One file whatever the size. No `.format_version`
/// record: readers then look offsets up instead of computing them. Fails: DtypeNotRepresentable
/// (quantised and sub-byte elements, whose scales a placement map does not carry).
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::torch
