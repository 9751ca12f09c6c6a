// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/tensor_join.h"

#include "core/formats/numpy_shards/part_order.h"
#include "core/model/role_decision.h"
#include "core/model/tensor_entry.h"

#include <algorithm>

namespace cairn::formats::numpy_shards {
namespace {

constexpr std::size_t kMostCompared = 4096; ///< parts that are compared to find replicas

Error contradiction(const ManifestTensor& tensor, Sentence found) {
    return fail(ErrorCode::BadIndex,
                "The manifest's entry for this tensor does not match the files")
        .inTensor(tensor.name)
        .butFound(std::move(found));
}

Error unrecorded(const ManifestTensor& tensor) {
    return fail(ErrorCode::ShardsNotJoined,
                "The manifest lists the parts of this tensor without their positions")
        .inTensor(tensor.name)
        .withHint("Add an offset to each part, or an axis to the tensor");
}

std::string fileOf(const FoundPart& part) {
    return part.listed.file.empty() ? std::string("a part") : part.listed.file;
}

class Joint {
public:
    Joint(const ManifestTensor& tensor, std::vector<FoundPart> parts)
        : m_tensor(tensor), m_parts(std::move(parts)) {}

    Result<TensorEntry> join() {
        CAIRN_CHECK(findKind());
        CAIRN_CHECK(place());
        return assemble();
    }

private:
    /// The shape of a part: as stored, else as declared.
    [[nodiscard]] std::optional<Dims> shapeOf(const FoundPart& part) const {
        if (part.entry != nullptr) {
            return part.entry->shape;
        }
        return part.listed.extent;
    }

    Result<void> findKind() {
        for (const FoundPart& part : m_parts) {
            const auto shape = shapeOf(part);
            if (part.entry != nullptr && !m_dtype) {
                m_dtype = part.entry->dtype;
            }
            if (part.entry != nullptr && part.entry->dtype != m_dtype) {
                return contradiction(m_tensor, "parts with different dtypes");
            }
            if (shape && !m_rank) {
                m_rank = shape->size();
            }
            if (shape && shape->size() != m_rank) {
                return contradiction(m_tensor, "parts with different numbers of dimensions");
            }
            if (part.entry != nullptr && part.listed.extent &&
                *part.listed.extent != part.entry->shape) {
                return contradiction(m_tensor, sentence("%1 contains %2 instead of %3",
                                                        fileOf(part), formatDims(part.entry->shape),
                                                        formatDims(*part.listed.extent)));
            }
        }
        if (m_tensor.shape && !m_rank) {
            m_rank = m_tensor.shape->size();
        }
        if (!m_rank || (m_tensor.shape && m_tensor.shape->size() != *m_rank)) {
            return contradiction(
                m_tensor,
                m_rank ? Sentence("parts with a different number of dimensions than the tensor")
                       : "no part of it");
        }
        m_dtype = m_dtype ? m_dtype : m_tensor.dtype;
        return m_dtype ? Result<void>() : contradiction(m_tensor, "no part of it");
    }

    Result<void> place() {
        const bool alone =
            m_parts.size() == 1 && !m_parts[0].listed.origin && !m_parts[0].listed.start;
        const auto all = [&](auto&& has) { return std::ranges::all_of(m_parts, has); };
        if (m_tensor.replicated || (alone && !m_tensor.axis)) {
            return placeComplete();
        }
        if (all([](const FoundPart& part) { return part.listed.origin.has_value(); })) {
            return placeByOrigin();
        }
        const auto axis = axisOf();
        if (!axis || !all([](const FoundPart& part) { return part.listed.understood; })) {
            return unrecorded(m_tensor);
        }
        return placeAlong(*axis);
    }

    Result<void> placeComplete() {
        for (const FoundPart& part : m_parts) {
            const auto shape = shapeOf(part);
            const auto whole = m_tensor.shape ? m_tensor.shape : shape;
            if (shape && whole && *shape != *whole) {
                return contradiction(
                    m_tensor, sentence("%1 instead of %2", formatDims(*shape), formatDims(*whole)));
            }
            m_boxes.emplace_back(whole ? std::optional(Box::whole(*whole)) : std::nullopt);
        }
        return {};
    }

