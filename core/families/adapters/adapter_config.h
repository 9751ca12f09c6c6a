// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/value.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {

/// The scale of one module.
struct ModuleScale {
    double alpha = 1;
    std::int64_t rank = 1;
};

/// What adapter_config.json of PEFT says of an adapter of low-rank matrices (LoRA). A value type.
struct AdapterConfig {
    double alpha = 0;
    std::int64_t rank = 0;
    bool rootRank = false; ///< `use_rslora`: scaled by alpha / √rank instead of alpha / rank
    bool dora = false;
    bool fanInFanOut = false;
    bool tiesWeights = false;  ///< `ensure_weight_tying`
    bool inModelDtype = false; ///< the matrices get the model's dtype, as diffusers does
    bool someLayers = false;   ///< not all modules of these names have matrices
    std::string base;          ///< `base_model_name_or_path`
    std::vector<std::pair<std::string, double>> alphas; ///< `alpha_pattern`, in order
    std::vector<std::pair<std::string, double>> ranks;  ///< `rank_pattern`, in order
    /// Of single modules, by their names; stronger than patterns. Files of diffusers and kohya
    /// only.
    std::map<std::string, ModuleScale, std::less<>> own;
    std::vector<std::string> modules;    ///< `target_modules`, if it is a list
    std::vector<std::string> parameters; ///< `target_parameters`, in order
    /// `trainable_token_indices`: the rows of each module.
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> tokens;

    /// Of the plain values of a checkpoint's adapter_config.json. Fails, and names the field:
    /// Unsupported for what is not LoRA, and for methods that change the base or are no addition to
    /// it; InvalidArgument for fields that are missing or have a wrong type.
    static Result<AdapterConfig> of(const Value& document);

    /// The alpha and the rank of a module ("model.layers.0.self_attn.q_proj"), which patterns may
    /// set. Fails with Unsupported for a pattern that could take forever.
    [[nodiscard]] Result<double> alphaOf(std::string_view module) const;
    [[nodiscard]] Result<std::int64_t> rankOf(std::string_view module) const;
    /// What the product of a module's matrices is multiplied with.
    [[nodiscard]] double scaling(double moduleAlpha, std::int64_t moduleRank) const;
};

/// The tensors that `target_parameters` can mean below a module, by their full names: names without
/// a dot mean tensors of every module.
std::set<std::string> parametersBelow(std::string_view module, const AdapterConfig& config);

/// Whether PEFT takes `module` as one that a list of names means: equal, or its last parts.
bool isNamed(std::string_view module, std::string_view name);

} // namespace cairn
