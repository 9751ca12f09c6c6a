// SPDX-License-Identifier: Apache-2.0
#include "core/formats/ranks/plain_tensors.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace cairn::formats::ranks {
namespace {

constexpr std::size_t kMaxListed = 5;
constexpr auto kOwnWords =
    std::to_array<std::string_view>({"rng", "dataloader", "dataloaders", "sampler", "samplers"});
constexpr auto kOwnPairs = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"data", "loader"}, {"random", "state"}, {"random", "states"}});

} // namespace

bool isOfEachRank(std::string_view name, Role role) {
    if (role == Role::Rng || role == Role::TrainingState || role == Role::Scheduler) {
        return true;
    }
    if (names::isParameterName(name.substr(name.rfind('.') + 1))) {
        return false; // a module with that name
    }
    const std::vector<std::string> words = names::wordsOf(name);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view next = i + 1 < words.size() ? words[i + 1] : std::string_view();
        const bool pair = std::ranges::any_of(kOwnPairs, [&](const auto& each) {
            return each.first == words[i] && each.second == next;
        });
        if (pair || std::ranges::find(kOwnWords, words[i]) != kOwnWords.end()) {
            return true;
        }
    }
    return false;
}

bool PlainTensors::add(const std::string& name, PlainTensor own) {
    if (isModelRole(own.entry.role) && !isOfEachRank(name, own.entry.role)) {
        m_holders.insert(own.rank);
    }
    const auto [at, isNew] = m_named.try_emplace(name);
    Named& named = at->second;
    if (!isNew && named.apart == Apart::No && own.entry.role != Role::Rng) {
        const TensorEntry& first = named.owns.front().entry;
        const bool alike = first.dtype == own.entry.dtype && first.shape == own.entry.shape;
        const auto verdict =
            alike ? m_check.compare(first, own.entry) : ReplicaCheck::Verdict::Different;
        named.apart = verdict == ReplicaCheck::Verdict::Same          ? Apart::No
                      : !alike                                        ? Apart::Layout
                      : verdict == ReplicaCheck::Verdict::NotCompared ? Apart::NotCompared
                                                                      : Apart::Bytes;
        named.other = own.rank;
        m_weightsDiffer = m_weightsDiffer || (named.apart != Apart::No && isModelRole(first.role) &&
                                              !isOfEachRank(name, first.role));
    }
    named.owns.push_back(std::move(own));
    return isNew;
}

std::vector<PlainTensor> PlainTensors::take(const std::string& name, std::size_t ranks) {
    Named named = std::exchange(m_named.at(name), {});
    const TensorEntry& first = named.owns.front().entry;
    const bool all = named.owns.size() == ranks;
    if (named.apart == Apart::No && all && (m_single || first.role != Role::Rng)) {
        named.owns.resize(1);
        return std::move(named.owns);
    }
    const bool isOwn = first.role == Role::Rng || isOfEachRank(name, first.role);
    // One rank saves the model and the others only their own state, or each saves other tensors of
    // the model.
    const bool isSole = named.owns.size() == 1 && m_holders.size() == 1 &&
                        *m_holders.begin() == named.owns.front().rank;
    const bool isShard = named.apart == Apart::No && isModelRole(first.role) && !m_weightsDiffer;
    if (!isOwn && (isSole || isShard)) {
        named.owns.resize(1);
        return std::move(named.owns);
    }
    if (!isOfEachRank(name, first.role)) {
        if (named.apart != Apart::No) {
            m_notJoined.push_back({name, named.apart, named.owns.front().rank, named.other,
                                   first.role, first.shape.empty()});
        } else {
            (isModelRole(first.role) ? m_weightsOfSome : m_ofSome).push_back(name);
        }
    }
    for (PlainTensor& own : named.owns) {
        const std::string rank = "rank_" + std::to_string(own.rank) + ".";
        own.entry.name = rank + name;
        own.aliasOf = own.aliasOf.empty() ? own.aliasOf : rank + own.aliasOf;
    }
    return std::move(named.owns);
}

void PlainTensors::report(CheckpointData& data, const std::string& prefix) const {
    // Parts of the model come first, so that they are always listed: they are needed for
    // deployment.
    std::vector<NotJoined> notJoined = m_notJoined;
    std::ranges::stable_sort(notJoined, {}, [&](const NotJoined& each) {
        return each.scalar ? 2 : isModelRole(each.role) ? 0 : 1;
    });
    const auto cut = std::ranges::find(notJoined, false, &NotJoined::scalar);
    if (cut != notJoined.end()) { // tensors without dimensions were not cut
        const auto count = std::ranges::count(notJoined, false, &NotJoined::scalar);
        const Sentence others = count > 1 ? sentence(" and %1 more", count - 1) : Sentence();
        markIncomplete(data, sentence("Ranks have different tensors with the same name, and how to "
                                      "combine them is not recorded: %1%2%3",
                                      prefix, cut->name, others));
    }
    const std::size_t listed = std::min(notJoined.size(), kMaxListed);
    for (const NotJoined& each : std::span(notJoined).first(listed)) {
        const Sentence ranks = sentence("rank %1 and rank %2", each.other, each.first);
        addNotice(
            data, each.scalar ? Severity::Warning : Severity::Error,
            fail(ErrorCode::ShardsNotJoined,
                 each.apart == Apart::NotCompared
                     ? Sentence("Whether the ranks' tensors are copies or parts of one is not "
                                "recorded; each is shown under its rank's name")
                     : "The ranks have different plain tensors with this name, and how to "
                       "combine them is not recorded; each is shown under its rank's name")
                .inTensor(prefix + each.name)
                .butFound(each.apart == Apart::Layout  ? sentence("different shapes at %1", ranks)
                          : each.apart == Apart::Bytes ? sentence("different elements at %1", ranks)
                                                       : sentence("no checksums at %1", ranks))
                .expecting("DTensors, which record the position of their parts")
                .withHint("If they are slices of a model's tensors, name a folder with its "
                          "config.json by --like; else save DTensors instead of to_local(), or a "
                          "full state dict"));
    }
    if (!m_weightsOfSome.empty()) {
        markIncomplete(
            data,
            sentence(
                "Only some ranks have these weights, and how to combine them is not recorded: %1%2",
                prefix, m_weightsOfSome.front()));
        addNotice(
            data, Severity::Error,
            fail(ErrorCode::ShardsNotJoined,
                 "Several ranks have weights that others lack, and whether their names are those "
                 "of the complete model is not recorded; each is shown under its rank's name")
                .inTensor(prefix + m_weightsOfSome.front())
                .butFound(sentence("%1 tensors", m_weightsOfSome.size()))
                .expecting("DTensors, or one rank with all weights"));
    }
    if (!m_ofSome.empty()) {
        addNotice(data, Severity::Info,
                  fail(ErrorCode::ShardsNotJoined,
                       "Tensors that only some ranks have are shown under their ranks' names")
                      .inTensor(prefix + m_ofSome.front())
                      .butFound(sentence("%1 tensors", m_ofSome.size())));
    }
    if (m_check.sampled() > 0) {
        addNotice(data, Severity::Info,
                  fail(ErrorCode::ShardsNotJoined, "Large tensors without stored checksums were "
                                                   "identified as copies by samples of their data")
                      .butFound(sentence("%1 comparisons", m_check.sampled())));
    }
}

} // namespace cairn::formats::ranks
