// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cairn::ui::text {

/// While one exists, count(), bytes(), number() and inLocale() write numbers as programs read them,
/// on this thread: for rows that are saved as CSV or TSV.
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

} // namespace cairn::ui::text
