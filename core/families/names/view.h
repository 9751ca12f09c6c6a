// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cairn {

/// A box of a view, and where in a stored piece its elements are.
struct ViewPart {
    /// One dimension of the view.
    struct Axis {
        std::int64_t origin = 0; ///< in the view
        std::int64_t extent = 1;
        std::int32_t source = -1; ///< dimension of the stored piece; -1: none
        std::int64_t step = 0;    ///< in that dimension
    };
    TensorIndex tensor;
    std::uint32_t piece = 0;
    std::vector<Axis> axes;
    std::vector<std::int64_t> start; ///< within the piece, for each of its dimensions
};

/// A tensor whose elements are those of stored tensors in another arrangement: rows taken out,
/// heads regrouped, matrices transposed, experts stacked. Nothing is read or computed: the view
/// knows, for each stored piece, which box of it is where. The operations are those of NumPy
/// (reshape is split and merge). A value; the checkpoint must outlive it.
///
/// Every operation fails with BadSlice if it does not fit the shape, and with LimitExceeded if the
/// view would consist of more than kMaxParts boxes. Elements that are not whole bytes (blocks,
/// packed ones) can be rearranged only as far as their rows stay whole; view() fails otherwise.
class TensorView {
public:
    static constexpr std::size_t kMaxParts = std::size_t{1} << 20U;

    static TensorView of(const Checkpoint& checkpoint, TensorIndex tensor);

    [[nodiscard]] const Shape& shape() const { return m_shape; }
    [[nodiscard]] Dtype dtype() const { return m_dtype; }

    /// Dimension `dim` becomes several, whose product it is.
    [[nodiscard]] Result<TensorView> split(std::size_t dim, const Dims& extents) const;
    /// `count` dimensions from `dim` on become one.
    [[nodiscard]] Result<TensorView> merge(std::size_t dim, std::size_t count) const;
    [[nodiscard]] Result<TensorView> slice(std::size_t dim, std::int64_t first,
                                           std::int64_t count) const;
    /// One index of a dimension, which disappears.
    [[nodiscard]] Result<TensorView> select(std::size_t dim, std::int64_t index) const;
    [[nodiscard]] Result<TensorView> swap(std::size_t a, std::size_t b) const;
    /// A new dimension of extent 1 before `dim`.
    [[nodiscard]] Result<TensorView> insert(std::size_t dim) const;
    /// One behind the other along `dim`. REQUIRES: one or more.
    static Result<TensorView> concat(std::span<const TensorView> views, std::size_t dim);

    /// True if it is the stored tensor as it is.
    [[nodiscard]] bool isWhole() const { return m_whole; }
    /// The first of the tensors that it is made of.
    [[nodiscard]] TensorIndex origin() const { return m_origin; }

    /// The tensor for a checkpoint with the same files and (at least) the same codecs; codecs are
    /// added to `data` for pieces whose elements are encoded. `base` owns what the view refers to.
    [[nodiscard]] Result<TensorEntry> entry(std::string name, CheckpointData& data,
                                            const CheckpointPtr& base) const;

private:
    TensorView() = default;
    [[nodiscard]] Result<TensorView> checked() &&;

    const Checkpoint* m_checkpoint = nullptr;
    TensorIndex m_origin;
    Shape m_shape;
    Dtype m_dtype{};
    bool m_whole = true;
    std::vector<ViewPart> m_parts;
};

} // namespace cairn
