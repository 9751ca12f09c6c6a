// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/adapters/adapter.h"
#include "core/families/adapters/pipeline_keys.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

/// The layers of a pipeline of diffusers, or of one of its components, by the names that adapters
/// have for them. Internal to core/families. Borrows the base.
namespace cairn {

class PipelineModules {
public:
    /// `components`: those that an adapter names.
    PipelineModules(const AdapterBase& base, const std::set<std::string>& components);

    /// A module's name in the base, without ".weight". `tensor`: of the adapter, for errors. Fails
    /// with NotFound if the base lacks the component or the module, Unsupported if two modules have
    /// the flat name or the base is not of diffusers.
    [[nodiscard]] Result<std::string> find(const PipelineKey& key, const std::string& tensor) const;

private:
    struct Component {
        std::map<std::string, std::string, std::less<>> modules; ///< to names in the base
        std::map<std::string, std::string, std::less<>> flat;    ///< "": of two modules
        std::int64_t resnets = 0;                                ///< of its first block down
    };
    void add(Component& component, const std::string& inside, const std::string& name);
    [[nodiscard]] const Component* componentOf(const PipelineKey& key) const;
    [[nodiscard]] const std::string* named(const Component& component,
                                           const PipelineKey& key) const;

    std::map<std::string, Component, std::less<>> m_components;
    bool m_isComponent = false; ///< the base is one, whose name it does not record
    bool m_isOfDiffusers = false;
};

} // namespace cairn
