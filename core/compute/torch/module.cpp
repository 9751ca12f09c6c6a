// SPDX-License-Identifier: Apache-2.0
#include "core/compute/torch/module_api.h"

#include <ATen/ATen.h>
#include <torch/version.h>

#include <exception>
#include <string>

extern "C" {

__attribute__((visibility("default"))) int cairnTorchAbi() { return kCairnTorchAbi; }

__attribute__((visibility("default"))) CairnTorchInfo cairnTorchInfo() {
    static std::string device = "cpu";
    int devices = 0;
    try {
        // A device query can throw on a machine whose driver does not fit; then the CPU is what there is.
        devices = at::hasCUDA() ? static_cast<int>(at::detail::getCUDAHooks().getNumGPUs()) : 0;
    } catch (const std::exception& error) {
        device = std::string("cpu (CUDA not usable: ") + error.what() + ")";
    }
    if (devices > 0) {
        device = "cuda:0";
    }
    return {TORCH_VERSION, device.c_str(), devices};
}
}
