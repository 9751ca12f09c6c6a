// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/code_scan.h"
#include "ui/theme/theme.h"

#include <QString>

/// What a checkpoint's pickles would do if Python loaded them, in words for people. Pure.
namespace cairn::ui::words {

/// Empty: there is no pickle in it, and nothing else to say.
QString pickles(const formats::CodeScan& scan);
theme::Tone tone(const formats::CodeScan& scan);

} // namespace cairn::ui::words
