// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/diff.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace cairn {
namespace {

class Matcher {
public:
    Matcher(const DiffSide& left, const DiffSide& right)
        : m_left(left), m_right(right), m_matchOfLeft(left.tensors.size()),
          m_rightTaken(right.tensors.size()) {}

    using Naming = std::function<std::string(std::string_view)>;

    /// Matches the remaining tensors of both sides under names made by the two functions.
    void match(const Naming& leftName, const Naming& rightName) {
        std::map<std::string, std::optional<std::size_t>> rights; // empty: the name is ambiguous
        for (std::size_t i = 0; i < m_right.tensors.size(); ++i) {
            if (!m_rightTaken[i]) {
                const auto [found, isNew] = rights.try_emplace(rightName(nameOf(m_right, i)), i);
                found->second = isNew ? found->second : std::nullopt;
            }
        }
        std::map<std::string, std::optional<std::size_t>> lefts;
        for (std::size_t i = 0; i < m_left.tensors.size(); ++i) {
            if (!m_matchOfLeft[i]) {
                const auto [found, isNew] = lefts.try_emplace(leftName(nameOf(m_left, i)), i);
                found->second = isNew ? found->second : std::nullopt;
            }
        }
        for (const auto& [name, left] : lefts) {
            const auto right = rights.find(name);
            if (left && right != rights.end() && right->second) {
                m_matchOfLeft[*left] = *right->second;
                m_rightTaken[*right->second] = true;
            }
        }
    }

    [[nodiscard]] StructureDiff result() const {
        StructureDiff diff;
        for (std::size_t i = 0; i < m_left.tensors.size(); ++i) {
            if (const auto& match = m_matchOfLeft[i]) {
                diff.pairs.push_back(pairOf(m_left.tensors[i], m_right.tensors[*match],
                                            nameOf(m_left, i) != nameOf(m_right, *match)));
            } else {
                diff.onlyLeft.push_back(m_left.tensors[i]);
            }
        }
        for (std::size_t i = 0; i < m_right.tensors.size(); ++i) {
            if (!m_rightTaken[i]) {
                diff.onlyRight.push_back(m_right.tensors[i]);
            }
        }
        return diff;
    }

private:
    static std::string_view nameOf(const DiffSide& side, std::size_t i) {
        std::string_view name = side.checkpoint->tensor(side.tensors[i]).name;
        if (!side.prefix.empty() && name.starts_with(side.prefix + ".")) {
            name.remove_prefix(side.prefix.size() + 1);
        }
        return name;
    }

    [[nodiscard]] TensorPair pairOf(TensorIndex left, TensorIndex right, bool renamed) const {
        const TensorEntry& l = m_left.checkpoint->tensor(left);
        const TensorEntry& r = m_right.checkpoint->tensor(right);
        return {left, right, renamed, l.dtype == r.dtype, l.shape == r.shape};
    }

    const DiffSide& m_left;
    const DiffSide& m_right;
    std::vector<std::optional<std::size_t>> m_matchOfLeft;
    std::vector<bool> m_rightTaken;
};

std::string asItIs(std::string_view name) {
    return std::string(name);
}

} // namespace

DiffSide DiffSide::whole(CheckpointPtr checkpoint) {
    DiffSide side{std::move(checkpoint), {}, {}};
    for (std::size_t i = 0; i < side.checkpoint->tensors().size(); ++i) {
        side.tensors.emplace_back(i);
    }
    return side;
}

StructureDiff structureDiff(const DiffSide& left, const DiffSide& right, const NameRules& rules) {
    Matcher matcher(left, right);
    if (!rules.empty()) { // first: rules may exchange names that both sides have
        matcher.match([&](std::string_view name) { return rules.apply(name); }, asItIs);
    }
    matcher.match(asItIs, asItIs);
    matcher.match(unwrappedName, unwrappedName);
    return matcher.result();
}

} // namespace cairn
