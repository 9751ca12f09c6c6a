// SPDX-License-Identifier: Apache-2.0
#include "core/compute/torch_module.h"

#include "core/compute/torch/module_api.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace cairn {
namespace {

constexpr const char* kModuleName = "libcairn_torch.so";

std::vector<std::filesystem::path> candidates() {
    std::vector<std::filesystem::path> paths;
    if (const char* named = std::getenv("CAIRN_TORCH_MODULE"); named != nullptr && *named != '\0') {
        paths.emplace_back(named);
    }
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        paths.push_back(program.parent_path() / kModuleName);
        paths.push_back(program.parent_path().parent_path() / "lib" / "cairn" / kModuleName);
    }
    return paths;
}

Error cannotLoad(const std::filesystem::path& path) {
    const char* words = ::dlerror();
    return fail(ErrorCode::Unsupported, "The libtorch module cannot be loaded")
        .inFile(path.string())
        .butFound(words == nullptr ? "" : words)
        .withHint("Install the libtorch that Cairn was built with; browsing and copying work without it");
}

Result<TorchModuleInfo> load() {
    for (const auto& path : candidates()) {
        std::error_code error;
        if (!std::filesystem::exists(path, error)) {
            continue;
        }
        void* module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); // stays open: libtorch cannot be unloaded
        if (module == nullptr) {
            return cannotLoad(path);
        }
        const auto abi = reinterpret_cast<CairnTorchAbiFunction>(::dlsym(module, "cairnTorchAbi"));
        const auto info = reinterpret_cast<CairnTorchInfoFunction>(::dlsym(module, "cairnTorchInfo"));
        if (abi == nullptr || info == nullptr) {
            return cannotLoad(path);
        }
        if (abi() != kCairnTorchAbi) {
            return fail(ErrorCode::Unsupported, "The libtorch module belongs to another version of Cairn")
                .inFile(path.string())
                .butFound("interface " + std::to_string(abi()))
                .expecting("interface " + std::to_string(kCairnTorchAbi));
        }
        const CairnTorchInfo facts = info();
        return TorchModuleInfo{facts.torchVersion, facts.device, facts.cudaDevices, path.string()};
    }
    return fail(ErrorCode::NotFound, "The libtorch module is not installed")
        .withHint("Build Cairn where CMake finds Torch; browsing and copying work without it");
}

} // namespace

Result<TorchModuleInfo> openTorchModule() {
    static const Result<TorchModuleInfo> once = load();
    return once;
}

} // namespace cairn
