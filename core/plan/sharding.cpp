// SPDX-License-Identifier: Apache-2.0
#include "core/plan/sharding.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace cairn {
namespace {

Error notThis(Sentence what, std::string_view found, Sentence expected) {
    return fail(ErrorCode::InvalidArgument, std::move(what))
        .butFound(verbatim(std::string(found)))
        .expecting(std::move(expected));
}

template <class Number> std::optional<Number> numberIn(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty()
               ? std::optional(number)
               : std::nullopt;
}

Result<std::vector<std::uint32_t>> rankNumbers(std::string_view ranks, std::string_view grid) {
    std::vector<std::uint32_t> numbers;
    const auto add = [&](std::string_view text) {
        numbers.push_back(numberIn<std::uint32_t>(text).value_or(0));
    };
    if (grid.empty()) {
        add(ranks);
    } else {
        const std::size_t by = grid.find('x');
        add(grid.substr(0, by));
        add(by == std::string_view::npos ? std::string_view() : grid.substr(by + 1));
    }
    std::uint64_t product = 1;
    for (const std::uint32_t number : numbers) {
        product *= number;
        if (product == 0 || product > Sharding::kMaxRanks) {
            return grid.empty() ? notThis("Invalid rank count", ranks, "1 to 65536")
                                : notThis("Invalid rank grid", grid, "4x2");
        }
    }
    if (!grid.empty() && !ranks.empty() && numberIn<std::uint64_t>(ranks) != product) {
        return notThis("The grid does not match the rank count", ranks,
                       verbatim(std::to_string(product)));
    }
    return numbers;
}

/// "model.layers.3" for "model.layers.3.mlp.up.weight": the name up to the first number; "" without
/// a number.
std::string_view layerOf(std::string_view name) {
    for (std::size_t begin = 0; begin < name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        const std::string_view part = name.substr(begin, end - begin);
        if (begin > 0 && !part.empty() && std::ranges::all_of(part, isDigit)) {
            return name.substr(0, end);
        }
        begin = end + 1;
    }
    return {};
}

std::uint64_t bytesOf(const LayoutTensor& tensor) {
    return dtypeBytes(tensor.dtype, elementCount(tensor.shape).value_or(0)).value_or(0);
}

} // namespace

std::uint64_t Sharding::ranks() const {
    std::uint64_t product = 1;
    for (const ShardAxis& axis : axes) {
        product = std::min<std::uint64_t>(product * axis.ranks, kMaxRanks);
    }
    return product;
}

Sentence Sharding::words() const {
    std::vector<Sentence> all;
    for (const ShardAxis& axis : axes) {
        all.push_back(sentence("%1 along dimension %2", axis.ranks, axis.dim));
    }
    return sentenceList(all, " x ");
}

Result<std::vector<ShardAxis>> parseShardAxes(std::string_view ranks, std::string_view grid,
                                              std::string_view dim) {
    if (ranks.empty() && grid.empty()) {
        return dim.empty() ? Result<std::vector<ShardAxis>>(std::vector<ShardAxis>{})
                           : notThis("Missing rank count for the dimensions", dim, "--ranks");
    }
    CAIRN_TRY(const std::vector<std::uint32_t> numbers, rankNumbers(ranks, grid));
    std::vector<ShardAxis> axes;
    std::string_view rest = dim;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        std::int32_t along = static_cast<std::int32_t>(i);
        if (!dim.empty()) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            const auto number = numberIn<std::int32_t>(rest.substr(0, comma));
            rest = rest.substr(std::min(comma + 1, rest.size()));
            if (!number || *number < -64 || *number > 63) {
                return notThis("Invalid dimensions for the ranks", dim,
                               numbers.size() > 1 ? Sentence("0,1") : "0");
            }
            along = *number;
        }
        axes.push_back({numbers[i], along});
    }
    if (!rest.empty()) {
        return notThis("More dimensions than axes of ranks", dim,
                       numbers.size() > 1 ? Sentence("0,1") : "0");
    }
    return axes;
}

std::vector<std::uint32_t> filesOf(std::span<const LayoutTensor> tensors,
                                   const Sharding& sharding) {
    std::vector<std::uint32_t> files;
    if (sharding.empty()) {
        return files;
    }
    files.reserve(tensors.size());
    if (sharding.perLayer) {
        std::unordered_map<std::string_view, std::uint32_t> layers;
        for (const LayoutTensor& tensor : tensors) {
            const auto next = static_cast<std::uint32_t>(layers.size());
            files.push_back(layers.emplace(layerOf(tensor.name), next).first->second);
        }
        return files;
    }
    std::uint64_t left = 0;
    for (const LayoutTensor& tensor : tensors) {
        left += bytesOf(tensor);
    }
    std::uint64_t filesLeft = std::min<std::uint64_t>(sharding.ranks(), tensors.size());
    std::uint64_t inFile = 0;
    std::uint32_t file = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        files.push_back(file);
        inFile += bytesOf(tensors[i]);
        const bool full = inFile * filesLeft >= left || tensors.size() - i <= filesLeft;
        if (full && filesLeft > 1) {
            left -= inFile;
            inFile = 0;
            --filesLeft;
            ++file;
        }
    }
    return files;
}

} // namespace cairn
