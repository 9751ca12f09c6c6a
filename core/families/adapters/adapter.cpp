// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter.h"

#include "core/families/adapters/adapter_changes.h"
#include "core/families/adapters/adapter_keys.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

/// isNamed() for one of many names.
bool endsWithOne(std::string_view module, const std::set<std::string_view>& names) {
    while (!names.contains(module)) {
        const std::size_t dot = module.find('.');
        if (dot == module.npos) {
            return false;
        }
        module.remove_prefix(dot + 1);
    }
    return true;
}

/// "…experts.3.up_proj".
bool isOfExpert(std::string_view module) {
    const std::size_t at = module.find("experts.");
    return at != module.npos && at + 8 < module.size() && module[at + 8] >= '0' &&
           module[at + 8] <= '9';
}

/// Layers that follow the model's own (multi-token prediction), which transformers leaves out.
bool isBeyondLayers(const AdapterBase& base, std::string_view name) {
    const ModelConfig* config = base.config;
    const auto count = config != nullptr ? config->integer("num_hidden_layers") : std::nullopt;
    const std::size_t at = name.find("layers.");
    if (!count || at == name.npos) {
        return false;
    }
    std::int64_t layer = 0;
    for (std::size_t i = at + 7; i < name.size() && name[i] >= '0' && name[i] <= '9'; ++i) {
        layer = std::min<std::int64_t>(layer * 10 + (name[i] - '0'), 1'000'000);
    }
    return layer >= *count;
}

/// Whether the adapter has matrices for all modules that its list names.
Result<void> checkComplete(const AdapterConfig& config, const AdapterBase& base,
                           const AdapterKeys& keys, const AdapterChanges& changes) {
    if (config.someLayers) {
        return {};
    }
    const BaseTies ties(base);
    const std::optional<TiedHead>& tied = ties.head();
    const std::set<std::string_view> wanted(config.modules.begin(), config.modules.end());
    const bool namesExperts = std::ranges::any_of(
        keys.modules, [](const AdapterModule& each) { return isOfExpert(each.path); });
    for (const NamedTensor& each : base.tensors) {
        const std::size_t end = each.name.rfind(".weight");
        const Shape& shape = base.checkpoint->tensor(each.tensor).shape;
        if (end == std::string::npos || end + 7 != each.name.size() || shape.size() != 2 ||
            changes.tensors.contains(each.tensor) || isBeyondLayers(base, each.name)) {
            continue;
        }
        const std::string module = each.name.substr(0, end);
        const bool named = endsWithOne(module, wanted);
        const bool tiedHead = tied && tied->head == each.tensor && config.tiesWeights;
        if (named && !tiedHead && (namesExperts || !isOfExpert(module))) {
            return fail(ErrorCode::NotFound,
                        "The adapter has no tensors for a module that its settings name")
                .inTensor(module)
                .inField("target_modules")
                .withHint("Use the complete files that PEFT saved, and the base that they are "
                          "for");
        }
    }
    return {};
}

} // namespace

Result<AdapterChanges> adapterChanges(const Checkpoint& adapter, const AdapterConfig& config,
                                      const AdapterBase& base, double scale, bool rounds) {
    CAIRN_TRY(const AdapterKeys keys, readAdapterKeys(adapter));
    CAIRN_TRY(AdapterChanges changes, findChanges(adapter, config, base, keys, scale, rounds));
    CAIRN_CHECK(checkComplete(config, base, keys, changes));
    return changes;
}

} // namespace cairn
