// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"
#include "core/base/number.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A line printed by a training script; see README.md.
namespace cairn::history::console {

struct PrintedNumber {
    std::string_view name; ///< into the line
    bool percent = false;  ///< the number in parentheses in "memory: 10.2GiB(12.9%)"
    Number value;
};

enum class LineKind : std::uint8_t {
    Training,
    Validation,
    Test,
    Row, ///< a printed dict: step and epoch, if any, are among its numbers
};

/// The step of a block of lines.
struct BlockStep {
    Number step;
    Strength strength = Strength::Recorded; ///< Named: tokens or samples
};

/// Parses lines; results of next() are valid until the next call. Not thread-safe.
class LineParser {
public:
    /// False if the line does not describe a step.
    bool parse(std::string_view line);

    [[nodiscard]] LineKind kind() const { return m_kind; }
    [[nodiscard]] const Number& step() const { return m_step; }
    [[nodiscard]] const std::vector<PrintedNumber>& numbers() const { return m_numbers; }
    /// As MetricSeries::stepsStrength.
    [[nodiscard]] Strength strength() const { return m_strength; }
    /// Of the names of a row's metrics: "valid" of "valid_loss"; empty: none.
    [[nodiscard]] std::string_view prefix() const { return m_prefix; }
    /// Seconds since 1970 of the time at the start of the line, interpreted as UTC.
    [[nodiscard]] std::optional<double> wall() const { return m_wall; }
    [[nodiscard]] std::optional<unsigned> rank() const { return m_rank; }

private:
    bool parseBars(std::string_view line);
    bool parsePairs(std::string_view line);
    bool parseForm(std::string_view line);
    bool parseDict(std::string_view line);
    bool parseFairseq(std::string_view line);
    bool parseBlock(std::string_view line);
    bool addEntry(std::string_view entry, std::string_view separator);
    bool takeStep(std::string_view front, const Number& step);
    void addBar(std::string_view part);
    void addNamed(std::string_view part);
    void addTight(std::string_view text);
    bool addPair(std::string_view text, std::size_t& at);
    void readFront(std::string_view front);

    std::string m_plain;              ///< without escape sequences
    std::optional<BlockStep> m_block; ///< the lines below "[step=10/100" have this step
    Strength m_strength = Strength::Recorded;
    LineKind m_kind = LineKind::Training;
    std::string_view m_prefix; ///< into the line
    Number m_step;
    std::vector<PrintedNumber> m_numbers;
    std::optional<double> m_wall;
    std::optional<unsigned> m_rank;
};

/// Whether the text contains the start messages of a trainer.
bool hasMarkOfTrainer(std::string_view text);

} // namespace cairn::history::console
