// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/run_marks.h"

#include <algorithm>

namespace cairn::ui {

int RunMarks::slotOf(const std::filesystem::path& run) const {
    const auto at = m_marks.find(run);
    return at == m_marks.end() ? -1 : at->second;
}

std::vector<std::filesystem::path> RunMarks::paths() const {
    std::vector<std::filesystem::path> paths;
    std::ranges::transform(m_marks, std::back_inserter(paths),
                           [](const auto& mark) { return mark.first; });
    std::ranges::stable_sort(paths, {}, [this](const auto& path) { return slotOf(path); });
    return paths;
}

std::vector<std::filesystem::path> RunMarks::differing(const RunMarks& other) const {
    std::vector<std::filesystem::path> runs;
    for (const auto& [run, slot] : m_marks) {
        if (other.slotOf(run) != slot) {
            runs.push_back(run);
        }
    }
    for (const auto& [run, slot] : other.m_marks) {
        if (!contains(run)) {
            runs.push_back(run);
        }
    }
    return runs;
}

int RunMarks::freeSlot() const {
    int slot = 0;
    for (const auto& [used, runs] : m_runs) {
        if (used != slot) {
            break;
        }
        ++slot;
    }
    return slot;
}

void RunMarks::put(const std::filesystem::path& run, int slot) {
    if (const auto before = m_marks.find(run); before != m_marks.end()) {
        release(before);
    }
    m_marks.emplace(run, slot);
    ++m_runs[slot];
}

void RunMarks::settle() {
    if (m_marks.size() == 1 && m_marks.begin()->second > 1) { // neither A nor B
        m_marks.begin()->second = 0;
        m_runs = {{0, 1}};
    }
    if (m_marks.size() != 2 || m_runs.size() != 2) {
        return;
    }
    const bool inOrder = m_marks.begin()->second < m_marks.rbegin()->second;
    m_marks.begin()->second = inOrder ? 0 : 1;
    m_marks.rbegin()->second = inOrder ? 1 : 0;
    m_runs = {{0, 1}, {1, 1}};
}

bool RunMarks::add(const std::filesystem::path& run) {
    if (run.empty() || contains(run)) {
        return false;
    }
    put(run, freeSlot());
    settle();
    return true;
}

void RunMarks::addTogether(const std::vector<std::filesystem::path>& runs) {
    const auto marked =
        std::ranges::find_if(runs, [this](const auto& run) { return contains(run); });
    const int slot = marked != runs.end() ? slotOf(*marked) : freeSlot();
    for (const std::filesystem::path& run : runs) {
        if (!run.empty() && slotOf(run) != slot) {
            put(run, slot);
        }
    }
    settle();
}

void RunMarks::restore(const std::map<int, std::vector<std::filesystem::path>>& groups) {
    for (const auto& [before, runs] : groups) {
        const auto marked =
            std::ranges::find_if(runs, [this](const auto& run) { return contains(run); });
        const int free = m_runs.contains(before) ? freeSlot() : before;
        const int slot = marked != runs.end() ? slotOf(*marked) : free;
        for (const std::filesystem::path& run : runs) {
            if (!run.empty() && !contains(run)) {
                put(run, slot);
            }
        }
    }
    settle();
}

bool RunMarks::remove(const std::filesystem::path& run) {
    const auto at = m_marks.find(run);
    if (at == m_marks.end()) {
        return false;
    }
    release(at);
    settle();
    return true;
}

void RunMarks::release(Marks::iterator mark) {
    const auto slot = m_runs.find(mark->second);
    if (--slot->second == 0) {
        m_runs.erase(slot);
    }
    m_marks.erase(mark);
}

} // namespace cairn::ui
