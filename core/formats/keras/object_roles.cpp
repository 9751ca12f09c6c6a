// SPDX-License-Identifier: Apache-2.0
#include "core/formats/keras/object_roles.h"

#include "core/model/names/role_words.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string>

namespace cairn::formats::keras {
namespace {

bool startsWithAny(std::string_view path, std::initializer_list<std::string_view> prefixes) {
    return std::ranges::any_of(prefixes,
                               [&](std::string_view each) { return path.starts_with(each); });
}

bool isNamedOptimizer(std::string_view path) {
    while (!path.empty()) {
        std::string_view part = path.substr(0, path.find('/'));
        path.remove_prefix(std::min(path.size(), part.size() + 1));
        part.remove_prefix(std::min(part.find_first_not_of('_'), part.size()));
        if (names::roleOfKey(part) == Role::Optimizer || part.ends_with("optimizer") ||
            part.ends_with("_opt")) {
            return true;
        }
    }
    return false;
}

} // namespace

Role roleOf(std::string_view path) {
    if (startsWithAny(path, {"optimizer/", "optimizer_weights/", "_optimizer/"})) {
        return Role::Optimizer;
    }
    if (path.find("seed_generator") != std::string_view::npos) {
        return Role::Rng;
    }
    if (startsWithAny(path, {"metrics/", "_metrics/", "compile_metrics/"})) {
        return Role::TrainingState;
    }
    return Role::Weight; // all others belong to the model's layers
}

int stepRank(std::string_view path) {
    constexpr int kInner = 1;
    if (path == "optimizer/inner_optimizer/vars/0" || path == "_optimizer/inner_optimizer/vars/0") {
        return kInner;
    }
    const bool counts = path == "optimizer/vars/0" || path == "_optimizer/vars/0" ||
                        path.ends_with("/iteration") || path.ends_with("/iteration:0") ||
                        path.ends_with("/iter:0");
    const bool wrapper = path.find("loss_scale_optimizer") != std::string_view::npos;
    return counts ? kInner + 1 + int{wrapper} : 0;
}

void findOptimizers(std::span<TensorEntry> tensors) {
    constexpr std::string_view kFirst = "/vars/0";
    std::set<std::string, std::less<>> groups; // with "/vars/"
    for (const TensorEntry& tensor : tensors) {
        const bool counts =
            tensor.shape.empty() && (tensor.dtype == Dtype::Int32 || tensor.dtype == Dtype::Int64);
        if (counts && tensor.name.ends_with(kFirst)) {
            const std::size_t group = tensor.name.size() - kFirst.size();
            if (isNamedOptimizer(std::string_view(tensor.name).substr(0, group))) {
                groups.insert(tensor.name.substr(0, tensor.name.size() - 1));
            }
        }
    }
    for (TensorEntry& tensor : tensors) {
        const std::string_view name = tensor.name;
        if (const std::size_t last = name.rfind('/');
            last != std::string_view::npos && groups.contains(name.substr(0, last + 1))) {
            tensor.role = Role::Optimizer;
        }
    }
}

} // namespace cairn::formats::keras
