// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/names/view.h"
#include "core/families/slices/slice_join.h"
#include "core/families/slices/slice_names.h"
#include "core/model/dims.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Internal to core/families/slices: tensors in which a program stores several of the class, of
/// which each rank has its part. Pure.
namespace cairn {

class FusedSlices {
public:
    /// The shape of a tensor of the class; null: it has none of this name.
    using WholeShape = std::function<const Shape*(const std::string& name)>;
    struct Part {
        std::string name; ///< as the class has it
        JoinedTensor tensor;
    };
    /// What several ranks have.
    struct Copy {
        std::string name;
        TensorView used;
        TensorView copy;
    };

    /// `model`: the class. `heads`: of keys and of values; 0: not known.
    FusedSlices(WholeShape whole, std::string_view model, std::int64_t heads)
        : m_whole(std::move(whole)), m_model(model), m_heads(heads) {}

    /// Each rank has its rows of the first part, then those of the second. Where there are more
    /// ranks than heads of keys and values, vLLM and TensorRT-LLM give each rank one complete head,
    /// and the next ranks copies of it: the first of them is used. Fails with BadSlice if the rows
    /// are not those of the class.
    Result<std::vector<Part>> rows(const std::string& name, std::span<const TensorView> ranks,
                                   std::span<const std::string> parts);

    /// The names of the layers of each expert; none if the class does not have them one by one.
    [[nodiscard]] std::vector<std::vector<std::string>> experts(const std::string& name,
                                                                const ExpertLayer& layer) const;
    /// Each rank has its rows, or columns, of each expert: of gate and up one behind the other.
    /// Fails with BadSlice.
    [[nodiscard]] Result<std::vector<Part>>
    expertRows(const std::string& name, std::span<const TensorView> ranks,
               std::span<const std::vector<std::string>> experts) const;

    [[nodiscard]] const std::vector<Copy>& copies() const { return m_copies; }

private:
    [[nodiscard]] std::size_t copiesOf(const std::string& part, std::size_t ranks) const;
    [[nodiscard]] Result<Part> joined(const std::string& name,
                                      std::span<const TensorView> slices) const;
    [[nodiscard]] Error mismatch(const std::string& name, std::span<const TensorView> ranks,
                                 const std::string& part) const;

    WholeShape m_whole;
    std::string_view m_model;
    std::int64_t m_heads;
    std::vector<Copy> m_copies;
};

} // namespace cairn
