// SPDX-License-Identifier: Apache-2.0
//
// A shelf file: magic and version (8 bytes), length of the rest (u64), CRC-32 of the rest (u32),
// the shelf's name with its length, the content. The file's name is a digest of the shelf's, which
// begins with the version of Cairn; the name inside distinguishes two that should ever meet.
#include "core/runs/facts/index_cache.h"

#include "core/base/endian.h"
#include "core/base/stored_sentence.h"
#include "core/io/file_ops.h"
#include "core/io/folder.h"
#include "core/io/hash.h"
#include "core/io/user_folder.h"
#include "core/runs/facts/index_bytes.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <unistd.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "CAIRNIXB";
constexpr std::size_t kHead = 20;
constexpr std::string_view kEnding = ".index";
constexpr std::string_view kBegun = ".begun-";
const std::string kLimit = "limit"; ///< a file with a number of bytes in decimal digits
constexpr std::uint64_t kMostDigits = 20;
constexpr std::int64_t kAbandonedWriteNs = 3'600'000'000'000;

std::string nameOf(std::string_view shelf) {
    return std::string(CAIRN_VERSION " ") += shelf;
}

std::string fileNameOf(std::string_view shelf) {
    Sha256 hash;
    hash.add(asBytes(shelf));
    const Sha256Digest digest = hash.finish();
    return hexText(std::span(digest).first(16)) + std::string(kEnding);
}

/// Removes the oldest files beyond the limit, and incomplete ones left by a crash.
void makeRoom(FileOps& ops, const FileHandle& handle, const fs::path& path, std::uint64_t limit) {
    const auto folder = Folder::open(path);
    auto entries = entriesOf(folder);
    if (!entries) {
        return;
    }
    const std::int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count();
    std::uint64_t total = 0;
    for (const FolderEntry& entry : *entries) {
        total += entry.identity.size;
    }
    std::ranges::sort(*entries, {},
                      [](const FolderEntry& entry) { return entry.identity.mtimeNs; });
    for (const FolderEntry& entry : *entries) {
        const bool isShelf = entry.name.ends_with(kEnding);
        const bool abandoned =
            entry.name.starts_with(kBegun) && now - entry.identity.mtimeNs > kAbandonedWriteNs;
        if (entry.kind == EntryKind::File && (abandoned || (isShelf && total > limit)) &&
            ops.removeFile(handle, entry.name)) {
            total -= entry.identity.size;
        }
    }
}

Result<void> writeShelf(FileOps& ops, const FileHandle& folder, const std::string& name,
                        std::span<const std::byte> head, std::span<const std::byte> content) {
    static std::atomic<std::uint64_t> count{0};
    const std::string begun = std::string(kBegun) + std::to_string(::getpid()) + "-" +
                              std::to_string(count.fetch_add(1)) + "-" + name;
    CAIRN_TRY(FileHandle file, ops.createFile(folder, begun));
    auto done = ops.writeAt(file, 0, head);
    done = done ? ops.writeAt(file, head.size(), content) : done;
    done = done ? ops.close(std::move(file)) : done;
    if (done) {
        (void)ops.removeFile(folder, name); // may not exist
        done = ops.renameNoReplace(folder, begun, folder, name);
    }
    if (!done) {
        (void)ops.removeFile(folder, begun); // the first error is reported
    }
    return done;
}

