// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/glob.h"
#include "core/base/result.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// What a row contains in one column. Neither a number nor a text: the row has no value there. A
/// row may give both: 0.0003 and "3e-4". Integers are compared exactly: those of 64 bits with the
/// rest, longer ones by the text.
struct FilterCell {
    std::optional<double> number;
    std::string_view text;
    std::int16_t rest = 0; ///< of Number
};

/// A column that a condition may name.
struct FilterColumn {
    std::size_t id = 0; ///< passed to the function that gives a row's cells
    /// The text that the column's cells use for a typed value ("bf16": "bfloat16"); null: as typed.
    std::string (*canonical)(std::string_view value) = nullptr;
};

/// Selects rows of a table (tensors, runs) by what the user typed. One language for every list:
///
///   attn -bias               words that the row's name contains, or not; globs match from the
///                            beginning of a part of the name ("q_*.weight")
///   size > 100MB             column, operator, value; operators = == != < <= > >= and ~ (contains,
///                            or matches a glob), !~
///   dtype:bf16  role:a,b     column ~ one of these
///   seed in [1, 2]           column = one of these; "not in" for the others
///   lr < 1e-3 and (optimizer == adamw or not seed == 1)
///
/// Terms side by side must all match; `or` binds weaker than `and`. Quotes make anything a plain
/// value or word. Upper and lower case are equal. A condition on a row without a value in that
/// column does not match, whatever its operator. A value type; matches() may be called from any
/// thread.
class RowFilter {
public:
    /// Finds the column of a name; fails, with a hint, if there is none.
    using FindColumn = std::function<Result<FilterColumn>(std::string_view name)>;
    using CellOf = std::function<FilterCell(std::size_t column)>;

    /// Fails with InvalidArgument, naming the place in `text` (counted from 1), and as `find`. An
    /// empty text matches every row.
    static Result<RowFilter> parse(std::string_view text, const FindColumn& find);

    /// `name`: of the row, in lower case.
    [[nodiscard]] bool matches(std::string_view name, const CellOf& cellOf) const;

    [[nodiscard]] bool isEmpty() const { return m_nodes.empty(); }
    /// True if a condition names a column: without one, matches() does not call `cellOf`.
    [[nodiscard]] bool readsCells() const;

    /// The longest word that the name of every matching row contains; empty if there is none. One
    /// search for it over all names leaves few rows for matches().
    [[nodiscard]] std::string_view requiredWord() const;
    /// Nothing but requiredWord() is asked for.
    [[nodiscard]] bool isOneWord() const { return m_nodes.size() == 1 && !requiredWord().empty(); }
    /// Every row that this selects, `wider` selects too. True only where that is easily told: both
    /// are plain words, as while one is being typed.
    [[nodiscard]] bool narrows(const RowFilter& wider) const;

private:
    friend class RowFilterParser;
    enum class Kind : unsigned char { Word, Condition, And, Or, Not };
    enum class Op : unsigned char {
        Equal,
        Unequal,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        Like,
        Unlike
    };
    struct Node {
        Kind kind = Kind::Word;
        Op op = Op::Equal;
        std::size_t column = 0;
        std::string text; ///< lower case
        std::optional<Glob> glob;
        std::optional<double> number;
        std::int16_t rest = 0; ///< of Number
        std::size_t left = 0;  ///< operands: indices of nodes
        std::size_t right = 0;
    };
    [[nodiscard]] bool matches(const Node& node, std::string_view name, const CellOf& cellOf) const;
    [[nodiscard]] bool isPlainWords() const;
    static std::string lowered(std::string_view text);
    /// REQUIRES: both have a number.
    [[nodiscard]] static std::partial_ordering order(const FilterCell& cell, const Node& node);
    [[nodiscard]] static bool holds(const Node& node, const FilterCell& cell);

    std::vector<Node> m_nodes; ///< the last one is the root; operands precede their node
};

} // namespace cairn
