// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/request.h"

#include <QString>

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::ui {

/// The shell command of cairn-cli arguments. With `from` paths below that folder are written
/// relative to it, for reading.
QString commandText(const std::vector<std::string>& words, const std::filesystem::path& from = {});

/// The same of a request, with absolute paths.
QString commandText(const JobRequest& request, const std::filesystem::path& from = {});

/// Quoted for a POSIX shell when it has to be.
QString shellQuoted(const QString& word);

} // namespace cairn::ui
