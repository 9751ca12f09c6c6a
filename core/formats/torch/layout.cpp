// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/layout.h"

#include "core/formats/common/torch/torch_archive.h"
#include "core/formats/common/torch/torch_pickler.h"

#include <utility>

namespace cairn::formats::torch {

Result<OutputLayout> layOut(const LayoutRequest& request) {
    ValuePickler pickler(request.tensors);
    CAIRN_TRY(std::vector<std::byte> pickle, pickler.write(request.values));
    CAIRN_TRY(OutputFile file, layOutTorchArchive(request.tensors, std::move(pickle)));
    file.name = request.baseName + ".pt";
    OutputLayout layout;
    layout.files.push_back(std::move(file));
    return layout;
}

} // namespace cairn::formats::torch
