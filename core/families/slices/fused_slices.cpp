// SPDX-License-Identifier: Apache-2.0
#include "core/families/slices/fused_slices.h"

#include <algorithm>
#include <utility>

namespace cairn {

std::size_t FusedSlices::copiesOf(const std::string& part, std::size_t ranks) const {
    const auto heads = static_cast<std::size_t>(std::max<std::int64_t>(m_heads, 0));
    return hasSharedHeads(part) && heads > 0 && ranks > heads && ranks % heads == 0 ? ranks / heads
                                                                                    : 1;
}

Result<FusedSlices::Part> FusedSlices::joined(const std::string& name,
                                              std::span<const TensorView> slices) const {
    const Shape& whole = *m_whole(name);
    if (slices.size() == 1 && slices.front().shape() == whole) {
        return Part{name, {slices.front(), false}}; // the other ranks have copies
    }
    CAIRN_TRY(JoinedTensor tensor, joinSlices(name, slices, whole, m_model));
    return Part{name, std::move(tensor)};
}

Error FusedSlices::mismatch(const std::string& name, std::span<const TensorView> ranks,
                            const std::string& part) const {
    return fail(ErrorCode::BadSlice,
                "The rows of this fused tensor are not those of the config's class, divided "
                "by the ranks")
        .inTensor(name)
        .butFound(verbatim(shapesText(ranks)))
        .expecting(sentence("%1 of %2", part, m_model))
        .withHint("Load the files in the program that wrote them, and save the complete model");
}

Result<std::vector<FusedSlices::Part>> FusedSlices::rows(const std::string& name,
                                                         std::span<const TensorView> ranks,
                                                         std::span<const std::string> parts) {
    std::vector<Part> made;
    std::int64_t row = 0;
    for (const std::string& part : parts) {
        const Shape* whole = m_whole(part);
        const std::size_t copies = copiesOf(part, ranks.size());
        const auto cuts = static_cast<std::int64_t>(ranks.size() / copies);
        const std::int64_t rows =
            whole != nullptr && !whole->empty() && (*whole)[0] % cuts == 0 ? (*whole)[0] / cuts : 0;
        const auto has = [&](const TensorView& view) {
            return !view.shape().empty() && view.shape()[0] >= row + rows;
        };
        if (rows == 0 || !std::ranges::all_of(ranks, has)) {
            return mismatch(name, ranks, part);
        }
        std::vector<TensorView> slices;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            CAIRN_TRY(TensorView slice, ranks[rank].slice(0, row, rows));
            if (rank % copies == 0) {
                slices.push_back(std::move(slice));
            } else {
                m_copies.push_back({part, slices.back(), std::move(slice)});
            }
        }
        CAIRN_TRY(Part joinedPart, joined(part, slices));
        made.push_back(std::move(joinedPart));
        row += rows;
    }
    const bool isAll =
        std::ranges::all_of(ranks, [&](const TensorView& view) { return view.shape()[0] == row; });
    return isAll ? Result<std::vector<Part>>(std::move(made)) : mismatch(name, ranks, name);
}

std::vector<std::vector<std::string>> FusedSlices::experts(const std::string& name,
                                                           const ExpertLayer& layer) const {
    const std::string module = std::string(moduleOf(name)) + ".";
    std::vector<std::vector<std::string>> experts;
    for (const auto& parts : layer.parts) {
        const auto nameOf = [&](std::string_view part) {
            return module + std::to_string(experts.size()) + "." + std::string(part) + ".weight";
        };
        while (m_whole(nameOf(parts[0])) != nullptr) {
            std::vector<std::string> names = {nameOf(parts[0])};
            if (!parts[1].empty()) {
                names.push_back(nameOf(parts[1]));
            }
            experts.push_back(std::move(names));
        }
        if (!experts.empty()) {
            break;
        }
    }
    return experts;
}

Result<std::vector<FusedSlices::Part>>
FusedSlices::expertRows(const std::string& name, std::span<const TensorView> ranks,
                        std::span<const std::vector<std::string>> experts) const {
    const auto count = static_cast<std::int64_t>(experts.size());
    const auto layers = static_cast<std::int64_t>(experts.front().size());
    const Shape shape = ranks.front().shape();
    const bool fits =
        shape.size() == 3 && shape[0] == count && shape[1] % layers == 0 &&
        std::ranges::all_of(ranks, [&](const TensorView& view) { return view.shape() == shape; });
    if (!fits) {
        return mismatch(name, ranks, experts.front().front());
    }
    const std::int64_t rows = shape[1] / layers;
    std::vector<Part> made;
    for (std::int64_t expert = 0; expert < count; ++expert) {
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const std::string& part =
                experts[static_cast<std::size_t>(expert)][static_cast<std::size_t>(layer)];
            if (m_whole(part) == nullptr) {
                return mismatch(name, ranks, part);
            }
            std::vector<TensorView> slices;
            for (const TensorView& view : ranks) {
                CAIRN_TRY(const TensorView matrix, view.select(0, expert));
                CAIRN_TRY(TensorView slice, matrix.slice(0, layer * rows, rows));
                slices.push_back(std::move(slice));
            }
            CAIRN_TRY(Part joinedPart, joined(part, slices));
            made.push_back(std::move(joinedPart));
        }
    }
    return made;
}

} // namespace cairn
