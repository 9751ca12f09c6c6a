// SPDX-License-Identifier: Apache-2.0
#include "core/plan/output_tensors.h"

#include "core/model/names/tied_names.h"
#include "core/plan/plan_problems.h"
#include "core/plan/shared_ranges.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

namespace cairn {
namespace {

/// The renamed tensors, and the problems of renaming.
class Renaming {
public:
    Renaming(Draft& draft, const NamePlan& names) : m_draft(draft), m_names(names) {}

    std::string_view nameOf(const TensorEntry& entry) {
        const auto stored = std::string_view(entry.name).substr(m_names.prefix.size());
        if (m_names.rename == nullptr || m_names.rename->empty()) {
            return stored;
        }
        const std::string plain(stored);
        const std::string& name = m_made.emplace_back(m_names.rename->apply(plain));
        if (name != plain) {
            ++m_renamed;
            if (m_examples.size() < 3) {
                m_examples.push_back(plain + " → " + name);
            }
        }
        if (name.empty() && ++m_empty <= kMaxProblems) {
            addProblem(m_draft, ErrorCode::NameNotRepresentable, Severity::Error,
                       sentence("The rules produce an empty name for %1", plain),
                       "Change the rules", entry.name);
        }
        return name;
    }

    /// Reports two tensors with the same name, of which one would be lost.
    void remember(std::string_view name, const TensorEntry& entry) {
        if (m_names.rename == nullptr || m_names.rename->empty()) {
            return; // names in a checkpoint are unique, and all lose the same prefix
        }
        const auto [place, isNew] = m_owners.emplace(name, &entry);
        if (isNew || ++m_collisions > kMaxProblems) {
            return;
        }
        addProblem(m_draft, ErrorCode::DuplicateTensor, Severity::Error,
                   sentence("%1 and %2 would both be renamed to %3", place->second->name,
                            entry.name, name),
                   "Change the rules so that all names stay distinct", entry.name);
    }

    void finish() {
        m_draft.plan.names = std::make_shared<const std::deque<std::string>>(std::move(m_made));
        if (m_collisions > kMaxProblems) {
            m_draft.plan.problems.back().message =
                sentence("%1%2", m_draft.plan.problems.back().message,
                         sentence(" (and %1 more)", m_collisions - kMaxProblems));
        }
        if (m_names.rename == nullptr || m_names.rename->empty()) {
            return;
        }
        decide(m_draft, DecisionId::Renamed,
               sentence("%1 of %2 tensors%3%4", m_renamed, m_draft.chosen.size(),
                        m_examples.empty() ? "" : sentence(": %1", someOf(m_examples)),
                        m_renamed > m_examples.size() ? Sentence(", …") : ""),
               sentence("The rules %1", m_names.rules));
        reportUnusedRules();
    }

private:
    void reportUnusedRules() {
        std::vector<std::string_view> plain;
        for (const TensorIndex index : m_draft.chosen) {
            const std::string_view name = m_draft.plan.source->tensor(index).name;
            plain.push_back(name.substr(m_names.prefix.size()));
        }
        for (const std::string& rule : m_names.rename->unused(plain)) {
            addProblem(m_draft, ErrorCode::InvalidArgument, Severity::Warning,
                       sentence("The rule %1 changes no name", rule),
                       "FROM is a prefix of a name; re:FROM=TO matches anywhere in it");
        }
    }

