// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <vector>

namespace cairn::ui {

/// The marked runs, by path. Each has a slot, which is its colour, dash and letter everywhere, and
/// keeps it until it is unmarked; a new mark takes the first free slot. Runs that are marked
/// together, as a group, share one. Two marks with two slots are always in slots 0 and 1: they are
/// A and B of a comparison, as a single mark is one of them. A value type; GUI thread.
class RunMarks {
public:
    /// The slot of a run; -1: not marked.
    [[nodiscard]] int slotOf(const std::filesystem::path& run) const;
    [[nodiscard]] bool contains(const std::filesystem::path& run) const { return slotOf(run) >= 0; }
    [[nodiscard]] std::size_t count() const { return m_marks.size(); }
    /// In the order of their slots; of one slot in the order of paths.
    [[nodiscard]] std::vector<std::filesystem::path> paths() const;

    /// The runs that have another slot in `other`, or a slot in one of them only.
    [[nodiscard]] std::vector<std::filesystem::path> differing(const RunMarks& other) const;

    /// False: it was marked already.
    bool add(const std::filesystem::path& run);
    /// All of them get the slot of the first that is marked, else a free one.
    void addTogether(const std::vector<std::filesystem::path>& runs);
    /// Groups of runs that were marked in an earlier session, by the slot they had: they get it
    /// again if it is free. A group with a run that is marked already joins it.
    void restore(const std::map<int, std::vector<std::filesystem::path>>& groups);
    /// False: it was not marked.
    bool remove(const std::filesystem::path& run);

private:
    [[nodiscard]] int freeSlot() const;
    void put(const std::filesystem::path& run, int slot);
    void settle();

    /// By bytes: many times as fast as part by part, and every row of a table asks for its mark.
    struct Less {
        bool operator()(const std::filesystem::path& a, const std::filesystem::path& b) const {
            return a.native() < b.native();
        }
    };
    using Marks = std::map<std::filesystem::path, int, Less>;
    void release(Marks::iterator mark);

    Marks m_marks;                     ///< to the slot
    std::map<int, std::size_t> m_runs; ///< of each slot in use, how many
};

} // namespace cairn::ui
