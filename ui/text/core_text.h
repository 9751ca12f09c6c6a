// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/sentence.h"

#include <QString>

#include <string_view>

namespace cairn::ui::text {

/// A sentence of the core in the language of the window: the catalogue's translation of its
/// pattern, with the arguments in their places. Names and other texts stay as they are (made safe
/// like fromCore()), amounts get the user's decimal point, sentences in arguments are translated
/// too. A sentence in an argument is looked up together with its surroundings first, so that "%1
/// are missing" with "%n files" may have a translation of its own: "%n files are missing". What
/// has no translation stays English. Any thread.
QString coreText(const Sentence& sentence);

/// The same for a fixed text of a table of the core, such as the title of a format.
QString coreText(std::string_view fixed);

/// The name of a format by its id: "dcp" is "PyTorch Distributed Checkpoint". An unknown id stays.
QString formatName(std::string_view id);

} // namespace cairn::ui::text
