// SPDX-License-Identifier: Apache-2.0
//
// An adapter of PEFT is made of such a file: each tensor gets the name of the base's module, and
// each module the alpha that the file records for it, else its rank, which is a scale of 1.
#include "core/families/adapters/pipeline_adapter.h"

#include "core/families/adapters/adapter_errors.h"
#include "core/families/adapters/adapter_keys.h"
#include "core/families/adapters/pipeline_keys.h"
#include "core/families/adapters/pipeline_modules.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace cairn {
namespace {

/// In front of names with underscores, which would begin with PEFT's word "lora_".
const std::string kFlatMark = "~";

bool isOfModel(const TensorEntry& tensor) {
    return tensor.role == Role::Weight || tensor.role == Role::Buffer;
}

/// The settings of one component, without its name in front of the fields.
Value settingsOf(const Value& all, std::string_view component) {
    std::vector<ValueItem> items;
    const std::string start = std::string(component) + ".";
    for (const ValueItem& item : all.items()) {
        const std::string* key = item.key.asString();
        if (key != nullptr && key->starts_with(start)) {
            items.push_back({Value(key->substr(start.size())), item.value});
        }
    }
    return Value::dict(std::move(items));
}

std::string_view peftEnding(PipelinePart part) {
    switch (part) {
    case PipelinePart::A:
        return ".lora_A.weight";
    case PipelinePart::B:
        return ".lora_B.weight";
    case PipelinePart::Bias:
        return ".lora_B.bias";
    case PipelinePart::Magnitude:
        return ".lora_magnitude_vector";
    case PipelinePart::Alpha:
    case PipelinePart::Unknown:
        break;
    }
    return {};
}

class Maker {
public:
    Maker(const Checkpoint& adapter, const RecordedScales& scales)
        : m_adapter(adapter), m_scales(scales), m_data(adapter.data()) {}

    Result<PeftAdapter> make(const AdapterBase* base) {
        CAIRN_CHECK(readKeys());
        std::optional<PipelineModules> modules;
        if (base != nullptr) {
            modules.emplace(*base, m_components);
        }
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            if (m_keys[i]) {
                CAIRN_CHECK(name(TensorIndex(i), *m_keys[i], modules ? &*modules : nullptr));
            }
        }
        CAIRN_CHECK(readSettings());
        for (const auto& [stem, module] : m_modules) {
            CAIRN_CHECK(scale(module));
        }
        PeftAdapter made;
        m_config.inModelDtype = true;
        made.config = std::move(m_config);
        made.checkpoint = Checkpoint::make(std::move(m_data));
        return made;
    }

private:
    struct Module {
        PipelineKey key;
        std::string path; ///< in the base
        std::optional<TensorIndex> a;
        std::optional<double> alpha;
        bool magnitude = false;
    };

