// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/config/model_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {

/// The numbers in a name by the letters of a pattern: {"i", 3}, {"e", 7}.
using NameNumbers = std::vector<std::pair<std::string, std::int64_t>>;

/// Tensor names that differ by numbers: "model.layers.{i}.mlp.experts.{e}.gate_proj.weight". A
/// number is decimal without leading zeros; the same letter twice must be the same number. A final
/// {*} stands for any rest: "model.vision_tower.{*}"; in {i-2} the name has the number less 2. An
/// immutable value; any thread.
class NamePattern {
public:
    NamePattern() = default;
    explicit NamePattern(std::string_view text);

    /// The numbers of a name that the pattern describes completely.
    [[nodiscard]] std::optional<NameNumbers> match(std::string_view name) const;
    /// What {*} stands for in a name that matches; empty if the pattern has none.
    [[nodiscard]] std::string_view rest(std::string_view name) const;
    /// The name with these numbers and this rest; a letter without a number stays as it is.
    [[nodiscard]] std::string name(const NameNumbers& numbers, std::string_view rest = {}) const;
    [[nodiscard]] const std::string& text() const { return m_text; }
    /// Up to its first number: what all its names begin with.
    [[nodiscard]] std::string_view start() const {
        return m_literals.empty() ? std::string_view() : m_literals.front();
    }
    /// In order, each once.
    [[nodiscard]] std::vector<std::string> letters() const;

private:
    std::string m_text;
    std::vector<std::string> m_literals; ///< one more than m_letters; they alternate
    std::vector<std::string> m_letters;
    std::vector<std::int64_t> m_shifts; ///< of the number in the name, for each letter
    bool m_hasRest = false;             ///< the last literal is followed by {*}
};

} // namespace cairn
