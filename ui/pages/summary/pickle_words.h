// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/code_scan.h"
#include "ui/theme/theme.h"

#include <QString>

/// Describes what a checkpoint's pickles would do if Python loaded them. Pure.
namespace cairn::ui::words {

/// Empty: it has no pickle.
QString pickles(const formats::CodeScan& scan);
theme::Tone tone(const formats::CodeScan& scan);

} // namespace cairn::ui::words
