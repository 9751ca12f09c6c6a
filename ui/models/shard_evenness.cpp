// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/shard_evenness.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>

namespace cairn::ui {
namespace {

constexpr double kUneven = 0.10; ///< differences from here on are reported in a sentence

/// The name without its numbers: "__3_0.distcp" and "__12_0.distcp" are of one kind, "scheduler.pt"
/// is not.
std::string kindOf(std::string_view path) {
    std::string kind;
    std::ranges::copy_if(path, std::back_inserter(kind), [](char c) { return c < '0' || c > '9'; });
    return kind;
}

} // namespace

std::vector<double> shardEvenness(const std::vector<ShardSize>& files) {
    std::map<std::string, std::vector<std::size_t>> kinds;
    for (std::size_t i = 0; i < files.size(); ++i) {
        kinds[kindOf(files[i].path)].push_back(i);
    }
    std::vector<double> all(files.size(), 0);
    for (const auto& [kind, members] : kinds) {
        if (members.size() < 2 || kind.find("-of-") != std::string::npos) {
            continue;
        }
        std::vector<std::uint64_t> sizes;
        std::ranges::transform(members, std::back_inserter(sizes),
                               [&](std::size_t i) { return files[i].bytes; });
        const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
        std::ranges::nth_element(sizes, middle);
        const auto median = static_cast<double>(*middle);
        for (const std::size_t i : members) {
            const double against =
                median > 0 ? (static_cast<double>(files[i].bytes) - median) / median : 0;
            all[i] = std::abs(against) >= kUneven ? against : 0;
        }
    }
    return all;
}

} // namespace cairn::ui
