// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>

namespace cairn {

/// What the libtorch module says of itself.
struct TorchModuleInfo {
    std::string torchVersion; ///< "2.13.0"
    std::string device;       ///< "cuda:0 NVIDIA H100 80GB HBM3" or "cpu"
    int cudaDevices = 0;
    std::string path;         ///< of the module that was opened
};

/// Opens the libtorch module with dlopen (once for the process; about half a second, some 290 shared libraries) and asks it
/// what it is. Call it off the GUI thread, and only when something needs it: nothing else in the program loads libtorch.
/// Looked for beside the executable, in ../lib/cairn, and where CAIRN_TORCH_MODULE points. Any thread.
/// Fails: NotFound when the module is not installed, Unsupported when it cannot be loaded (libtorch missing or of another
/// version); `found` holds the loader's own words.
Result<TorchModuleInfo> openTorchModule();

} // namespace cairn
