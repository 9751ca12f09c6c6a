// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace cairn::ui {

/// What the window is asked to show by its command line, by a later start of the program, or by the
/// desktop.
struct Opening {
    enum class View : std::uint8_t {
        Paths,   ///< opens `paths`, or the last session if there are none
        Diff,    ///< two checkpoints
        Compare, ///< two runs or more
    };
    View view = View::Paths;
    std::vector<std::filesystem::path> paths = {}; ///< absolute
    bool sample = false;
    QString page = {}; ///< one of pageNames(), to be shown first; may be empty

    bool isEmpty() const { return paths.empty() && !sample && page.isEmpty(); }
};

} // namespace cairn::ui