    Result<void> placeByOrigin() {
        for (const FoundPart& part : m_parts) {
            const auto shape = shapeOf(part);
            if (part.listed.origin->size() != *m_rank) {
                return contradiction(
                    m_tensor, "an offset with a different number of dimensions than the part");
            }
            m_boxes.emplace_back(shape ? std::optional(Box{*part.listed.origin, *shape})
                                       : std::nullopt);
        }
        return {};
    }

    /// The recorded axis, or the only one along which the parts add up to the complete tensor.
    [[nodiscard]] std::optional<std::size_t> axisOf() const {
        const auto rank = static_cast<std::int64_t>(*m_rank);
        if (m_tensor.axis) {
            const std::int64_t axis = *m_tensor.axis < 0 ? *m_tensor.axis + rank : *m_tensor.axis;
            return axis >= 0 && axis < rank ? std::optional(static_cast<std::size_t>(axis))
                                            : std::nullopt;
        }
        if (rank == 1) {
            return 0;
        }
        std::optional<std::size_t> found;
        for (std::size_t d = 0; m_tensor.shape && d < *m_rank; ++d) {
            if (addsUp(d)) {
                if (found) {
                    return std::nullopt;
                }
                found = d;
            }
        }
        return found;
    }

    [[nodiscard]] bool addsUp(std::size_t axis) const {
        std::uint64_t sum = 0;
        for (const FoundPart& part : m_parts) {
            const auto shape = shapeOf(part);
            if (!shape) {
                return false;
            }
            for (std::size_t d = 0; d < *m_rank; ++d) {
                if (d != axis && (*shape)[d] != (*m_tensor.shape)[d]) {
                    return false;
                }
            }
            sum += static_cast<std::uint64_t>((*shape)[axis]);
        }
        return sum == static_cast<std::uint64_t>((*m_tensor.shape)[axis]);
    }

    Result<void> placeAlong(std::size_t axis) {
        const auto all = [&](auto&& has) { return std::ranges::all_of(m_parts, has); };
        const bool starts =
            all([](const FoundPart& part) { return part.listed.start.has_value(); });
        if (!starts) {
            CAIRN_CHECK(sortParts(m_tensor, m_parts));
        }
        std::int64_t at = 0;
        for (const FoundPart& part : m_parts) {
            auto shape = shapeOf(part);
            if (!shape && !starts) {
                shape = remainder(axis);
            }
            if (!shape && !starts) {
                return fail(ErrorCode::ShardsNotJoined,
                            "A part is missing, and its size is not recorded")
                    .inTensor(m_tensor.name)
                    .inFile(part.listed.file);
            }
            if (shape) {
                Box box = Box::whole(*shape);
                box.origin[axis] = starts ? *part.listed.start : at;
                m_boxes.emplace_back(std::move(box));
                if (__builtin_add_overflow(at, (*shape)[axis], &at)) {
                    return contradiction(m_tensor, "sizes that overflow");
                }
            } else {
                m_boxes.emplace_back(std::nullopt);
            }
        }
        return {};
    }

    /// The shape of the single missing part, if the complete shape is recorded.
    [[nodiscard]] std::optional<Dims> remainder(std::size_t axis) const {
        if (!m_tensor.shape) {
            return std::nullopt;
        }
        std::int64_t left = (*m_tensor.shape)[axis];
        int missing = 0;
        for (const FoundPart& part : m_parts) {
            const auto shape = shapeOf(part);
            missing += shape ? 0 : 1;
            left -= shape ? std::min((*shape)[axis], left) : 0;
        }
        Dims shape = *m_tensor.shape;
        shape[axis] = left;
        return missing == 1 ? std::optional(shape) : std::nullopt;
    }

