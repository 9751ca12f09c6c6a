// SPDX-License-Identifier: Apache-2.0
#include "core/runs/facts/facts_cache.h"

#include "core/base/stored_sentence.h"
#include "core/runs/facts/index_bytes.h"

#include <optional>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

void put(IndexWriter& out, const CheckpointFacts& facts) {
    out.put(facts.format);
    out.putOptional(facts.step);
    out.putOptional(facts.epoch);
    out.put(static_cast<std::uint8_t>(facts.vagueStep));
    out.put(static_cast<std::uint8_t>(facts.vagueEpoch));
    out.put(facts.stepField);
    out.put(facts.epochField);
    out.putOptional(facts.batches);
    out.put(facts.state);
    out.put(facts.reason.text());
    out.put(storedForm(facts.reason));
    out.put(static_cast<std::uint8_t>(facts.unfinished));
    out.put(facts.tensors);
    out.put(static_cast<std::uint8_t>(facts.noModel));
    out.put(static_cast<std::uint8_t>(facts.resumable));
    out.put(facts.roles);
    out.put(std::uint64_t{facts.metrics.size()});
    for (const auto& [name, value] : facts.metrics) {
        out.put(name);
        out.put(value);
    }
    out.put(static_cast<std::uint8_t>(facts.record.has_value()));
    const BestRecord record = facts.record.value_or(BestRecord());
    out.put(record.name);
    out.put(record.metric);
    out.putOptional(record.value);
    out.put(static_cast<std::uint8_t>(record.better));
}

CheckpointFacts getFacts(IndexReader& in) {
    CheckpointFacts facts;
    facts.format = in.getText();
    facts.step = in.getOptional<std::int64_t>();
    facts.epoch = in.getOptional<double>();
    facts.vagueStep = in.getBool();
    facts.vagueEpoch = in.getBool();
    facts.stepField = in.getText();
    facts.epochField = in.getText();
    facts.batches = in.getOptional<std::int64_t>();
    facts.state = static_cast<CheckpointState>(in.getBelow(5));
    const std::string reason = in.getText();
    facts.reason = restoredSentence(reason, in.getText());
    facts.unfinished = in.getBool();
    facts.tensors = in.get<std::uint64_t>();
    facts.noModel = in.getBool();
    facts.resumable = in.getBool();
    facts.roles = in.get<RoleBytes>();
    const std::size_t count = in.getCount(16);
    for (std::size_t i = 0; i < count && in.good(); ++i) {
        std::string name = in.getText();
        facts.metrics.emplace_back(std::move(name), in.get<double>());
    }
    const bool hasRecord = in.getBool();
    BestRecord record;
    record.name = in.getText();
    record.metric = in.getText();
    record.value = in.getOptional<double>();
    record.better = static_cast<names::Direction>(in.getBelow(3));
    if (hasRecord) {
        facts.record = std::move(record);
    }
    return facts;
}

/// Errors that may disappear although the files are unchanged: no permission, no memory.
bool isTransient(const CheckpointFacts& facts) {
    return facts.format.empty() && facts.state == CheckpointState::Unknown;
}

} // namespace

FactsCache::FactsCache(const IndexCache& cache, const fs::path& experiment)
    : m_cache(cache), m_experiment(experiment) {
    std::error_code error;
    const fs::path whole = fs::canonical(experiment, error);
    m_name = "facts with all fields:" + (error ? experiment : whole).string();
    load();
}

void FactsCache::load() {
    const auto bytes = m_cache.read(m_name);
    if (!bytes) {
        return;
    }
    IndexReader in(*bytes);
    std::map<std::string, Entry> known;
    const std::size_t count = in.getCount(64);
    for (std::size_t i = 0; i < count && in.good(); ++i) {
        std::string path = in.getText();
        Entry entry;
        entry.stamp = in.get<IndexStamp>();
        entry.facts = getFacts(in);
        known.emplace(std::move(path), std::move(entry));
    }
    if (in.whole()) {
        m_known = std::move(known);
    }
}

/// Relative to the experiment, which may be opened under several names.
std::string FactsCache::keyOf(const fs::path& checkpoint) const {
    const fs::path below = checkpoint.lexically_relative(m_experiment);
    return below.empty() ? checkpoint.string() : below.string();
}

Result<CheckpointFacts> FactsCache::examine(const ScannedCheckpoint& checkpoint,
                                            const CancelToken& cancel) {
    const std::string key = keyOf(checkpoint.path);
    Stamped now = stamped(checkpoint.path);
    const std::optional<IndexStamp> stamp = now.stamp;
    if (stamp) {
        const std::scoped_lock lock(m_mutex);
        const auto known = m_known.find(key);
        if (known != m_known.end() && known->second.stamp == *stamp) {
            m_seen[key] = known->second;
            ++m_hits;
            return known->second.facts;
        }
    }
    CAIRN_TRY(CheckpointFacts facts, examineCheckpoint(checkpoint.path, std::move(now), cancel));
    // What changed meanwhile has another stamp from then on, so that a complete one needs no second
    // look. A file that appeared and vanished again, or a write within one tick of the file
    // system's clock, may leave facts of damage under a stamp that comes back.
    const bool isWhole = facts.state == CheckpointState::Complete;
    if (stamp && !isTransient(facts) && (isWhole || stampOf(checkpoint.path) == stamp)) {
        const std::scoped_lock lock(m_mutex);
        m_seen[key] = {*stamp, facts};
        m_known[key] = {*stamp, facts};
        m_isNew = true;
    }
    return facts;
}

void FactsCache::save() {
    const std::scoped_lock lock(m_mutex);
    if (!m_isNew) {
        return;
    }
    IndexWriter out;
    out.put(std::uint64_t{m_seen.size()});
    for (const auto& [path, entry] : m_seen) {
        out.put(path);
        out.put(entry.stamp);
        put(out, entry.facts);
    }
    m_isNew = !m_cache.write(m_name, out.bytes());
}

std::size_t FactsCache::hits() const {
    const std::scoped_lock lock(m_mutex);
    return m_hits;
}

} // namespace cairn