    Draft& m_draft;
    const NamePlan& m_names;
    std::deque<std::string> m_made; ///< names that differ from the source's
    std::unordered_map<std::string_view, const TensorEntry*> m_owners;
    std::vector<std::string> m_examples;
    std::size_t m_renamed = 0;
    std::size_t m_collisions = 0;
    std::size_t m_empty = 0;
};

/// Loaders find the scales of a weight by its name, so that rules must rename both alike.
void reportSeparatedScales(Draft& draft, const NamePlan& names) {
    if (names.rename == nullptr || names.rename->empty()) {
        return;
    }
    const Checkpoint& source = *draft.plan.source;
    std::map<TensorIndex, std::string_view> written;
    for (const LayoutTensor& tensor : draft.tensors) {
        written.emplace(tensor.source, tensor.name);
    }
    for (const LayoutTensor& tensor : draft.tensors) {
        const std::string_view stored = source.tensor(tensor.source).name;
        for (const std::string_view suffix : {"_scale_inv", "_scale"}) {
            if (!stored.ends_with(suffix)) {
                continue;
            }
            const auto weight = source.find(stored.substr(0, stored.size() - suffix.size()));
            const auto kept = weight ? written.find(*weight) : written.end();
            if (kept != written.end() &&
                tensor.name != std::string(kept->second) + std::string(suffix)) {
                addProblem(draft, ErrorCode::InvalidArgument, Severity::Warning,
                           sentence("The rules separate a weight from its scales: %1 and %2",
                                    kept->second, tensor.name),
                           "Change the rules so that the name of the scales still begins with that "
                           "of the weight; loaders do not find them otherwise",
                           std::string(stored));
                return;
            }
        }
    }
}

void decideTied(Draft& draft, const NamePlan& names, std::size_t tied,
                const std::vector<std::string>& dropped) {
    if (!dropped.empty()) {
        decide(draft, DecisionId::TiedLeftOut,
               sentence("written once; left out: %1", someOf(dropped)),
               "The format cannot store shared data; the metadata maps the left-out names to the "
               "written ones, and models tie them again");
    } else if (tied > 0) {
        decide(draft, names.sharesBytes ? DecisionId::TiedShared : DecisionId::TiedRepeated,
               names.sharesBytes ? "shared" : sentence("written %1 more times", tied),
               names.sharesBytes ? Sentence("The format can store several names for one tensor")
                                 : "Every name was requested");
    }
}

} // namespace

void listTensors(Draft& draft, const NamePlan& names) {
    const Checkpoint& source = *draft.plan.source;
    Renaming renaming(draft, names);
    constexpr std::size_t kNowhere = ~std::size_t{0};
    std::vector<std::size_t> placeOf(source.tensors().size(), kNowhere); // in draft.tensors
    std::vector<std::string> dropped;
    std::size_t tied = 0;
    bool unclear = false; // a tie that cannot be distinguished from other text
    draft.tensors.reserve(draft.chosen.size());
    for (std::size_t i = 0; i < draft.chosen.size(); ++i) {
        const TensorIndex index = draft.chosen[i];
        const TensorEntry& entry = source.tensor(index);
        LayoutTensor tensor{index, renaming.nameOf(entry),
                            draft.dtypes.empty() ? entry.dtype : draft.dtypes[i], entry.shape};
        tensor.origin = originOf(draft.plan, index, tensor.dtype);
        renaming.remember(tensor.name, entry);
        std::size_t& place = placeOf[entry.aliasOf.value_or(index).position()];
        const std::size_t first = place;
        if (first != kNowhere) {
            ++tied;
            if (!names.sharesBytes && !names.copies) {
                const std::string_view kept = draft.tensors[first].name;
                unclear = unclear || !cairn::names::areParameterNames(tensor.name, kept);
                draft.metadata.emplace_back(tensor.name, kept);
                dropped.emplace_back(tensor.name);
                continue;
            }
            tensor.aliasOf = names.sharesBytes ? std::optional(first) : std::nullopt;
        }
        place = std::min(place, draft.tensors.size());
        draft.tensors.push_back(std::move(tensor));
    }
    if (unclear) {
        draft.metadata.emplace_back(cairn::names::kTiesMark, "all");
    }
    renaming.finish();
    reportSeparatedScales(draft, names);
    decideTied(draft, names, tied, dropped);
}

std::vector<TiedTensor> leaveOutTied(Draft& draft, const std::vector<TiedTensor>& tied,
                                     bool sharesBytes) {
    std::vector<TiedTensor> omitted;
    const auto root = [&](TensorIndex index) {
        return draft.plan.source->tensor(index).aliasOf.value_or(index);
    };
    std::ranges::copy_if(tied, std::back_inserter(omitted), [&](const TiedTensor& each) {
        const bool isShared = sharesBytes && root(each.tensor) == root(each.kept);
        return !isShared && std::erase(draft.chosen, each.tensor) > 0;
    });
    return omitted;
}

void decideOmitted(Draft& draft, const std::vector<TiedTensor>& omitted, const NamePlan& names) {
    const auto nameOf = [&](TensorIndex index) {
        return names.rename->apply(
            draft.plan.source->tensor(index).name.substr(names.prefix.size()));
    };
    std::set<std::string, std::less<>> taken;
    for (const LayoutTensor& tensor : draft.tensors) {
        taken.emplace(tensor.name);
    }
    std::vector<std::string> dropped;
    for (const TiedTensor& each : omitted) {
        dropped.push_back(nameOf(each.tensor));
        draft.metadata.emplace_back(dropped.back(), nameOf(each.kept));
        if (!taken.insert(dropped.back()).second) {
            const std::string& stored = draft.plan.source->tensor(each.tensor).name;
            addProblem(draft, ErrorCode::DuplicateTensor, Severity::Error,
                       sentence("%1 and another tensor would both be renamed to %2", stored,
                                dropped.back()),
                       "Change the rules so that all names stay distinct", stored);
        }
    }
    if (!dropped.empty()) {
        decide(draft, DecisionId::TiedLeftOut,
               sentence("written once; left out: %1", someOf(dropped)),
               "The config ties them to tensors with the same bytes; the metadata names these, and "
               "the model ties them again");
    }
}

} // namespace cairn
