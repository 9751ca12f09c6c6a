// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cairn::ui {

struct ShardSize {
    std::string_view path;
    std::uint64_t bytes = 0;
};

/// The difference of each file from the median of its kind: -0.36 is 36 % less; 0 if insignificant.
/// Files of one kind have the same name except for its numbers, so that an optimizer's ranks are
/// not compared with the model's file. Files that are filled up to a maximum size
/// ("-00003-of-00003") naturally end with a smaller one and are not compared. Pure.
std::vector<double> shardEvenness(const std::vector<ShardSize>& files);

} // namespace cairn::ui
