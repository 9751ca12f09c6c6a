// SPDX-License-Identifier: Apache-2.0
//
// Applying a recipe. Each name is given to the first rule that matches it. The tensors that one
// application of a rule joins are found by the numbers of their names, without those that a `stack`
// uses up. An application then makes a view of each source, joins them, and gives its targets.
#include "core/families/names/recipe.h"

#include "core/base/name_set.h"
#include "core/families/names/recipe_operation.h"
#include "core/families/names/view.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace cairn {
namespace {

using Op = Recipe::Op;
using Rule = Recipe::Rule;

/// A tensor that a rule takes for one of its sources.
struct Taken {
    std::size_t source = 0;
    std::int64_t stacked = 0; ///< the number that `stack` uses up
    TensorIndex tensor;
};

/// One application of a rule.
struct Application {
    const Rule* rule = nullptr;
    NameNumbers numbers;
    std::string rest; ///< what {*} stands for
    std::vector<Taken> taken;
};

const std::string* stackLetter(const Recipe::Source& source) {
    const auto op = std::ranges::find_if(source.ops, joinsNumbers, &Op::kind);
    return op == source.ops.end() ? nullptr : &op->letter;
}

/// The operation of a rule that adds tensors up; null: there is none.
const Op* sumOf(const Rule& rule) {
    const std::vector<Op>& ops = rule.sources.front().ops;
    return !ops.empty() && addsUp(ops.front().kind) ? &ops.front() : nullptr;
}

class Converter {
public:
    Converter(const CheckpointPtr& base, const Recipe& recipe, const ModelConfig& config)
        : m_base(base), m_recipe(recipe), m_fields(config, recipe) {
        const CheckpointData& stored = base->data();
        m_data.format = stored.format;
        m_data.framework = stored.framework;
        m_data.path = stored.path;
        m_data.files = stored.files;
        m_data.codecs = stored.codecs;
        m_data.digests = stored.digests;
        m_data.notices = stored.notices;
        m_data.completeness = stored.completeness;
        m_data.why = stored.why;
        m_data.worldSize = stored.worldSize;
        m_data.step = stored.step;
        m_data.epoch = stored.epoch;
    }

    Result<Converted> run(std::span<const NamedTensor> tensors) {
        CAIRN_CHECK(chooseRules());
        for (const NamedTensor& each : tensors) {
            m_names.emplace(each.tensor, each.name);
            CAIRN_CHECK(assign(each));
        }
        for (const Application& each : m_applications) {
            const std::size_t first = m_data.tensors.size();
            if (auto made = make(each); !made) {
                Error error = std::move(made).error();
                if (error.where.tensor.empty() && !each.taken.empty()) {
                    error.where.tensor = m_base->tensor(each.taken.front().tensor).name;
                }
                return error;
            }
            for (const Taken& taken : each.taken) {
                m_firsts.emplace(taken.tensor, first);
            }
        }
        renameNotices();
        linkAliases();
        CAIRN_CHECK(checkNames());
        m_made.checkpoint = Checkpoint::make(std::move(m_data));
        return std::move(m_made);
    }

private:
    /// The rules whose condition is met, or depends on the name.
    Result<void> chooseRules() {
        for (const Rule& rule : m_recipe.rules()) {
            const auto met = rule.when.evaluate(m_fields.config());
            const bool perName = !met && asksForNumber(rule, met.error());
            if (!met && !perName) {
                return met.error();
            }
            if (perName || *met != 0) {
                m_rules.push_back({&rule, perName});
            }
        }
        return {};
    }

    Result<void> assign(const NamedTensor& each) {
        if (m_recipe.dropsText(each.name)) {
            m_made.dropped.push_back(each.name);
            return {};
        }
        for (const auto& [rule, perName] : m_rules) {
            for (std::size_t i = 0; i < rule->sources.size(); ++i) {
                const auto numbers = rule->sources[i].name.match(each.name);
                if (!numbers) {
                    continue;
                }
                if (perName) {
                    m_fields.set(*numbers);
                    CAIRN_TRY(const std::int64_t met, rule->when.evaluate(m_fields.config()));
                    if (met == 0) {
                        continue;
                    }
                }
                take(*rule, i, *numbers, each);
                return {};
            }
        }
        m_made.kept.push_back(each.name);
        m_applications.push_back({nullptr, {}, {}, {{0, 0, each.tensor}}});
        return {};
    }

