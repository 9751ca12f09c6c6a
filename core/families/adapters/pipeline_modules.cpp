// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/pipeline_modules.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kWeight = ".weight";
/// transformers 5 leaves it out of the names of CLIP's text model.
constexpr std::string_view kTextModel = "text_model.";

/// The folder of a pipeline that a tensor is in and named by; empty: none.
std::string folderOf(const Checkpoint& base, const TensorEntry& tensor) {
    if (tensor.pieces.empty()) {
        return {};
    }
    const std::string& path = base.files()[tensor.pieces.front().file.position()].path;
    const std::size_t slash = path.find('/');
    std::string folder = slash == path.npos ? std::string() : path.substr(0, slash);
    return !folder.empty() && tensor.name.starts_with(folder + ".") ? folder : std::string();
}

std::string flatName(std::string name) {
    std::ranges::replace(name, '.', '_');
    return name;
}

std::string otherTextName(std::string_view module, std::string_view start) {
    return module.starts_with(start) ? std::string(module.substr(start.size()))
                                     : std::string(start) + std::string(module);
}

} // namespace

PipelineModules::PipelineModules(const AdapterBase& base, const std::set<std::string>& components) {
    for (const NamedTensor& each : base.tensors) {
        const TensorEntry& tensor = base.checkpoint->tensor(each.tensor);
        if (!each.name.ends_with(kWeight) || tensor.shape.size() < 2) {
            continue;
        }
        const std::string name = each.name.substr(0, each.name.size() - kWeight.size());
        const std::string folder = folderOf(*base.checkpoint, tensor);
        const bool inside = !folder.empty() && name.starts_with(folder + ".");
        add(m_components[folder], inside ? name.substr(folder.size() + 1) : name, name);
    }
    const auto known = [](const auto& each) { return !each.first.empty(); };
    m_isComponent = std::ranges::none_of(m_components, known) && components.size() == 1;
    const bool classNamed = base.config != nullptr && base.config->has("_diffusers_version");
    const bool isText = components.size() == 1 && components.begin()->starts_with("text_encoder");
    m_isOfDiffusers = !m_isComponent || classNamed || isText;
}

void PipelineModules::add(Component& component, const std::string& inside,
                          const std::string& name) {
    component.modules.emplace(inside, name);
    const auto [flat, isNew] = component.flat.emplace(flatName(inside), name);
    if (!isNew) {
        flat->second.clear();
    }
    constexpr std::string_view kBlock = "down_blocks.0.resnets.";
    constexpr std::string_view kLayer = ".conv1";
    if (inside.starts_with(kBlock) && inside.ends_with(kLayer)) {
        ++component.resnets;
    }
}

const PipelineModules::Component* PipelineModules::componentOf(const PipelineKey& key) const {
    auto found = m_components.find(m_isComponent ? std::string_view() : key.component);
    if (found == m_components.end() && key.flat && key.component == "unet") {
        found = m_components.find("transformer");
    }
    return found == m_components.end() ? nullptr : &found->second;
}

const std::string* PipelineModules::named(const Component& component,
                                          const PipelineKey& key) const {
    const auto& names = key.flat ? component.flat : component.modules;
    auto found = names.find(key.module);
    if (found == names.end() && key.component.starts_with("text_encoder")) {
        found = names.find(
            otherTextName(key.module, key.flat ? flatName(std::string(kTextModel)) : kTextModel));
    }
    if (found == names.end() && key.flat) {
        const auto other = flatNameOfDiffusers(key.module, component.resnets);
        found = other ? names.find(*other) : names.end();
    }
    return found == names.end() ? nullptr : &found->second;
}

Result<std::string> PipelineModules::find(const PipelineKey& key, const std::string& tensor) const {
    if (!m_isOfDiffusers) {
        return fail(ErrorCode::Unsupported,
                    "The adapter is for a pipeline of diffusers, which the base is not")
            .inTensor(tensor)
            .withHint("Fold into the pipeline's folder, or into that of one of its components");
    }
    const Component* component = componentOf(key);
    if (component == nullptr) {
        return fail(ErrorCode::NotFound, "The base lacks a component that the adapter changes")
            .inTensor(tensor)
            .expecting(verbatim(key.component))
            .withHint("Fold into the folder of the pipeline, which has all components");
    }
    const std::string* name = named(*component, key);
    if (name == nullptr) {
        return fail(ErrorCode::NotFound, "The base has no module that this tensor of the adapter "
                                         "changes")
            .inTensor(tensor)
            .expecting(verbatim(key.component + ", " + key.module))
            .withHint("Fold into a pipeline of the kind that the adapter was trained on; if it is, "
                      "the adapter has the names of a different program: diffusers may merge it by "
                      "pipeline.load_lora_weights(FILE), pipeline.fuse_lora(), "
                      "pipeline.save_pretrained(FOLDER)");
    }
    if (name->empty()) {
        return fail(ErrorCode::Unsupported, "Two modules of the base have the name that this "
                                            "tensor of the adapter states with underscores")
            .inTensor(tensor)
            .butFound(verbatim(key.module));
    }
    return *name;
}

} // namespace cairn
