// SPDX-License-Identifier: Apache-2.0
//
// Do the pieces tile the tensor? Frameworks write slabs, grids and now and then an uneven
// remainder, thousands of pieces at most; a hostile index may hold anything. Slabs that follow one
// another along one dimension are seen at a glance, for a checkpoint may have millions of them.
// Else volumes are compared first: when they add up to the tensor's and no two pieces meet, nothing
// is missing. Pieces that meet are searched for by a sweep along the dimension with the most
// distinct origins, with a budget of comparisons. Only when something is wrong are the holes
// computed, by cutting each piece out of what remains; that list is bounded too.
#include "core/model/coverage.h"

#include "core/model/checkpoint.h"

#include <algorithm>
#include <deque>

namespace cairn {
namespace {

constexpr std::uint64_t kComparisonBudget = 4'000'000;
constexpr std::size_t kMaxRemaining = 4096;

std::size_t sweepDimension(const std::vector<const Box*>& boxes, std::size_t rank) {
    std::size_t best = 0;
    std::size_t bestCount = 0;
    std::vector<std::int64_t> origins(boxes.size());
    for (std::size_t d = 0; d < rank; ++d) {
        std::transform(boxes.begin(), boxes.end(), origins.begin(),
                       [d](const Box* box) { return box->origin[d]; });
        std::sort(origins.begin(), origins.end());
        const auto distinct =
            static_cast<std::size_t>(std::unique(origins.begin(), origins.end()) - origins.begin());
        if (distinct > bestCount) {
            best = d;
            bestCount = distinct;
        }
    }
    return best;
}

enum class Meeting : std::uint8_t { None, Some, Unknown };

Meeting anyTwoMeet(std::vector<const Box*> boxes, std::size_t rank) {
    if (boxes.size() < 2) {
        return Meeting::None;
    }
    if (rank == 0) {
        return Meeting::Some;
    }
    const std::size_t d = sweepDimension(boxes, rank);
    std::ranges::sort(boxes,
                      [d](const Box* a, const Box* b) { return a->origin[d] < b->origin[d]; });
    std::vector<const Box*> active;
    std::uint64_t comparisons = 0;
    for (const Box* box : boxes) {
        std::erase_if(active, [&](const Box* old) {
            return old->origin[d] + old->extent[d] <= box->origin[d];
        });
        comparisons += active.size() + 1;
        if (comparisons > kComparisonBudget) {
            return Meeting::Unknown;
        }
        if (std::ranges::any_of(
                active, [&](const Box* old) { return intersect(*old, *box).has_value(); })) {
            return Meeting::Some;
        }
        active.push_back(box);
    }
    return Meeting::None;
}

/// Appends the parts of `from` that remain after removing `hole`, which is inside it.
void cutOut(Box from, const Box& hole, std::deque<Box>& out) {
    for (std::size_t d = 0; d < from.origin.size(); ++d) {
        const std::int64_t end = from.origin[d] + from.extent[d];
        const std::int64_t holeEnd = hole.origin[d] + hole.extent[d];
        if (from.origin[d] < hole.origin[d]) {
            Box before = from;
            before.extent[d] = hole.origin[d] - from.origin[d];
            out.push_back(std::move(before));
        }
        if (holeEnd < end) {
            Box after = from;
            after.origin[d] = holeEnd;
            after.extent[d] = end - holeEnd;
            out.push_back(std::move(after));
        }
        from.origin[d] = hole.origin[d];
        from.extent[d] = hole.extent[d];
    }
}

/// The region in no piece; false if there are too many fragments to list.
bool subtract(const Shape& shape, const std::vector<const Box*>& boxes,
              std::deque<Box>& remaining) {
    remaining = {Box::whole(shape)};
    for (const Box* box : boxes) {
        const std::size_t before = remaining.size();
        for (std::size_t i = 0; i < before; ++i) {
            Box fragment = std::move(remaining.front());
            remaining.pop_front();
            if (const auto common = intersect(fragment, *box)) {
                cutOut(std::move(fragment), *common, remaining);
            } else {
                remaining.push_back(std::move(fragment));
            }
        }
        if (remaining.size() > kMaxRemaining) {
            return false;
        }
    }
    return true;
}

std::uint64_t volume(const Box& box) {
    return elementCount(box.extent).value_or(0);
}

Coverage coverageOf(const TensorEntry& tensor, const std::vector<const Box*>& boxes,
                    std::uint64_t sum) {
    Coverage result;
    const std::uint64_t total = tensor.elements();
    const Meeting meeting = anyTwoMeet(boxes, tensor.shape.size());
    if (meeting == Meeting::None && sum == total) {
        return result;
    }
    std::deque<Box> remaining;
    result.exact = meeting != Meeting::Unknown && subtract(tensor.shape, boxes, remaining);
    if (!result.exact) {
        result.holes = sum < total ? total - sum : 0;
        result.overlaps = sum > total ? sum - total : 0;
        return result;
    }
    for (const Box& hole : remaining) {
        result.holes += volume(hole);
        if (result.holeBoxes.size() < Coverage::kMaxBoxes) {
            result.holeBoxes.push_back(hole);
        }
    }
    result.overlaps = sum - (total - result.holes);
    return result;
}

/// True if the pieces are contiguous along one dimension, cover it completely, and have the full
/// extent of all others.
bool tiledInOrder(const TensorEntry& tensor, auto&& keep) {
    const Shape& shape = tensor.shape;
    std::optional<std::size_t> along; // the dimension that is split
    std::int64_t at = 0;
    bool whole = false;
    for (const Piece& piece : tensor.pieces) {
        const Box& box = piece.box;
        const bool empty = std::any_of(box.extent.begin(), box.extent.end(),
                                       [](auto extent) { return extent <= 0; });
        if (empty || !keep(piece)) {
            continue;
        }
        if (whole || box.extent.size() != shape.size() || box.origin.size() != shape.size()) {
            return false;
        }
        whole = !along;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            if (!along && box.extent[d] != shape[d]) {
                along = d;
                whole = false;
            }
            const std::int64_t from = along == d ? at : 0;
            const std::int64_t most = shape[d] - from;
            if (box.origin[d] != from || box.extent[d] > most ||
                (along != d && box.extent[d] != most)) {
                return false;
            }
        }
        at += along ? box.extent[*along] : 0;
    }
    return whole || (along && at == shape[*along]);
}

} // namespace

