// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/master_names.h"

#include <algorithm>
#include <utility>

namespace cairn::formats::deepspeed {

using Verdict = RoundingCheck::Verdict;

MasterNames::MasterNames(const CheckpointData& data, Trainable trainable)
    : m_check(data), m_trainable(std::move(trainable)) {
    for (std::size_t place = 0; place < parameters().size(); ++place) {
        m_places.emplace(parameters()[place].name, place);
    }
}

Verdict MasterNames::compare(const TensorEntry& master, std::size_t place) {
    return m_check.compare(master, *m_trainable.copies[place]);
}

/// Matches the shapes with a subsequence of the parameters, if there is only one way: the leftmost
/// match equals the rightmost.
std::optional<std::vector<std::size_t>>
MasterNames::byShapes(const std::vector<const Shape*>& shapes) const {
    std::vector<std::size_t> left;
    std::size_t at = 0;
    for (const Shape* shape : shapes) {
        while (at < parameters().size() && !(parameters()[at].shape == *shape)) {
            ++at;
        }
        if (at == parameters().size()) {
            return std::nullopt;
        }
        left.push_back(at++);
    }
    std::size_t end = parameters().size();
    for (std::size_t i = shapes.size(); i-- > 0;) {
        while (
            !(parameters()[end - 1].shape == *shapes[i])) { // terminates: there is a leftmost match
            --end;
        }
        if (--end != left[i]) {
            return std::nullopt;
        }
    }
    return left;
}

bool MasterNames::fits(const TensorEntry* master, std::size_t place) {
    return master != nullptr && !m_taken.contains(place) &&
           parameters()[place].shape == master->shape && compare(*master, place) == Verdict::Same;
}

/// Matches the masters with the copies that they round to, in module order, as close to one end as
/// possible. Empty: not in that order.
std::optional<std::vector<std::size_t>>
MasterNames::inOrder(const std::vector<const TensorEntry*>& masters, Side side) {
    const bool fromEnd = side == Side::Back;
    const std::size_t count = parameters().size();
    std::vector<std::size_t> places(masters.size());
    std::size_t passed = 0;
    for (std::size_t n = 0; n < masters.size(); ++n) {
        const std::size_t i = fromEnd ? masters.size() - 1 - n : n;
        const auto place = [&] { return fromEnd ? count - 1 - passed : passed; };
        while (passed < count && !fits(masters[i], place())) {
            ++passed;
        }
        if (passed == count) {
            return std::nullopt;
        }
        places[i] = place();
        ++passed;
    }
    return places;
}

/// Matches each master with its only copy; empty for masters with no copy or several.
MasterNames::Places MasterNames::byCopies(const std::vector<const TensorEntry*>& masters) {
    const auto left = inOrder(masters, Side::Front);
    const auto right = left ? inOrder(masters, Side::Back) : std::nullopt;
    if (right) {
        Places named(masters.size());
        for (std::size_t i = 0; i < masters.size(); ++i) {
            named[i] = (*left)[i] == (*right)[i] ? std::optional((*left)[i]) : std::nullopt;
        }
        return named;
    }
    std::vector<std::vector<std::size_t>> fitting;
    for (const TensorEntry* master : masters) {
        auto& own = fitting.emplace_back();
        for (std::size_t place = 0; place < parameters().size(); ++place) {
            if (fits(master, place)) {
                own.push_back(place);
            }
        }
    }
    Places named(masters.size());
    for (bool more = true; more;) { // each match leaves fewer copies for the others
        more = false;
        for (std::size_t i = 0; i < masters.size(); ++i) {
            if (named[i] || fitting[i].size() != 1) {
                continue;
            }
            named[i] = fitting[i].front();
            more = true;
            for (auto& other : fitting) {
                std::erase(other, *named[i]);
            }
        }
    }
    return named;
}

MasterNames::Places MasterNames::name(const std::vector<const Shape*>& shapes,
                                      const std::vector<const TensorEntry*>& masters) {
    const auto places = byShapes(shapes);
    bool good = places.has_value();
    for (std::size_t i = 0; i < masters.size() && good; ++i) {
        good = !m_taken.contains((*places)[i]) &&
               (masters[i] == nullptr || compare(*masters[i], (*places)[i]) != Verdict::Different);
    }
    Places named = good ? Places(places->begin(), places->end()) : byCopies(masters);
    for (const auto& place : named) {
        if (place) {
            m_taken.insert(*place);
        }
    }
    return named;
}

bool MasterNames::contradicts(const Logical& logical) {
    const auto place = m_places.find(logical.name);
    return place != m_places.end() && logical.master &&
           compare(*logical.master, place->second) == Verdict::Different;
}

} // namespace cairn::formats::deepspeed
