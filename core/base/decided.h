// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/number.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the program decides from names, numbers and defaults, together with what speaks for it.
///
/// Each question ("which step has this checkpoint", "is this file an export") has one judge: a
/// function that collects claims and returns decide() of them. Whoever writes, deletes, ranks or
/// says "complete" asks the result for the strength that it needs.
namespace cairn {

/// How well a statement is founded, in ascending order.
enum class Strength : std::uint8_t {
    Named,    ///< it looks like it: a name, a position, a default of ours
    Recorded, ///< written down by the tool that made it
    Proven,   ///< checked against the data
};
std::string_view strengthName(Strength strength); ///< "named", "recorded", "proven"

/// Where a statement or a number was read.
struct Place {
    std::filesystem::path file;
    /// Dotted path in the values ("trainer_state.log_history.7.loss"), or a column of a log.
    std::string field = {};
    std::optional<std::uint64_t> row = {}; ///< row of a log, from 0
    std::optional<Number> step = {};       ///< at which a number was measured, if recorded
    friend bool operator==(const Place&, const Place&) = default;
};

/// One statement for or against a value.
struct Evidence {
    Strength strength = Strength::Named;
    std::string_view id; ///< of the rule, a literal: "step-in-name". Code compares ids, not texts
    Sentence says;       ///< "the number 300 in the name"
    Place where = {};
    friend bool operator==(const Evidence&, const Evidence&) = default;
};

/// A value, or none: undecided, which acts like unknown. An undecided one with evidence is a
/// contradiction: both sides are in `against`.
template <class T> struct Decided {
    std::optional<T> value;
    std::vector<Evidence> because; ///< for the value, the strongest first
    std::vector<Evidence> against; ///< weaker than `because`, if there is a value
    [[nodiscard]] explicit operator bool() const { return value.has_value(); }
    /// There is a value with evidence of at least this strength.
    [[nodiscard]] bool isAtLeast(Strength strength) const {
        return value && !because.empty() && because.front().strength >= strength;
    }
    /// The strongest evidence for the value is of this rule.
    [[nodiscard]] bool isBy(std::string_view id) const {
        return value && !because.empty() && because.front().id == id;
    }
    friend bool operator==(const Decided&, const Decided&) = default;
};

/// A statement and the value that it speaks for.
template <class T> struct Claim {
    T value;
    Evidence evidence;
};

/// The strongest claims decide. Equally strong claims of different values contradict each other,
/// and nothing is decided; weaker ones of another value are kept as what speaks against it. The
/// order of the claims has no influence on the value.
template <class T> Decided<T> decide(std::vector<Claim<T>> claims) {
    std::ranges::stable_sort(claims, [](const Claim<T>& left, const Claim<T>& right) {
        return left.evidence.strength > right.evidence.strength;
    });
    Decided<T> decided;
    for (Claim<T>& claim : claims) {
        const bool isFirst = !decided.value;
        if (isFirst) {
            decided.value = claim.value;
        }
        const bool isFor = isFirst || claim.value == *decided.value; // NaN is not equal to itself
        auto& side = isFor ? decided.because : decided.against;
        side.push_back(std::move(claim.evidence));
    }
    const bool contradicts = !decided.against.empty() &&
                             decided.against.front().strength == decided.because.front().strength;
    if (contradicts) {
        decided.value.reset();
        decided.against.insert(decided.against.begin(),
                               std::make_move_iterator(decided.because.begin()),
                               std::make_move_iterator(decided.because.end()));
        decided.because.clear();
    }
    return decided;
}

} // namespace cairn