    void take(const Rule& rule, std::size_t source, NameNumbers numbers, const NamedTensor& each) {
        if (rule.targets.empty()) {
            m_made.dropped.push_back(each.name);
            return;
        }
        Taken taken{source, 0, each.tensor};
        if (const std::string* letter = stackLetter(rule.sources[source])) {
            const auto used = std::ranges::find(numbers, *letter, &NameNumbers::value_type::first);
            taken.stacked = used == numbers.end() ? 0 : used->second;
            if (used != numbers.end()) {
                numbers.erase(used);
            }
        }
        std::string rest(rule.sources[source].name.rest(each.name));
        const auto [place, fresh] =
            m_known.try_emplace({&rule, numbers, rest}, m_applications.size());
        if (fresh) {
            m_applications.push_back({&rule, std::move(numbers), std::move(rest), {}});
        }
        m_applications[place->second].taken.push_back(taken);
    }

    Result<void> make(const Application& each) {
        if (each.rule == nullptr) {
            const TensorIndex tensor = each.taken.front().tensor;
            m_wholes.emplace(tensor, m_data.tensors.size());
            return add(TensorView::of(*m_base, tensor), std::string(m_names.at(tensor)));
        }
        m_fields.set(each.numbers);
        if (const Op* sum = sumOf(*each.rule)) {
            return addUp(each, sum->kind == Op::Kind::Mean);
        }
        std::vector<TensorView> views;
        for (std::size_t i = 0; i < each.rule->sources.size(); ++i) {
            CAIRN_TRY(TensorView view, sourceView(each, i));
            views.push_back(std::move(view));
        }
        TensorView joined = views.front();
        if (views.size() > 1) {
            CAIRN_TRY(joined, TensorView::concat(views, each.rule->concat));
        }
        for (const Recipe::Source& target : each.rule->targets) {
            CAIRN_CHECK(give(joined, target, 0, each.numbers, each.rest));
        }
        return {};
    }

    /// The tensors that a source takes, in the order of the number that `stack` uses up.
    Result<std::vector<Taken>> membersOf(const Application& each, std::size_t source) {
        const Recipe::Source& wanted = each.rule->sources[source];
        std::vector<Taken> members;
        std::ranges::copy_if(each.taken, std::back_inserter(members),
                             [source](const Taken& taken) { return taken.source == source; });
        std::ranges::sort(members, {}, &Taken::stacked);
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (members[i].stacked != static_cast<std::int64_t>(i)) {
                return missing(each, wanted, static_cast<std::int64_t>(i));
            }
        }
        if (members.empty()) {
            return missing(each, wanted, 0);
        }
        return members;
    }

    /// Adds a sum's first part in its place, and what it is a sum of.
    Result<void> addUp(const Application& each, bool isMean) {
        CAIRN_TRY(const std::vector<Taken> members, membersOf(each, 0));
        const TensorEntry& first = m_base->tensor(members.front().tensor);
        SummedTensor sum{TensorIndex(m_data.tensors.size()), {}, isMean};
        for (const Taken& member : members) {
            const TensorEntry& part = m_base->tensor(member.tensor);
            if (part.shape != first.shape || part.dtype != first.dtype) {
                return fail(ErrorCode::BadSlice, "Tensors that are added up differ in shape or "
                                                 "dtype")
                    .inTensor(part.name)
                    .butFound(sentence("%1 %2", dtypeName(part.dtype), formatDims(part.shape)))
                    .expecting(sentence("%1 %2, as %3", dtypeName(first.dtype),
                                        formatDims(first.shape), first.name));
            }
            sum.parts.push_back(member.tensor);
        }
        if (sum.parts.size() > 1) {
            m_made.summed.push_back(std::move(sum));
        }
        return give(TensorView::of(*m_base, members.front().tensor), each.rule->targets.front(), 0,
                    each.numbers, each.rest);
    }

    Result<TensorView> sourceView(const Application& each, std::size_t source) {
        const Recipe::Source& wanted = each.rule->sources[source];
        CAIRN_TRY(const std::vector<Taken> members, membersOf(each, source));
        std::vector<TensorView> views;
        for (const Taken& member : members) {
            views.push_back(TensorView::of(*m_base, member.tensor));
        }
        for (const Op& op : wanted.ops) {
            if (op.kind == Op::Kind::Stack) {
                for (TensorView& view : views) {
                    CAIRN_TRY(view, view.insert(0));
                }
                CAIRN_TRY(TensorView stacked, TensorView::concat(views, 0));
                views.assign(1, std::move(stacked));
                continue;
            }
            for (TensorView& view : views) {
                CAIRN_TRY(view, applyOp(view, op, m_fields));
            }
        }
        if (views.size() > 1) {
            return fail(ErrorCode::DuplicateTensor, "Two tensors become one")
                .inTensor(m_base->tensor(members.back().tensor).name);
        }
        return std::move(views.front());
    }

    Error missing(const Application& each, const Recipe::Source& wanted, std::int64_t number) {
        NameNumbers numbers = each.numbers;
        if (const std::string* letter = stackLetter(wanted)) {
            numbers.emplace_back(*letter, number);
        }
        return fail(ErrorCode::NotFound, "A tensor is missing that is joined with another")
            .inTensor(m_base->tensor(each.taken.front().tensor).name)
            .expecting(verbatim(wanted.name.name(numbers, each.rest)))
            .withHint("`cairn-cli check` reports whether the checkpoint is complete");
    }

