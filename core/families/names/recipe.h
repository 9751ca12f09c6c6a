// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/config/expression.h"
#include "core/families/config/model_config.h"
#include "core/families/config/name_pattern.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// How the tensors of one framework become those of another, as text:
///
///     # a comment
///     let NAME = EXPRESSION            the first definition whose fields the config has counts
///     when EXPRESSION · always         the following rules apply only then; the expression may use
///                                      the numbers of a name: "when i >= first_k_dense_replace"
///     drop PATTERN                     not part of the other framework's tensors
///     drop *TEXT                       nor any name that contains the text
///     SOURCE | ops                     one or more sources, each a pattern with numbers {i}
///       + SOURCE | ops                 ... are joined
///       & concat DIM                   along a dimension
///       -> TARGET | ops                and give one or more tensors
///     SOURCE | ops -> TARGET | ops     the same in one line
///
/// (weight|bias) stands for a rule with the first word everywhere, and one with the second. The
/// operations, separated by `;`, are those of TensorView: split DIM EXTENTS…, merge DIM COUNT,
/// slice DIM FIRST COUNT, select DIM INDEX, swap DIM DIM, insert DIM; size DIM EXTENT fails unless
/// the dimension has that extent; `stack LETTER` in a source
/// makes one tensor of those that differ in that number, along a new first dimension; `sum LETTER`
/// and `mean LETTER`, alone in the only source of a rule, add their elements up; `each DIM
/// LETTER` in a target gives a tensor for each index of a dimension. Numbers are Expressions of the
/// config's fields, the definitions, the numbers of the name, and the extents d0, d1, … at that
/// point; they contain no spaces. The first rule that matches a name counts.
///
/// An immutable value; any thread.
class Recipe {
public:
    /// Fails with InvalidArgument, and where.offset as the line.
    static Result<Recipe> parse(std::string_view text);

    struct Rule;
    struct Op;
    struct Source;
    struct Definition;
    static Recipe of(std::vector<Rule> rules, std::vector<Definition> definitions);

    [[nodiscard]] std::span<const Rule> rules() const;
    [[nodiscard]] std::span<const Definition> definitions() const;
    [[nodiscard]] bool dropsText(std::string_view name) const; ///< by `drop *TEXT`
    /// Whether a rule applies to the name, whatever the config.
    [[nodiscard]] bool knows(std::string_view name) const;
    /// The config with the definitions whose fields it has.
    [[nodiscard]] ModelConfig withDefinitions(ModelConfig config) const;

private:
    struct Parsed;
    std::shared_ptr<const Parsed> m_parsed;
};

struct Recipe::Op {
    enum class Kind : std::uint8_t {
        Split,
        Merge,
        Slice,
        Select,
        Swap,
        Insert,
        Size,
        Stack,
        Sum,
        Mean,
        Each
    };
    Kind kind = Kind::Split;
    std::vector<Expression> numbers;
    std::string letter;
};

/// Whether an operation computes elements.
constexpr bool addsUp(Recipe::Op::Kind kind) {
    return kind == Recipe::Op::Kind::Sum || kind == Recipe::Op::Kind::Mean;
}

/// Whether an operation makes one tensor of those that differ in a number.
constexpr bool joinsNumbers(Recipe::Op::Kind kind) {
    return kind == Recipe::Op::Kind::Stack || addsUp(kind);
}

struct Recipe::Source {
    NamePattern name;
    std::vector<Op> ops;
};

struct Recipe::Rule {
    Expression when;
    std::vector<Source> sources;
    std::size_t concat = 0;      ///< dimension along which several sources are joined
    std::vector<Source> targets; ///< none: dropped
};

struct Recipe::Definition {
    std::string name;
    Expression value;
};

/// Whether a condition could not be evaluated because it depends on the numbers of a name.
bool asksForNumber(const Recipe::Rule& rule, const Error& error);

/// The tensors of a checkpoint by the names that a recipe knows.
struct NamedTensor {
    TensorIndex tensor;
    std::string name;
};

/// A tensor whose elements are sums of those of others of its shape and dtype, in their order; in
/// the converted checkpoint the first of them takes its place.
struct SummedTensor {
    TensorIndex tensor;             ///< of the converted checkpoint
    std::vector<TensorIndex> parts; ///< of the one before; two or more
    bool isMean = false;            ///< divided by the number of parts
};

/// A checkpoint with other names and layouts, over the same files.
struct Converted {
    CheckpointPtr checkpoint;
    std::size_t renamed = 0;          ///< tensors that only have a name other than the given one
    std::size_t rearranged = 0;       ///< tensors of the result that consist of other boxes
    std::vector<std::string> dropped; ///< as they were named
    std::vector<std::string> kept;    ///< for which no rule is there: under their names
    std::vector<SummedTensor> summed; ///< that remain to be computed
};

/// All tensors of a checkpoint by their stored names.
std::vector<NamedTensor> allTensors(const Checkpoint& checkpoint);

/// Applies a recipe to some tensors of a checkpoint; the others are left out of the result. No
/// element is read. Fails, and names the tensor: NotFound if the config lacks a field that a rule
/// needs or one of several joined tensors is missing; BadSlice if a shape contradicts the config;
/// DuplicateTensor if two tensors get one name; Unsupported for quantised elements that cannot be
/// rearranged.
Result<Converted> convertTensors(const CheckpointPtr& base, std::span<const NamedTensor> tensors,
                                 const Recipe& recipe, const ModelConfig& config);

} // namespace cairn