    Result<TensorEntry> assemble() {
        TensorEntry whole;
        whole.name = m_tensor.name;
        whole.dtype = *m_dtype;
        whole.shape = m_tensor.shape ? *m_tensor.shape : Dims(*m_rank, 0);
        for (const auto& box : m_boxes) {
            for (std::size_t d = 0; box && !m_tensor.shape && d < *m_rank; ++d) {
                std::int64_t end = 0;
                if (__builtin_add_overflow(box->origin[d], box->extent[d], &end)) {
                    return contradiction(m_tensor, "sizes that overflow");
                }
                whole.shape[d] = std::max(whole.shape[d], end);
            }
        }
        std::vector<const Box*> taken;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            if (!m_boxes[i]) {
                continue;
            }
            if (!fitsInto(*m_boxes[i], whole.shape)) {
                return contradiction(m_tensor, sentence("a part at %1 of %2 in a tensor of %3",
                                                        formatDims(m_boxes[i]->origin),
                                                        formatDims(m_boxes[i]->extent),
                                                        formatDims(whole.shape)));
            }
            const bool again =
                taken.size() < kMostCompared && m_parts[i].entry != nullptr &&
                std::ranges::any_of(taken, [&](const Box* box) { return *box == *m_boxes[i]; });
            if (again) {
                continue; // a replica
            }
            taken.push_back(&*m_boxes[i]);
            addPieces(whole, m_parts[i], *m_boxes[i]);
            if (m_tensor.replicated && m_parts[i].entry != nullptr) {
                break;
            }
        }
        whole.role = modelRole(whole.name);
        return whole;
    }

    static void addPieces(TensorEntry& whole, const FoundPart& part, const Box& box) {
        if (part.entry == nullptr) {
            Piece missing;
            missing.box = box;
            missing.file = part.file;
            whole.pieces.push_back(std::move(missing));
            return;
        }
        for (Piece piece : part.entry->pieces) {
            for (std::size_t d = 0; d < piece.box.origin.size(); ++d) {
                piece.box.origin[d] += box.origin[d];
            }
            whole.pieces.push_back(std::move(piece));
        }
    }

    const ManifestTensor& m_tensor;
    std::vector<FoundPart> m_parts;
    std::vector<std::optional<Box>> m_boxes;
    std::optional<Dtype> m_dtype;
    std::optional<std::size_t> m_rank;
};

Dims withoutLast(const Dims& dims, std::int64_t divisor) {
    Dims shorter(dims.size() - 1, 0);
    for (std::size_t d = 0; d < shorter.size(); ++d) {
        shorter[d] = dims[d] / divisor;
    }
    return shorter;
}

} // namespace

Result<TensorEntry> joinParts(const ManifestTensor& tensor, std::vector<FoundPart> parts) {
    return Joint(tensor, std::move(parts)).join();
}

bool readAs(TensorEntry& entry, Dtype dtype) {
    const DtypeInfo& wanted = dtypeInfo(dtype);
    const DtypeInfo& stored = dtypeInfo(entry.dtype);
    if (entry.dtype == dtype) {
        return true;
    }
    if (wanted.bits % 8 != 0 || wanted.kind == DtypeKind::Bytes) {
        return false;
    }
    const bool plain = stored.kind == DtypeKind::Unsigned || entry.dtype == Dtype::Opaque ||
                       entry.dtype == Dtype::Int16 || entry.dtype == Dtype::Int8;
    if (plain && stored.bits == wanted.bits) {
        entry.dtype = dtype;
        return true;
    }
    const auto bytes = static_cast<std::int64_t>(wanted.bits / 8);
    if (entry.dtype != Dtype::Opaque || entry.shape.empty() ||
        entry.shape[entry.shape.size() - 1] != bytes) {
        return false;
    }
    entry.dtype = dtype;
    entry.shape = withoutLast(entry.shape, 1);
    for (Piece& piece : entry.pieces) {
        piece.box = {withoutLast(piece.box.origin, 1), withoutLast(piece.box.extent, 1)};
        piece.strides = piece.strides.empty() ? Strides() : withoutLast(piece.strides, bytes);
    }
    return true;
}

} // namespace cairn::formats::numpy_shards
