// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>

struct CairnTorchModule;

namespace cairn {

/// Lanes of a CUDA device. A lane is limited by its thread, which copies to pinned memory and
/// queues kernels: on an H100, 4 lanes were 1.4 to 2 times as fast as 2, and 8 little faster
/// than 4.
inline constexpr unsigned kDeviceLanes = 4;

/// Description of the opened libtorch module.
struct TorchModuleInfo {
    std::string torchVersion; ///< "2.13.0"
    std::string device;       ///< the best device: "cuda:0" or "cpu"
    int cudaDevices = 0;
    std::string withoutCuda; ///< why there is no CUDA device; empty if there is one
    std::string path;        ///< of the module that was opened
    const CairnTorchModule* functions = nullptr; ///< torch/module_api.h; for core/compute
};

/// Opens the libtorch module with dlopen (once for the process; about half a second, some 290
/// shared libraries) and queries it. Call it off the GUI thread, and only when it is needed:
/// nothing else in the program loads libtorch. Searches CAIRN_TORCH_MODULE, the executable's
/// folder, and ../lib/cairn. Any thread. Fails: NotFound when the module is not installed,
/// Unsupported when it cannot be loaded (libtorch missing or of another version); `found` contains
/// the loader's message.
Result<TorchModuleInfo> openTorchModule();

} // namespace cairn
