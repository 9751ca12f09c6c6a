// SPDX-License-Identifier: Apache-2.0
#include "core/plan/output_components.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {
namespace {

/// The tensors of one component under the names that they have in its files.
struct ComponentTensors {
    std::vector<LayoutTensor> tensors;
    std::map<std::string_view, std::string_view> whole; ///< to the names in the output
    std::vector<std::pair<std::string, std::string>> metadata;
};

ComponentTensors tensorsOf(const Draft& draft, const OutputComponent& component,
                           std::set<std::string_view>& left) {
    ComponentTensors own;
    const std::size_t cut = component.prefix.size();
    for (const LayoutTensor& tensor : draft.tensors) {
        if (tensor.name.starts_with(component.prefix)) {
            own.tensors.push_back(tensor);
            own.tensors.back().name.remove_prefix(cut);
            own.whole.emplace(own.tensors.back().name,
                              component.folder.empty() ? own.tensors.back().name : tensor.name);
            left.erase(tensor.name);
        }
    }
    for (const auto& [key, value] : draft.metadata) { // names of tied tensors among them
        const bool named = key.starts_with(component.prefix);
        own.metadata.emplace_back(named ? key.substr(cut) : key,
                                  named && value.starts_with(component.prefix) ? value.substr(cut)
                                                                               : value);
    }
    return own;
}

} // namespace

void layOutComponents(Draft& draft, const LayoutTarget& target, const JobRequest& request,
                      const std::vector<OutputComponent>& components) {
    if (target.can.library.empty() || !request.sharding.empty()) {
        addProblem(draft, ErrorCode::Unsupported, Severity::Error,
                   "diffusers loads the components of a pipeline from folders of safetensors",
                   "Leave out --to, --ranks and --per-layer; --max-shard-size splits files");
        return;
    }
    std::set<std::string_view> left;
    for (const LayoutTensor& tensor : draft.tensors) {
        left.insert(tensor.name);
    }
    for (const OutputComponent& component : components) {
        const ComponentTensors own = tensorsOf(draft, component, left);
        if (own.tensors.empty()) {
            continue;
        }
        LayoutRequest wanted;
        wanted.tensors = own.tensors;
        wanted.baseName = component.stem;
        wanted.maxShardBytes = request.maxShardBytes;
        wanted.metadata = own.metadata;
        wanted.shareBlock = draft.plan.sharing.block;
        auto layout = target.layout(wanted);
        if (!layout) {
            addProblem(draft, layout.error());
            return;
        }
        for (OutputFile& file : layout->files) {
            file.name = component.folder.empty() ? file.name : component.folder + "/" + file.name;
            for (TensorSegment& segment : file.tensors) {
                segment.name = own.whole.at(segment.name);
            }
            draft.plan.layout.files.push_back(std::move(file));
        }
    }
    draft.plan.layout.folder = true;
    if (!left.empty()) {
        draft.plan.layout.files.clear();
        addProblem(draft, ErrorCode::Unsupported, Severity::Error,
                   sentence("A tensor belongs to no component of the pipeline: %1", *left.begin()),
                   "Choose the components: --only 'unet.*'", std::string(*left.begin()));
    }
}

} // namespace cairn
