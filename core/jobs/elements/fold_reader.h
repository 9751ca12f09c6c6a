// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/low_rank.h"
#include "core/model/tensor_reader.h"
#include "core/plan/element_recipe.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn {

/// Applies the steps of a recipe to elements of a tensor. It reads the adapters' matrices: the one
/// that is as wide as the tensor's rows completely, of the other the rows for the elements at hand.
/// Not thread-safe; recipe and checkpoints must outlive it.
class FoldReader {
public:
    static constexpr std::uint64_t kMaxWide = std::uint64_t{16} << 20U; ///< elements

    /// `tensor`: the tensor of `source` before all steps; `box`: of it. Fails with the errors of
    /// reading, and LimitExceeded for a matrix of more than kMaxWide elements.
    static Result<FoldReader> open(const ElementRecipe& recipe, const Checkpoint& source,
                                   const TensorEntry& tensor, const Box& box);

    /// Elements [first, first + values.size()) of the box, already rounded to recipe.folded: to the
    /// result of the last step, which is not rounded.
    Result<void> apply(std::uint64_t first, std::span<float> values);

private:
    /// Part of one or more rows of one matrix (expert) of the tensor.
    struct Block {
        std::int64_t expert = 0;
        std::int64_t row = 0; ///< of the tensor
        std::int64_t rows = 1;
        std::int64_t column = 0;
        std::int64_t columns = 0;
    };
    struct Step {
        const AdapterOperation* operation = nullptr;
        Dtype valuesType{};
        Dtype factorType{};
        TensorReader values;
        std::optional<TensorReader> factor;
        std::vector<float> wide;  ///< rank × the tensor's columns, for `expert`
        std::int64_t expert = -1; ///< of `wide`; -1: none
        std::vector<float> magnitudes;
        std::vector<float> norms; ///< of rows [normsFrom, …), or of all columns
        std::int64_t normsFrom = 0;
    };

    FoldReader(const ElementRecipe& recipe, TensorReader base, Dtype baseType, Shape shape, Box box)
        : m_recipe(&recipe), m_base(std::move(base)), m_baseType(baseType),
          m_shape(std::move(shape)), m_box(std::move(box)) {}
    Result<void> addStep(const FoldStep& step);
    [[nodiscard]] Block blockAt(std::uint64_t element, std::uint64_t count) const;
    Result<void> applyStep(Step& step, std::uint64_t first, std::span<float> values);
    Result<void> change(Step& step, const Block& block, std::span<float> values);
    Result<void> addProduct(Step& step, const Block& block, std::span<float> values);
    Result<void> setRows(Step& step, const Block& block, std::span<float> values);
    Result<void> normalise(Step& step, const Block& block, std::span<float> values);
    Result<void> findNorms(Step& step, std::int64_t row, std::int64_t rows);
    Result<void> findColumnNorms(Step& step);
    /// The change of `block`, to m_change.
    Result<void> product(Step& step, const Block& block);
    Result<LowRankProduct> factorsOf(Step& step, const Block& block);
    Result<void> loadWide(Step& step, std::int64_t expert);
    /// The factors of rows, rows × rank, to m_left.
    Result<void> loadLeft(Step& step, const Block& block);
    void roundFactors(const AdapterOperation& how, std::span<float> factors);
    Result<void> readFloats(const TensorReader& reader, Dtype dtype, const Box& box,
                            std::vector<float>& out);
    /// The tensor's elements before all steps, rounded to recipe.folded, to m_whole.
    Result<void> readBase(std::int64_t row, std::int64_t rows);
    [[nodiscard]] std::int64_t columns() const { return m_shape[m_shape.size() - 1]; }
    [[nodiscard]] std::int64_t rowsOf() const { return m_shape[m_shape.size() - 2]; }
    void round(std::span<float> values);
    std::span<std::byte> room(std::size_t size); ///< until the next call

    const ElementRecipe* m_recipe;
    TensorReader m_base;
    Dtype m_baseType;
    Shape m_shape;
    Box m_box;
    std::vector<Step> m_steps;
    TensorReader::Scratch m_scratch;
    std::vector<std::byte> m_bytes;
    std::vector<float> m_left;
    std::vector<float> m_read;
    std::vector<float> m_room;
    std::span<float> m_change; ///< in m_room
    std::vector<float> m_whole;
};

} // namespace cairn
