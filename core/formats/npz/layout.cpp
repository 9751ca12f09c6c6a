// SPDX-License-Identifier: Apache-2.0
#include "core/formats/npz/layout.h"

#include "core/formats/common/numpy/npz_write.h"
#include "core/formats/common/numpy/numpy_dtype.h"

namespace cairn::formats::npz {

Result<OutputLayout> layOut(const LayoutRequest& request) {
    if (request.maxShardBytes != 0) {
        return fail(ErrorCode::InvalidArgument, "An .npz archive is a single file")
            .withHint("--to numpy-shards writes several, with a manifest");
    }
    std::vector<NpzArray> arrays;
    for (const LayoutTensor& tensor : request.tensors) {
        std::string descr = numpyTypeString(tensor.dtype);
        if (descr.empty()) {
            return fail(ErrorCode::DtypeNotRepresentable, "Not a NumPy element type")
                .inTensor(std::string(tensor.name))
                .butFound(verbatim(std::string(dtypeName(tensor.dtype))))
                .withHint("Cast it with --dtype float32, or use numpy-shards, whose manifest "
                          "records the dtype, or safetensors");
        }
        arrays.push_back(
            {tensor.name, std::move(descr), tensor.dtype, tensor.source, Box::whole(tensor.shape)});
    }
    CAIRN_TRY(OutputFile file, layOutNpz(request.baseName + ".npz", arrays));
    OutputLayout layout;
    layout.files.push_back(std::move(file));
    return layout;
}

} // namespace cairn::formats::npz
