// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/series_order.h"

#include <algorithm>
#include <numeric>

namespace cairn {
namespace {

using Conflicts = std::vector<std::optional<SeriesConflict>>;
using Kind = SeriesConflict::Kind;

class Order {
public:
    explicit Order(const std::vector<SeriesMember>& members)
        : m_members(members), m_order(members.size()), m_conflicts(members.size()) {
        std::iota(m_order.begin(), m_order.end(), 0U);
        std::ranges::stable_sort(m_order, {}, [&](std::size_t i) { return members[i].position; });
    }

    Conflicts conflicts() {
        for (std::size_t k = 1; k < m_order.size(); ++k) {
            if (m_members[m_order[k]].position == m_members[m_order[k - 1]].position) {
                note(m_order[k], Kind::SamePosition, m_order[k - 1]);
                note(m_order[k - 1], Kind::SamePosition, m_order[k]);
            }
        }
        compare(
            [](const SeriesMember& each) {
                return each.settled ? std::optional(each.oldestNs) : std::nullopt;
            },
            [](const SeriesMember& each) {
                return each.settled ? std::optional(each.newestNs) : std::nullopt;
            },
            Kind::SavedBefore, Kind::SavedAfter);
        const auto epoch = [](const SeriesMember& each) { return each.epoch; };
        compare(epoch, epoch, Kind::Epochs, Kind::Epochs);
        const auto named = [](const SeriesMember& each) { return each.named; };
        compare(named, named, Kind::Names, Kind::Names);
        return std::move(m_conflicts);
    }

private:
    /// Finds a conflict for each element: an element at a later position that ends before one at an
    /// earlier position begins.
    template <class Begin, class End>
    void compare(Begin&& begin, End&& end, Kind ofEarlier, Kind ofLater) {
        std::optional<std::size_t> last; // the one at an earlier position that begins last
        for (const std::size_t i : m_order) {
            const SeriesMember& each = m_members[i];
            if (last && end(each) && *end(each) < *begin(m_members[*last])) {
                note(i, ofLater, *last);
            }
            if (begin(each) && (!last || *begin(each) > *begin(m_members[*last]))) {
                last = i;
            }
        }
        std::optional<std::size_t> first; // the one at a later position that ends first
        for (auto at = m_order.rbegin(); at != m_order.rend(); ++at) {
            const std::size_t i = *at;
            const SeriesMember& each = m_members[i];
            if (first && begin(each) && *begin(each) > *end(m_members[*first])) {
                note(i, ofEarlier, *first);
            }
            if (end(each) && (!first || *end(each) < *end(m_members[*first]))) {
                first = i;
            }
        }
    }

    void note(std::size_t i, Kind kind, std::size_t other) {
        if (!m_conflicts[i]) {
            m_conflicts[i] = {kind, m_members[other].checkpoint};
        }
    }

    const std::vector<SeriesMember>& m_members;
    std::vector<std::size_t> m_order;
    Conflicts m_conflicts;
};

} // namespace

Conflicts seriesConflicts(const std::vector<SeriesMember>& members) {
    return Order(members).conflicts();
}

} // namespace cairn
