// SPDX-License-Identifier: Apache-2.0
#include "core/compute/torch_module.h"

namespace cairn {

Result<TorchModuleInfo> openTorchModule() {
    return fail(ErrorCode::Unsupported,
                "A statically linked program cannot load the libtorch module")
        .withHint(
            "Install Cairn's packages or build it where CMake finds libtorch; everything except "
            "CUDA devices, spectra and the similarity of layers works without it");
}

} // namespace cairn
