// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/torch/module_api.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

/// How the module's test programs load it: like the core, with dlopen and the C interface.
namespace module_access {

inline const CairnTorchModule& openModule(const char* path) {
    void* handle = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        std::fprintf(stderr, "%s\n", ::dlerror());
        std::exit(2);
    }
    const auto module =
        reinterpret_cast<CairnTorchModuleFunction>(::dlsym(handle, CAIRN_TORCH_SYMBOL));
    if (module == nullptr || module()->abi != kCairnTorchAbi) {
        std::fprintf(stderr, "%s is no module of this interface\n", path);
        std::exit(2);
    }
    return *module();
}

inline std::size_t widthOf(int kind) {
    switch (kind) {
    case kCairnTable8:
        return 1;
    case kCairnInt16:
    case kCairnUint16:
    case kCairnFloat16:
    case kCairnBfloat16:
        return 2;
    case kCairnInt32:
    case kCairnUint32:
    case kCairnFloat32:
    case kCairnComplex32:
        return 4;
    case kCairnComplex128:
        return 16;
    default:
        return 8;
    }
}

} // namespace module_access
