// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/runs/run_arrangement.h"

#include <QJsonObject>

#include <map>
#include <string>

/// What of the Runs page's table survives a restart: columns with their widths, groups, order and
/// notes; the filter does not.
namespace cairn::ui {

QJsonObject queryState(const RunsQuery& query, const std::map<std::string, int>& widths);

/// From a file: unknown, missing and invalid values are ignored.
void restoreQuery(const QJsonObject& state, RunsQuery& query);
std::map<std::string, int> restoredWidths(const QJsonObject& state);

} // namespace cairn::ui