    Result<void> readKeys() {
        m_keys.resize(m_adapter.tensors().size());
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            const TensorEntry& tensor = m_adapter.tensors()[i];
            auto key = pipelineKey(tensor.name);
            if (!key || key->part == PipelinePart::Unknown || key->module.empty()) {
                if (!key && !isOfModel(tensor)) {
                    continue; // of an optimizer
                }
                return fail(ErrorCode::Unsupported, "The adapter has a tensor of unknown use")
                    .inTensor(tensor.name)
                    .expecting("the matrices and scales of LoRA, as diffusers and kohya name them")
                    .withHint("Other methods (LoHa, LoKr, DoRA of kohya) are not supported; "
                              "diffusers may merge it: pipeline.load_lora_weights(FILE), "
                              "pipeline.fuse_lora(), pipeline.save_pretrained(FOLDER)");
            }
            m_components.insert(key->component);
            m_keys[i] = std::move(key);
        }
        return {};
    }

    Result<void> name(TensorIndex index, const PipelineKey& key, const PipelineModules* modules) {
        TensorEntry& tensor = m_data.tensors[index.position()];
        Module& module = m_modules[key.stem];
        if (module.path.empty()) {
            module.key = key;
            module.path = key.flat ? kFlatMark + key.stem : key.stem;
            if (modules != nullptr) {
                CAIRN_TRY(module.path, modules->find(key, tensor.name));
            }
        }
        if (key.part == PipelinePart::Alpha) {
            tensor.role = Role::Other;
            return readAlpha(index, module);
        }
        module.a = key.part == PipelinePart::A ? std::optional(index) : module.a;
        module.magnitude = module.magnitude || key.part == PipelinePart::Magnitude;
        tensor.role = Role::Weight;
        tensor.name = std::string(kPeftPrefix) + module.path + std::string(peftEnding(key.part));
        return {};
    }

    Result<void> readAlpha(TensorIndex index, Module& module) {
        const auto found = m_scales.alphas.find(index);
        const PipelineKey& key = module.key;
        if (!key.flat && !key.component.starts_with("transformer")) {
            return fail(ErrorCode::Unsupported, "diffusers does not load an adapter with scales "
                                                "under such names")
                .inTensor(m_adapter.tensor(index).name);
        }
        if (found == m_scales.alphas.end() || !std::isfinite(found->second)) {
            return fail(ErrorCode::Unsupported, "The alpha of a module is not one number")
                .inTensor(m_adapter.tensor(index).name);
        }
        module.alpha = found->second;
        return {};
    }

    /// The settings of each component, if there are any; else scales are in tensors, or 1.
    Result<void> readSettings() {
        std::set<std::string> withAlpha;
        for (const auto& [stem, module] : m_modules) {
            m_config.dora = m_config.dora || module.magnitude;
            if (module.alpha) {
                withAlpha.insert(module.key.component);
            }
        }
        for (const auto& [stem, module] : m_modules) {
            if (!module.alpha && withAlpha.contains(module.key.component)) {
                return fail(ErrorCode::Unsupported,
                            "Only some of the modules have an alpha: kohya's trainers take the "
                            "rank for the others, and diffusers the most frequent alpha")
                    .inTensor(stem);
            }
        }
        if (m_scales.settings.kind() != ValueKind::Dict || m_scales.settings.items().empty()) {
            return {};
        }
        if (!withAlpha.empty()) {
            return fail(ErrorCode::Unsupported, "The scales are recorded twice, which diffusers "
                                                "refuses")
                .inField(std::string(kPipelineSettings));
        }
        bool dora = false;
        for (const std::string& component : m_components) {
            const Value document = settingsOf(m_scales.settings, component);
            if (document.items().empty()) {
                continue; // diffusers then takes a scale of 1
            }
            auto settings = AdapterConfig::of(document);
            if (!settings) {
                Error error = std::move(settings).error();
                error.where.file.clear();
                error.where.field =
                    std::string(kPipelineSettings) + ", " + component + "." + error.where.field;
                return error;
            }
            dora = dora || settings->dora;
            m_settings.emplace(component, std::move(*settings));
        }
        m_config.dora = dora;
        return {};
    }

    Result<void> scale(const Module& module) {
        if (!module.a) {
            return adapterErrors::missingHalf(module.key.stem, "both matrices of each pair");
        }
        const TensorEntry& low = m_adapter.tensor(*module.a);
        ModuleScale scale;
        scale.rank = low.shape.empty() ? 0 : low.shape[0];
        scale.alpha = module.alpha.value_or(static_cast<double>(scale.rank));
        const auto settings = m_settings.find(module.key.component);
        if (settings != m_settings.end()) {
            CAIRN_TRY(const std::int64_t rank, settings->second.rankOf(module.key.module));
            CAIRN_TRY(scale.alpha, settings->second.alphaOf(module.key.module));
            if (rank != scale.rank) {
                return adapterErrors::wrongRank(low, rank);
            }
            if (settings->second.rootRank) {
                scale.alpha *= std::sqrt(static_cast<double>(rank));
            }
        }
        m_config.own[module.path] = scale;
        return {};
    }

    const Checkpoint& m_adapter;
    const RecordedScales& m_scales;
    CheckpointData m_data;
    std::vector<std::optional<PipelineKey>> m_keys; ///< of each tensor
    std::set<std::string> m_components;
    std::map<std::string, Module> m_modules; ///< by stem
    std::map<std::string, AdapterConfig> m_settings;
    AdapterConfig m_config;
};

} // namespace

bool isPipelineAdapter(const Checkpoint& checkpoint) {
    return std::ranges::any_of(checkpoint.tensors(), [](const TensorEntry& tensor) {
        const auto key = pipelineKey(tensor.name);
        return key && key->part == PipelinePart::A;
    });
}

std::vector<TensorIndex> alphaTensors(const Checkpoint& adapter) {
    std::vector<TensorIndex> alphas;
    for (std::size_t i = 0; i < adapter.tensors().size(); ++i) {
        const TensorEntry& tensor = adapter.tensors()[i];
        const auto key = pipelineKey(tensor.name);
        if (key && key->part == PipelinePart::Alpha && tensor.elements() == 1) {
            alphas.emplace_back(i);
        }
    }
    return alphas;
}

Result<PeftAdapter> asAdapterOfPeft(const Checkpoint& adapter, const RecordedScales& scales,
                                    const AdapterBase& base) {
    return Maker(adapter, scales).make(&base);
}

Result<PeftAdapter> asAdapterOfPeft(const Checkpoint& adapter, const RecordedScales& scales) {
    return Maker(adapter, scales).make(nullptr);
}

std::string pipelineName(std::string_view peftName) {
    const std::string name(peftName.substr(kPeftPrefix.size()));
    const std::size_t dot = name.find('.');
    if (!name.starts_with(kFlatMark) || dot == name.npos) {
        return name;
    }
    const bool low = name.ends_with(peftEnding(PipelinePart::A));
    return name.substr(1, dot - 1) + (low ? ".lora_down.weight" : ".lora_up.weight");
}

} // namespace cairn
