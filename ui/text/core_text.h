// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace cairn::ui::text {

/// A sentence of the core in the language of the window. The core writes English with its arguments
/// in place, for the command line and for JSON; its sentences are built in as templates
/// (resources/translations/core_texts.py). One of them is translated and gets the same arguments;
/// what is none of them, or has no translation yet, is shown as it is, like fromCore(). Any thread.
QString coreText(std::string_view sentence);

} // namespace cairn::ui::text
