// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace cairn::ui::text {

/// While one exists, count(), bytes(), exactBytes(), number(), inLocale() and moment() write
/// numbers as programs read them, on this thread: digits with a decimal point, sizes as whole
/// bytes, times as ISO 8601. For rows that are copied, or saved as CSV or TSV.
class ProgramNumbers {
public:
    ProgramNumbers() { ++depth(); }
    ~ProgramNumbers() { --depth(); }
    ProgramNumbers(const ProgramNumbers&) = delete;
    ProgramNumbers& operator=(const ProgramNumbers&) = delete;
    static bool wanted() { return depth() > 0; }

private:
    static int& depth();
};

/// A text made of such numbers.
template <class Words> QString forPrograms(const Words& words) {
    const ProgramNumbers numbers;
    return words();
}

} // namespace cairn::ui::text
