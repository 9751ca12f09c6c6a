// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/elements/plain_product.h"
#include "core/model/tensor_reader.h"
#include "core/plan/element_recipe.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn {

/// The steps of a recipe, computed again for verification with simple code that is independent of
/// FoldReader: row by row, from the definition in families/adapters/adapter_operation.h. Not
/// thread-safe; recipe and checkpoints must outlive it.
class ExpectedFold {
public:
    /// As FoldReader::open().
    static Result<ExpectedFold> open(const ElementRecipe& recipe, const Checkpoint& source,
                                     const TensorEntry& tensor, const Box& box);

    /// As FoldReader::apply(), in any order of calls.
    Result<void> apply(std::uint64_t first, std::span<float> values);

private:
    /// Some rows of a stored matrix as floats.
    struct Matrix {
        std::optional<TensorReader> reader;
        Dtype dtype{};
        Shape shape;
        Box box; ///< what `floats` has; empty: nothing
        std::vector<float> floats;
        [[nodiscard]] float at(std::int64_t row, std::int64_t column) const {
            return floats[static_cast<std::size_t>((row - box.origin[0]) * box.extent[1] + column -
                                                   box.origin[1])];
        }
    };
    struct Step {
        const AdapterOperation* operation = nullptr;
        Matrix values; ///< B; a vector is one row
        Matrix factor; ///< A
        Matrix magnitude;
        std::vector<float> wide; ///< see wideFor()
        std::int64_t expert = -1;
        std::vector<float> columnNorms;
    };
    /// Rows of one expert of the tensor.
    struct Rows {
        std::int64_t expert = 0;
        std::int64_t row = 0;
        std::int64_t count = 1;
    };

    explicit ExpectedFold(const ElementRecipe& recipe) : m_recipe(&recipe) {}
    static Result<Matrix> openMatrix(const Checkpoint& checkpoint, TensorIndex tensor);
    Result<void> load(Matrix& matrix, const Box& box);
    Result<void> wideFor(Step& step, std::int64_t expert);
    Result<void> applyStep(Step& step, Rows rows, std::int64_t column, std::span<float> values);
    Result<PlainProduct> productOf(Step& step, Rows rows, std::int64_t column);
    Result<void> changeOf(Step& step, Rows rows, std::int64_t column, std::span<float> change);
    Result<void> scaleToMagnitude(Step& step, std::int64_t row, std::int64_t column,
                                  std::span<float> values);
    Result<void> plusChange(Step& step, std::int64_t row, std::vector<float>& sum);
    Result<void> setRow(Step& step, std::int64_t row, std::int64_t column, std::span<float> values);
    void roundToFolded(std::span<float> values);
    [[nodiscard]] std::int64_t columns() const { return m_base.shape[m_base.shape.size() - 1]; }

    const ElementRecipe* m_recipe;
    Box m_box;
    Matrix m_base;
    std::vector<Step> m_steps;
    TensorReader::Scratch m_scratch;
    std::vector<std::byte> m_bytes;
    std::vector<float> m_change;
    std::vector<float> m_left;
    std::vector<float> m_sum;
};

} // namespace cairn
