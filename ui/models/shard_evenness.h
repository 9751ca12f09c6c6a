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

/// How far each file is from the median of its kind: -0.36 is 36 % less; 0 when that is nothing to
/// speak of. Files of one kind have the same name except for its numbers, so that an optimizer's
/// ranks are not held against the model's file beside them. Files that are cut by a largest size
/// ("-00003-of-00003") end with a smaller one by nature and are not compared. Pure.
std::vector<double> shardEvenness(const std::vector<ShardSize>& files);

} // namespace cairn::ui