    /// Applies the target's operations from the n-th on, and adds what they give.
    Result<void> give(const TensorView& view, const Recipe::Source& target, std::size_t n,
                      const NameNumbers& numbers, const std::string& rest) {
        if (n == target.ops.size()) {
            if (view.isWhole()) {
                m_wholes.emplace(view.origin(), m_data.tensors.size());
            }
            return add(view, target.name.name(numbers, rest));
        }
        const Op& op = target.ops[n];
        if (op.kind != Op::Kind::Each) {
            CAIRN_TRY(const TensorView next, applyOp(view, op, m_fields));
            return give(next, target, n + 1, numbers, rest);
        }
        CAIRN_TRY(const std::int64_t dim, op.numbers.front().evaluate(m_fields.config()));
        const auto axis = static_cast<std::size_t>(dim);
        for (std::int64_t i = 0; axis < view.shape().size() && i < view.shape()[axis]; ++i) {
            CAIRN_TRY(const TensorView next, view.select(axis, i));
            NameNumbers own = numbers;
            own.emplace_back(op.letter, i);
            m_fields.set(own);
            CAIRN_CHECK(give(next, target, n + 1, own, rest));
        }
        return {};
    }

    Result<void> add(const TensorView& view, std::string name) {
        const bool sameName = m_names.at(view.origin()) == name;
        m_made.renamed += view.isWhole() && !sameName ? 1 : 0;
        m_made.rearranged += view.isWhole() ? 0 : 1;
        CAIRN_TRY(TensorEntry entry, view.entry(std::move(name), m_data, m_base));
        m_data.tensors.push_back(std::move(entry));
        return {};
    }

    /// What is known of a tensor holds for those that are made of it; the first stands for them.
    void renameNotices() {
        for (Notice& notice : m_data.notices) {
            std::string& name = notice.error.where.tensor;
            const auto stored = name.empty() ? std::nullopt : m_base->find(name);
            const auto first = stored ? m_firsts.find(*stored) : m_firsts.end();
            if (first != m_firsts.end() && first->second < m_data.tensors.size()) {
                name = m_data.tensors[first->second].name;
            }
        }
    }

    /// Tied tensors stay tied as far as both are there as they were.
    void linkAliases() {
        for (const auto& [stored, made] : m_wholes) {
            const auto& alias = m_base->tensor(stored).aliasOf;
            const auto other = alias ? m_wholes.find(*alias) : m_wholes.end();
            if (other != m_wholes.end() && other->second < made) {
                m_data.tensors[made].aliasOf = TensorIndex(other->second);
            }
        }
    }

    Result<void> checkNames() {
        NameSet names(m_data.tensors.size());
        for (const TensorEntry& tensor : m_data.tensors) {
            if (!names.insert(tensor.name)) {
                return fail(ErrorCode::DuplicateTensor,
                            "Two tensors get the same name from the conversion")
                    .inTensor(tensor.name)
                    .withHint("--names keep leaves the names as they are");
            }
        }
        return {};
    }

    const CheckpointPtr& m_base;
    const Recipe& m_recipe;
    RecipeFields m_fields;
    CheckpointData m_data;
    Converted m_made;
    struct ChosenRule {
        const Rule* rule;
        bool perName; ///< its condition depends on the numbers of a name
    };
    std::vector<ChosenRule> m_rules;
    std::vector<Application> m_applications; ///< in the order of their first tensors
    std::map<std::tuple<const Rule*, NameNumbers, std::string>, std::size_t> m_known;
    std::map<TensorIndex, std::string_view> m_names; ///< as the recipe knows them
    std::map<TensorIndex, std::size_t> m_wholes;     ///< position of what is not rearranged
    std::map<TensorIndex, std::size_t> m_firsts; ///< position of the first that is made of a tensor
};

} // namespace

bool asksForNumber(const Rule& rule, const Error& error) {
    const std::vector<std::string> letters = rule.sources.front().name.letters();
    return error.code == ErrorCode::NotFound &&
           std::ranges::find(letters, error.found.text()) != letters.end();
}

Result<Converted> convertTensors(const CheckpointPtr& base, std::span<const NamedTensor> tensors,
                                 const Recipe& recipe, const ModelConfig& config) {
    return Converter(base, recipe, config).run(tensors);
}

std::vector<NamedTensor> allTensors(const Checkpoint& checkpoint) {
    std::vector<NamedTensor> named;
    for (std::size_t i = 0; i < checkpoint.tensors().size(); ++i) {
        named.push_back({TensorIndex(i), checkpoint.tensors()[i].name});
    }
    return named;
}

} // namespace cairn
