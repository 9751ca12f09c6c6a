// SPDX-License-Identifier: Apache-2.0
//
// A rule  S | s1; s2 -> T1 | t1; t2; … -> T2 | …  becomes
// T1 | undo t2; undo t1  + T2 | …  & concat DIM  -> S | undo s2; undo s1.
// Undoing a merge needs the extents before it. These are followed through the operations, as far
// as the config gives them; a slice or a selection is undone by the concatenation along its
// dimension.
#include "core/families/names/inverse.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace cairn {
namespace {

using Op = Recipe::Op;
using Rule = Recipe::Rule;

Expression constant(std::size_t number) {
    return Expression::parse(std::to_string(number)).value_or(Expression());
}

Op operation(Op::Kind kind, const std::vector<std::size_t>& numbers, std::string letter = {}) {
    Op op{kind, {}, std::move(letter)};
    std::ranges::transform(numbers, std::back_inserter(op.numbers), constant);
    return op;
}

Error lost(Sentence message) {
    return fail(ErrorCode::Unsupported, std::move(message));
}

/// The known extents of a tensor that has any number of dimensions.
class Extents {
public:
    std::optional<std::size_t>& at(std::size_t dim) {
        m_known.resize(std::max(m_known.size(), dim + 1));
        return m_known[dim];
    }
    void insert(std::size_t dim, std::optional<std::size_t> extent) {
        at(dim);
        m_known.insert(m_known.begin() + static_cast<std::ptrdiff_t>(dim), extent);
    }
    void erase(std::size_t dim) {
        at(dim);
        m_known.erase(m_known.begin() + static_cast<std::ptrdiff_t>(dim));
    }
    void swap(std::size_t a, std::size_t b) {
        at(std::max(a, b));
        std::swap(m_known[a], m_known[b]);
    }

private:
    std::vector<std::optional<std::size_t>> m_known;
};

/// A part of a dimension, of the tensor before the operations of a target.
struct Part {
    std::size_t dim = 0;
    std::size_t first = 0;
    std::size_t count = 0;
};

/// The operations of a source or a target, and what undoes them.
class Chain {
public:
    Chain(Extents extents, const ModelConfig& config)
        : m_extents(std::move(extents)), m_config(&config), m_axis(kMaxRank) {
        std::iota(m_axis.begin(), m_axis.end(), std::size_t{0});
    }

    Result<void> add(const Op& op) {
        std::vector<std::size_t> numbers;
        for (const Expression& each : op.numbers) {
            CAIRN_TRY(const std::int64_t number, each.evaluate(*m_config));
            if (number < 0) {
                return lost("A number of the rule is negative");
            }
            numbers.push_back(static_cast<std::size_t>(number));
        }
        if (!joinsNumbers(op.kind) && numbers.front() >= kMaxRank) {
            return lost("The rule names a dimension that no tensor has");
        }
        switch (op.kind) {
        case Op::Kind::Split:
        case Op::Kind::Merge:
        case Op::Kind::Insert:
            m_isPlain = false;
            return reshape(op.kind, numbers);
        case Op::Kind::Slice:
        case Op::Kind::Select:
            return cut(op.kind, numbers);
        default:
            return permute(op, numbers);
        }
    }

    Extents& extents() { return m_extents; }
    [[nodiscard]] const std::optional<Part>& part() const { return m_part; }
    [[nodiscard]] std::vector<Op> undone() const { return {m_undo.rbegin(), m_undo.rend()}; }

private:
    Result<void> reshape(Op::Kind kind, const std::vector<std::size_t>& numbers) {
        const std::size_t dim = numbers.front();
        if (kind == Op::Kind::Insert) {
            m_extents.insert(dim, 1);
            m_undo.push_back(operation(Op::Kind::Select, {dim, 0}));
            return {};
        }
        if (kind == Op::Kind::Split) {
            m_extents.erase(dim);
            for (std::size_t i = numbers.size(); i-- > 1;) {
                m_extents.insert(dim, numbers[i]);
            }
            m_undo.push_back(operation(Op::Kind::Merge, {dim, numbers.size() - 1}));
            return {};
        }
        std::vector<std::size_t> undo = {dim};
        std::size_t product = 1;
        for (std::size_t i = 0; i < numbers[1]; ++i) {
            const auto extent = m_extents.at(dim + i);
            if (!extent) {
                return lost("The config does not give the extents that the rule merges");
            }
            undo.push_back(*extent);
            product *= *extent;
        }
        for (std::size_t i = 0; i < numbers[1]; ++i) {
            m_extents.erase(dim);
        }
        m_extents.insert(dim, product);
        m_undo.push_back(operation(Op::Kind::Split, undo));
        return {};
    }

    Result<void> cut(Op::Kind kind, const std::vector<std::size_t>& numbers) {
        if (m_part || !m_isPlain) {
            return lost("The rule takes a part of a part, or of a merged tensor");
        }
        const std::size_t dim = numbers.front();
        const bool selects = kind == Op::Kind::Select;
        m_part = Part{m_axis[dim], numbers[1], selects ? 1 : numbers[2]};
        if (selects) {
            m_extents.erase(dim);
            m_undo.push_back(operation(Op::Kind::Insert, {dim}));
        } else {
            m_extents.at(dim) = numbers[2];
            m_undo.push_back(operation(Op::Kind::Size, {dim, numbers[2]}));
        }
        return {};
    }

