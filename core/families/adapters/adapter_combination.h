// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/typed_index.h"
#include "core/families/adapters/adapter_config.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// One adapter whose change of a model is the weighted mean of the changes of several.
namespace cairn {

struct CombinedMember {
    const Checkpoint& adapter;
    const AdapterConfig& config;
    double weight = 1; ///< relative to the others'; not negative
};

/// Where the scale of the combined matrices is.
enum class CombinedScale : std::uint8_t {
    Settings, ///< as far as it is one number for all members
    Matrices, ///< alpha and rank are equal
};

/// How a tensor of the combined adapter is made of those of the members.
enum class CombinedBy : std::uint8_t {
    Rows,    ///< one below the other, each multiplied by its factor
    Columns, ///< one beside the other
    Mean,    ///< their weighted mean; the factors are the weights
};

struct CombinedPart {
    TensorIndex tensor; ///< of the member
    double factor = 1;
    std::size_t member = 0;
};

struct CombinedTensor {
    std::string name; ///< as PEFT saves it
    CombinedBy how = CombinedBy::Mean;
    std::int64_t experts = 1; ///< of Rows: groups of rows, which are joined group by group
    std::vector<CombinedPart> parts;
};

/// The tensors and the settings that differ from those of the members.
struct CombinedAdapter {
    std::vector<CombinedTensor> tensors;
    std::int64_t rank = 1;
    double alpha = 1;                                        ///< `use_rslora` is false
    std::vector<std::pair<std::string, std::int64_t>> ranks; ///< `rank_pattern`
    std::vector<std::pair<std::string, double>> alphas;      ///< `alpha_pattern`
    /// `target_modules`, with which the fields that choose among modules do not apply; empty: as
    /// the members have them.
    std::optional<std::vector<std::string>> modules;
};

/// Joins the matrices of each module, so that their product is the sum of the products: the rank is
/// the sum of the ranks. Tensors that the members replace become their mean. No element is read.
/// Fails with Unsupported, and names what such an adapter cannot express: DoRA, biases and complete
/// tensors that only some members have, settings that must be equal; with the errors of
/// readAdapterKeys() and for shapes that do not fit.
/// Source: peft 0.21, LoraModel.add_weighted_adapter (combination_type "cat"), and
/// ParamWrapper.get_delta_weight for the order of the rows of experts.
Result<CombinedAdapter> combineAdapters(std::span<const CombinedMember> members,
                                        CombinedScale where = CombinedScale::Settings);

} // namespace cairn
