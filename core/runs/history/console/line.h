// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// One printed line of a training; see README.md.
namespace cairn::history::console {

struct PrintedNumber {
    std::string_view name; ///< into the line
    bool percent = false;  ///< the number in brackets after "memory: 10.2GiB(12.9%)"
    double value = 0;
};

enum class LineKind : std::uint8_t { Training, Validation, Test };

/// Reads lines; what next() gave lives until it is called again. One thread.
class LineParser {
public:
    /// False when the line is none that describes a step.
    bool parse(std::string_view line);

    [[nodiscard]] LineKind kind() const { return m_kind; }
    [[nodiscard]] double step() const { return m_step; }
    [[nodiscard]] const std::vector<PrintedNumber>& numbers() const { return m_numbers; }
    /// Seconds since 1970 of the time in front, as if it were UTC.
    [[nodiscard]] std::optional<double> wall() const { return m_wall; }
    [[nodiscard]] std::optional<unsigned> rank() const { return m_rank; }

private:
    bool parseBars(std::string_view line);
    bool parsePairs(std::string_view line);
    void addBar(std::string_view part);
    bool addPair(std::string_view text, std::size_t& at);
    void readFront(std::string_view front);

    std::string m_plain; ///< without escape sequences
    LineKind m_kind = LineKind::Training;
    double m_step = 0;
    std::vector<PrintedNumber> m_numbers;
    std::optional<double> m_wall;
    std::optional<unsigned> m_rank;
};

/// Seconds since 1970 of the first "2026-01-02 03:04:05" in the text, a fraction after "." or ",";
/// as if it were UTC.
std::optional<double> timeIn(std::string_view text);

/// What Megatron and torchtitan print when they start.
bool hasMarkOfTrainer(std::string_view text);

} // namespace cairn::history::console