    Result<void> permute(const Op& op, const std::vector<std::size_t>& numbers) {
        switch (op.kind) {
        case Op::Kind::Swap:
            if (numbers[1] >= kMaxRank) {
                return lost("The rule names a dimension that no tensor has");
            }
            m_extents.swap(numbers[0], numbers[1]);
            std::swap(m_axis[numbers[0]], m_axis[numbers[1]]);
            m_undo.push_back(operation(Op::Kind::Swap, numbers));
            return {};
        case Op::Kind::Size:
            m_extents.at(numbers[0]) = numbers[1];
            m_undo.push_back(operation(Op::Kind::Size, numbers));
            return {};
        case Op::Kind::Each:
            if (numbers.front() != 0) {
                return lost("The rule gives a tensor for each index of an inner dimension");
            }
            m_extents.erase(0);
            m_axis.erase(m_axis.begin());
            m_axis.push_back(kMaxRank);
            m_undo.push_back(operation(Op::Kind::Stack, {}, op.letter));
            return {};
        case Op::Kind::Stack:
            m_extents.insert(0, std::nullopt);
            m_isPlain = false;
            m_undo.push_back(operation(Op::Kind::Each, {0}, op.letter));
            return {};
        default:
            return lost("The rule has an operation that cannot be undone");
        }
    }

    Extents m_extents;
    const ModelConfig* m_config;
    std::vector<std::size_t> m_axis; ///< dimension before the operations, of each one now
    std::optional<Part> m_part;
    std::vector<Op> m_undo; ///< in the order of what they undo
    bool m_isPlain = true;  ///< dimensions are still those before the operations
};

/// The dimension along which the parts are joined. Fails if they leave anything out.
Result<std::size_t> checkParts(std::vector<Chain>& targets, Extents& whole) {
    if (targets.size() == 1 && !targets.front().part()) {
        return 0;
    }
    std::size_t end = 0;
    const std::size_t dim = targets.front().part() ? targets.front().part()->dim : 0;
    for (const Chain& each : targets) {
        const auto& part = each.part();
        if (!part || part->dim != dim || part->first != end) {
            return lost("The tensors that the rule gives are not all parts of one dimension, one "
                        "after the other");
        }
        end += part->count;
    }
    if (const auto extent = whole.at(dim); extent && *extent != end) {
        return lost("The tensors that the rule gives are not all of it");
    }
    return dim;
}

bool hasRest(const NamePattern& name) {
    return name.text().ends_with("{*}");
}

/// A source whose numbers all come from a target's name.
Result<void> checkNumbers(const Recipe::Source& source, const Recipe::Source& target) {
    const std::vector<std::string> known = target.name.letters();
    for (const std::string& letter : source.name.letters()) {
        if (std::ranges::find(known, letter) == known.end()) {
            return lost("The name that the rule gives lacks a number");
        }
    }
    return hasRest(source.name) == hasRest(target.name)
               ? Result<void>()
               : lost("The names that the rule takes do not follow from those that it gives");
}

Result<Rule> inverseOf(const Rule& rule, const ModelConfig& config) {
    if (rule.sources.size() != 1) {
        return lost("The rule joins several tensors");
    }
    const Recipe::Source& source = rule.sources.front();
    Chain taken({}, config);
    for (const Op& op : source.ops) {
        CAIRN_CHECK(taken.add(op));
    }
    if (taken.part()) {
        return lost("The rule leaves out a part of a tensor");
    }
    std::vector<std::pair<Chain, const Recipe::Source*>> chains;
    for (const Recipe::Source& target : rule.targets) {
        CAIRN_CHECK(checkNumbers(source, target));
        Chain chain(taken.extents(), config);
        for (const Op& op : target.ops) {
            CAIRN_CHECK(chain.add(op));
        }
        chains.emplace_back(std::move(chain), &target);
    }
    std::ranges::stable_sort(chains, {}, [](const auto& each) {
        return each.first.part() ? each.first.part()->first : 0;
    });
    Rule inverse;
    inverse.when = rule.when;
    std::vector<Chain> parts;
    for (auto& [chain, target] : chains) {
        inverse.sources.push_back({target->name, chain.undone()});
        parts.push_back(std::move(chain));
    }
    CAIRN_TRY(inverse.concat, checkParts(parts, taken.extents()));
    inverse.targets.push_back({source.name, taken.undone()});
    return inverse;
}

} // namespace

InverseRecipe invert(const Recipe& recipe, const ModelConfig& config) {
    const ModelConfig known = recipe.withDefinitions(config);
    InverseRecipe inverse;
    std::vector<Rule> rules;
    for (const Rule& rule : recipe.rules()) {
        const auto met = rule.when.evaluate(known);
        if (rule.targets.empty() || (met && *met == 0)) {
            continue;
        }
        auto undone = !met && !asksForNumber(rule, met.error()) ? Result<Rule>(met.error())
                                                                : inverseOf(rule, known);
        if (undone) {
            rules.push_back(std::move(*undone));
            continue;
        }
        for (const Recipe::Source& target : rule.targets) {
            inverse.lost.push_back({target.name, undone.error()});
        }
    }
    const auto definitions = recipe.definitions();
    inverse.recipe = Recipe::of(std::move(rules), {definitions.begin(), definitions.end()});
    return inverse;
}

const Error* InverseRecipe::whyLost(std::string_view name) const {
    const auto found = std::ranges::find_if(
        lost, [name](const Lost& each) { return each.target.match(name).has_value(); });
    return found == lost.end() ? nullptr : &found->why;
}

} // namespace cairn
