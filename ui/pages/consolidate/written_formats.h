// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/format.h"
#include "core/plan/request.h"

#include <QString>

#include <filesystem>
#include <span>
#include <string_view>

/// The formats in which the window offers to write: what they are able to do is asked of the
/// registry and of their layout functions; the window adds a few words for those that it knows.
namespace cairn::ui {

/// Those that can be written and hold more than one tensor; the usual ones first.
std::span<const FormatInfo* const> offeredFormats();
const FormatInfo& usualFormat(); ///< for one file, and for the weights of a Hugging Face folder
const FormatInfo& formatOtherThan(std::string_view id); ///< the usual one, or the next
/// The first one that stores quantised blocks, or cuts tensors over ranks; null: none.
const FormatInfo* formatWithBlocks();
const FormatInfo* formatOfRanks();

/// Whether the layout makes several files of a limited size.
bool limitsFileSize(const FormatInfo& format);

/// One sentence on what reads such files; empty if the window knows nothing of the format.
QString formatTip(std::string_view id);
QString bundleTip();

/// A path as a string of Python.
QString pythonQuoted(const std::filesystem::path& path);

/// Python code that loads the output of the request; empty if the window knows none. `folder`: the
/// output is one. `isAdapter`: of PEFT, which its base is loaded for.
QString pythonSnippet(const JobRequest& request, bool folder, bool isAdapter = false);

} // namespace cairn::ui
