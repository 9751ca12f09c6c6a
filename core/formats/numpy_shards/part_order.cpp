// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/part_order.h"

#include "core/model/names/tokens.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace cairn::formats::numpy_shards {
namespace {

using Numbers = std::vector<std::int64_t>;

/// A name without its numbers, and the numbers.
std::pair<std::string, Numbers> split(std::string_view name) {
    std::pair<std::string, Numbers> parts;
    std::size_t at = 0;
    for (const names::DigitRun& run : names::digitRuns(name)) {
        parts.first += std::string(name.substr(at, run.begin - at)) + '\0';
        parts.second.push_back(
            names::decimal(name.substr(run.begin, run.end - run.begin)).value_or(-1));
        at = run.end;
    }
    parts.first += name.substr(at);
    return parts;
}

/// The numbers of names that are otherwise equal; empty: the names differ in more, or not at all.
std::vector<Numbers> numbersOf(const std::vector<std::string>& names) {
    std::vector<Numbers> numbers;
    std::string like;
    for (const std::string& name : names) {
        auto [text, own] = split(name);
        if (!numbers.empty() && text != like) {
            return {};
        }
        like = std::move(text);
        numbers.push_back(std::move(own));
    }
    std::vector<Numbers> sorted = numbers;
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) == sorted.end() ? numbers : std::vector<Numbers>();
}

Error uncertain(const ManifestTensor& tensor, Sentence found) {
    return fail(ErrorCode::ShardsNotJoined,
                "The order of this tensor's parts is uncertain; each is shown separately")
        .inTensor(tensor.name)
        .butFound(std::move(found))
        .withHint("Add an offset or a rank to each part");
}

template <class Key> std::vector<std::size_t> orderBy(const std::vector<Key>& keys) {
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return keys[i]; });
    return order;
}

void apply(const std::vector<std::size_t>& order, std::vector<FoundPart>& parts) {
    std::vector<FoundPart> sorted;
    sorted.reserve(parts.size());
    for (const std::size_t i : order) {
        sorted.push_back(std::move(parts[i]));
    }
    parts = std::move(sorted);
}

} // namespace

Result<void> sortParts(const ManifestTensor& tensor, std::vector<FoundPart>& parts) {
    const auto ranked = static_cast<std::size_t>(std::ranges::count_if(
        parts, [](const FoundPart& part) { return part.listed.order.has_value(); }));
    if (ranked == parts.size()) {
        std::vector<std::int64_t> ranks;
        for (const FoundPart& part : parts) {
            ranks.push_back(*part.listed.order);
        }
        const std::vector<std::size_t> order = orderBy(ranks);
        std::ranges::sort(ranks);
        if (const auto twice = std::ranges::adjacent_find(ranks); twice != ranks.end()) {
            return uncertain(tensor, sentence("rank %1 twice", *twice));
        }
        apply(order, parts);
        return {};
    }
    if (ranked > 0) {
        return uncertain(tensor, sentence("ranks of %1 of %2 parts", ranked, parts.size()));
    }
    std::vector<std::string> files;
    std::vector<std::string> keys;
    for (const FoundPart& part : parts) {
        files.push_back(part.listed.file);
        keys.push_back(part.listed.key);
    }
    const bool oneFile =
        std::ranges::adjacent_find(files, std::ranges::not_equal_to()) == files.end();
    const std::vector<std::string>& names = oneFile ? keys : files;
    const std::vector<Numbers> numbers = numbersOf(names);
    if (numbers.empty()) {
        return {}; // keep the listed order
    }
    const std::vector<std::size_t> order = orderBy(numbers);
    const bool listedSo = std::ranges::is_sorted(order);
    if (!listedSo && !std::ranges::is_sorted(names)) {
        return uncertain(tensor, sentence("parts listed as %1, %2, …", names[0], names[1]));
    }
    apply(order, parts);
    return {};
}

} // namespace cairn::formats::numpy_shards
