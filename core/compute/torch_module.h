// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>

struct CairnTorchModule;

namespace cairn {

/// What the libtorch module states about itself.
struct TorchModuleInfo {
    std::string torchVersion; ///< "2.13.0"
    std::string device;       ///< "cuda:0" or "cpu": the best that it has
    int cudaDevices = 0;
    std::string withoutCuda; ///< why there is no CUDA device; empty when there is one
    std::string path;        ///< of the module that was opened
    const CairnTorchModule* functions = nullptr; ///< torch/module_api.h; for core/compute
};

/// Opens the libtorch module with dlopen (once for the process; about half a second, some 290
/// shared libraries) and asks it what it is. Call it off the GUI thread, and only when something
/// needs it: nothing else in the program loads libtorch. Searched for where CAIRN_TORCH_MODULE
/// points, beside the executable, and in ../lib/cairn. Any thread.
/// Fails: NotFound when the module is not installed, Unsupported when it cannot be loaded (libtorch
/// missing or of another version); `found` holds the loader's own words.
Result<TorchModuleInfo> openTorchModule();

} // namespace cairn
