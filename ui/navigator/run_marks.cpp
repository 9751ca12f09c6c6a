// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/run_marks.h"

#include <algorithm>

namespace cairn::ui {

int RunMarks::slotOf(const std::filesystem::path& run) const {
    const auto at = std::ranges::find(m_marks, run, &Mark::run);
    return at == m_marks.end() ? -1 : at->slot;
}

std::vector<std::filesystem::path> RunMarks::paths() const {
    std::vector<std::filesystem::path> paths;
    std::ranges::transform(m_marks, std::back_inserter(paths), &Mark::run);
    return paths;
}

int RunMarks::freeSlot() const {
    int slot = 0;
    for (const Mark& mark : m_marks) {
        slot = mark.slot == slot ? slot + 1 : slot;
    }
    return slot;
}

void RunMarks::settle() {
    std::ranges::stable_sort(m_marks, {}, &Mark::slot);
    if (m_marks.size() == 2 && m_marks[0].slot != m_marks[1].slot) {
        m_marks[0].slot = 0;
        m_marks[1].slot = 1;
    }
}

bool RunMarks::add(const std::filesystem::path& run) {
    if (run.empty() || contains(run)) {
        return false;
    }
    m_marks.push_back({run, freeSlot()});
    settle();
    return true;
}

void RunMarks::addTogether(const std::vector<std::filesystem::path>& runs) {
    int slot = -1;
    for (const std::filesystem::path& run : runs) {
        slot = slot < 0 ? slotOf(run) : slot;
    }
    slot = slot < 0 ? freeSlot() : slot;
    for (const std::filesystem::path& run : runs) {
        const auto at = std::ranges::find(m_marks, run, &Mark::run);
        if (at != m_marks.end()) {
            at->slot = slot;
        } else if (!run.empty()) {
            m_marks.push_back({run, slot});
        }
    }
    settle();
}

bool RunMarks::remove(const std::filesystem::path& run) {
    const bool removed =
        std::erase_if(m_marks, [&](const Mark& mark) { return mark.run == run; }) > 0;
    settle();
    return removed;
}

} // namespace cairn::ui