static Coverage coverageWhere(const TensorEntry& tensor, auto&& keep) {
    if (tensor.elements() == 0 || tiledInOrder(tensor, keep)) {
        return {};
    }
    std::vector<const Box*> boxes;
    boxes.reserve(tensor.pieces.size());
    std::uint64_t sum = 0;
    bool wraps = false;
    for (const Piece& piece : tensor.pieces) {
        const std::uint64_t elements = volume(piece.box);
        if (elements > 0 && keep(piece)) {
            boxes.push_back(&piece.box);
            const auto next = checkedAdd(sum, elements);
            wraps = wraps || !next;
            sum = next.value_or(sum);
        }
    }
    Coverage result = coverageOf(tensor, boxes, sum);
    result.exact = result.exact && !wraps;
    return result;
}

Coverage coverage(const TensorEntry& tensor) {
    return coverageWhere(tensor, [](const Piece&) { return true; });
}

Coverage readableCoverage(const Checkpoint& checkpoint, const TensorEntry& tensor) {
    return coverageWhere(tensor, [&](const Piece& piece) {
        return !checkpoint.files()[piece.file.position()].missing;
    });
}

Result<void> requireCovered(const TensorEntry& tensor) {
    if (const Coverage covered = coverage(tensor); covered.holes > 0 || !covered.exact) {
        return fail(ErrorCode::CoverageHole, "Some elements of the tensor are not in any shard")
            .inTensor(tensor.name)
            .butFound(sentence("%1 of %2 elements missing", covered.holes, tensor.elements()))
            .withHint("Find the missing shard, or use a different checkpoint");
    }
    return {};
}

} // namespace cairn
