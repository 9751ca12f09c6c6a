// SPDX-License-Identifier: Apache-2.0
#include "core/compute/torch_module.h"

#include "core/base/own_folders.h"
#include "core/compute/torch/module_api.h"

#include <cstdlib>
#include <dlfcn.h>
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
    for (const std::filesystem::path& folder : ownFolders()) {
        paths.push_back(folder / kModuleName);
        paths.push_back(folder.parent_path() / "lib" / "cairn" / kModuleName);
    }
    return paths;
}

Error cannotLoad(const std::filesystem::path& path) {
    const char* words = ::dlerror();
    return fail(ErrorCode::Unsupported, "The libtorch module cannot be loaded")
        .inFile(path.string())
        .butFound(verbatim(words == nullptr ? "" : words))
        .withHint(
            "Install the libtorch that Cairn was built with; browsing and copying work without it");
}

Error otherVersion(const std::filesystem::path& path, int abi) {
    return fail(ErrorCode::Unsupported, "The libtorch module is from a different version of Cairn")
        .inFile(path.string())
        .butFound(sentence("interface %1", abi))
        .expecting(sentence("interface %1", static_cast<int>(kCairnTorchAbi)))
        .withHint("Install the module that comes with this version of Cairn");
}

TorchModuleInfo factsOf(const CairnTorchModule& module, const std::filesystem::path& path) {
    TorchModuleInfo info;
    CairnTorchError why{};
    info.torchVersion = module.torchVersion;
    info.cudaDevices = module.cudaDevices(&why);
    info.device = info.cudaDevices > 0 ? "cuda:0" : "cpu";
    info.withoutCuda = info.cudaDevices > 0 ? "" : why.text;
    info.path = path.string();
    info.functions = &module;
    return info;
}

Result<TorchModuleInfo> load() {
    for (const auto& path : candidates()) {
        std::error_code error;
        if (!std::filesystem::exists(path, error)) {
            continue;
        }
        void* module = ::dlopen(path.c_str(),
                                RTLD_NOW | RTLD_LOCAL); // never closed: libtorch cannot be unloaded
        if (module == nullptr) {
            return cannotLoad(path);
        }
        const auto entry =
            reinterpret_cast<CairnTorchModuleFunction>(::dlsym(module, CAIRN_TORCH_SYMBOL));
        if (entry == nullptr || entry()->abi != kCairnTorchAbi) {
            return otherVersion(path, entry == nullptr ? 0 : entry()->abi);
        }
        return factsOf(*entry(), path);
    }
    return fail(ErrorCode::NotFound, "The libtorch module is not installed")
        .withHint("Build Cairn where CMake finds libtorch; everything except CUDA devices, spectra "
                  "and the similarity of layers works without it");
}

} // namespace

Result<TorchModuleInfo> openTorchModule() {
    static const Result<TorchModuleInfo> once = load();
    return once;
}

} // namespace cairn