void put(IndexWriter& out, const CheckpointFacts& facts) {
    out.put(facts.format);
    out.putOptional(facts.step);
    out.putOptional(facts.epoch);
    out.put(static_cast<std::uint8_t>(facts.vagueStep));
    out.put(static_cast<std::uint8_t>(facts.vagueEpoch));
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

IndexCache IndexCache::ofUser() {
    const char* wish = std::getenv("CAIRN_CACHE");
    if (wish != nullptr && std::string_view(wish) == "off") {
        return IndexCache({});
    }
    const fs::path cache = userFolder("XDG_CACHE_HOME", ".cache");
    return IndexCache(cache.empty() ? cache : cache / "index");
}

std::optional<std::vector<std::byte>> IndexCache::read(std::string_view called) const {
    const std::string shelf = nameOf(called);
    const auto folder = isOn() ? Folder::open(m_folder) : Result<FolderPtr>(Error());
    const auto source =
        folder ? (*folder)->openFile(fileNameOf(shelf)) : Result<ByteSourcePtr>(Error());
    if (!source || (*source)->size() < kHead || (*source)->size() > kMaxShelf + kHead + 65536) {
        return std::nullopt;
    }
    auto bytes = readRange(**source, {0, (*source)->size()});
    if (!bytes || asText(*bytes).substr(0, kMagic.size()) != kMagic ||
        loadLittle<std::uint64_t>(*bytes, 8) != bytes->size() - kHead) {
        return std::nullopt;
    }
    const std::span rest = std::span<const std::byte>(*bytes).subspan(kHead);
    if (loadLittle<std::uint32_t>(*bytes, 16) != crc32(0, rest)) {
        return std::nullopt;
    }
    IndexReader reader(rest);
    if (reader.getText() != shelf || !reader.good()) {
        return std::nullopt;
    }
    const std::size_t begin = kHead + 8 + shelf.size();
    bytes->erase(bytes->begin(), bytes->begin() + static_cast<std::ptrdiff_t>(begin));
    return std::move(*bytes);
}

bool IndexCache::write(std::string_view called, std::span<const std::byte> content) const {
    const std::string shelf = nameOf(called);
    const std::uint64_t most = limit();
    if (!isOn() || content.size() > std::min(kMaxShelf, most)) {
        return false;
    }
    IndexWriter name;
    name.put(shelf);
    std::vector<std::byte> head(kHead);
    std::ranges::copy(asBytes(kMagic), head.begin());
    storeLittle(std::span(head), 8, std::uint64_t{name.bytes().size() + content.size()});
    storeLittle(std::span(head), 16, crc32(crc32(0, name.bytes()), content));
    head.insert(head.end(), name.bytes().begin(), name.bytes().end());
    RealFileOps ops;
    const auto folder = openUserFolder(ops, m_folder);
    if (!folder || !writeShelf(ops, *folder, fileNameOf(shelf), head, content)) {
        return false;
    }
    makeRoom(ops, *folder, m_folder, most);
    return true;
}

std::uint64_t IndexCache::limit() const {
    const auto folder = isOn() ? Folder::open(m_folder) : Result<FolderPtr>(Error());
    const auto source = folder ? (*folder)->openFile(kLimit) : Result<ByteSourcePtr>(Error());
    if (!source || (*source)->size() > kMostDigits) {
        return kMaxFolder;
    }
    const auto bytes = readRange(**source, {0, (*source)->size()});
    std::uint64_t limit = 0;
    const std::string_view text = bytes ? asText(*bytes) : std::string_view();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
    return error == std::errc() && end == text.data() + text.size() ? limit : kMaxFolder;
}

bool IndexCache::setLimit(std::uint64_t bytes) const {
    RealFileOps ops;
    const auto folder = isOn() ? openUserFolder(ops, m_folder) : Result<FileHandle>(Error());
    const std::string text = std::to_string(bytes);
    if (!folder || !writeShelf(ops, *folder, kLimit, {}, asBytes(text))) {
        return false;
    }
    makeRoom(ops, *folder, m_folder, bytes);
    return true;
}

std::uint64_t IndexCache::used() const {
    const auto folder = isOn() ? Folder::open(m_folder) : Result<FolderPtr>(Error());
    const auto entries = entriesOf(folder);
    std::uint64_t total = 0;
    for (const FolderEntry& entry : entries ? *entries : std::vector<FolderEntry>()) {
        total += entry.name.ends_with(kEnding) ? entry.identity.size : 0;
    }
    return total;
}

void IndexCache::clear() const {
    RealFileOps ops;
    if (isOn() && Folder::open(m_folder)) { // is not created here
        if (const auto folder = openUserFolder(ops, m_folder)) {
            makeRoom(ops, *folder, m_folder, 0);
        }
    }
}

FactsShelf::FactsShelf(const IndexCache& cache, const fs::path& experiment)
    : m_cache(cache), m_experiment(experiment) {
    std::error_code error;
    const fs::path whole = fs::canonical(experiment, error);
    m_name = "facts with sentences:" + (error ? experiment : whole).string();
    load();
}

void FactsShelf::load() {
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
std::string FactsShelf::keyOf(const fs::path& checkpoint) const {
    const fs::path below = checkpoint.lexically_relative(m_experiment);
    return below.empty() ? checkpoint.string() : below.string();
}

Result<CheckpointFacts> FactsShelf::examine(const ScannedCheckpoint& checkpoint,
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
    if (stamp && !isTransient(facts) && stampOf(checkpoint.path) == stamp) {
        const std::scoped_lock lock(m_mutex);
        m_seen[key] = {*stamp, facts};
        m_known[key] = {*stamp, facts};
        m_isNew = true;
    }
    return facts;
}

void FactsShelf::save() {
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

std::size_t FactsShelf::hits() const {
    const std::scoped_lock lock(m_mutex);
    return m_hits;
}

} // namespace cairn
