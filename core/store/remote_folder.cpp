// SPDX-License-Identifier: Apache-2.0
#include "core/store/remote_folder.h"

#include "core/io/system_error.h"
#include "core/store/remote_source.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <unistd.h>
#include <utility>

namespace cairn::store {
namespace {

using Clock = std::chrono::steady_clock;

/// How long entries are used without asking again: opening a checkpoint asks for one many times.
constexpr auto kFresh = std::chrono::seconds(5);
constexpr std::size_t kMostListed = Folder::kMostEntries;
/// Of one answer: the far end sends ahead 1 MiB of up to 4096 files.
constexpr std::size_t kMostAhead = std::size_t{4} << 20U;
constexpr std::size_t kAheadCost = 256; ///< memory for one part, in addition to its bytes
constexpr std::size_t kMostAheadNames = std::size_t{32} << 20U; ///< of folders above those files

using ListedEntries = std::vector<ListedEntry>;
using ListedPtr = std::shared_ptr<const ListedEntries>;

/// What is known of the folders beneath one that was opened. Any thread. Nothing in a forked child:
/// a thread that it does not have may hold the lock.
class KnownTree {
public:
    explicit KnownTree(HostPtr host) : m_host(std::move(host)) {}

    /// `changes`: of the host, before it was asked.
    void put(const std::string& inner, ListedEntries entries, std::uint64_t changes) {
        if (m_process != ::getpid()) {
            return;
        }
        const std::lock_guard guard(m_lock);
        m_lists[inner] = {std::make_shared<const ListedEntries>(std::move(entries)), Clock::now(),
                          changes};
    }
    /// Null: unknown, or too old.
    ListedPtr get(const std::string& inner) const {
        if (m_process != ::getpid()) {
            return nullptr;
        }
        const std::lock_guard guard(m_lock);
        const auto at = m_lists.find(inner);
        const bool isFresh = at != m_lists.end() && Clock::now() - at->second.at < kFresh &&
                             at->second.changes == m_host->changes();
        return isFresh ? at->second.entries : nullptr;
    }

private:
    struct List {
        ListedPtr entries;
        Clock::time_point at;
        std::uint64_t changes = 0;
    };
    const HostPtr m_host;
    const pid_t m_process = ::getpid();
    mutable std::mutex m_lock;
    std::map<std::string, List> m_lists;
};

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : "/") + name;
    }
    return text;
}

/// Collects the listings of one answer. Fails for more than any folder has.
class ListingCollector {
public:
    explicit ListingCollector(const Host& host) : m_host(host) {}

    void begin() {
        m_lists.clear();
        m_ended.clear();
        m_count = 0;
    }

    Result<void> add(const Frame& frame) {
        if (frame.kind != FrameKind::Listing) {
            return fail(ErrorCode::Io, "The host sent an invalid answer");
        }
        CAIRN_TRY(ListingPart part, decodeListing(frame.payload));
        std::string inner = joined(part.inner);
        // Each part has something to say: there is an end to them.
        if (m_ended.contains(inner) || (part.entries.empty() && !part.last)) {
            return fail(ErrorCode::Io, "The host sent more than was asked for");
        }
        if (part.last) {
            m_ended.insert(inner);
        }
        auto& list = m_lists[std::move(inner)];
        if (m_lists.size() > kMaxListedFolders) {
            return fail(ErrorCode::Io, "The host sent more than was asked for");
        }
        m_count += part.entries.size();
        if (m_count > kMostListed) {
            return fail(ErrorCode::LimitExceeded, "The folder has too many entries")
                .inFile(m_host.name().account())
                .expecting(sentence("at most %1", kMostListed));
        }
        for (ListedEntry& each : part.entries) {
            each.entry.identity = m_host.identityHere(each.entry.identity);
            if (each.file) {
                each.file = m_host.identityHere(*each.file);
            }
        }
        list.insert(list.end(), std::make_move_iterator(part.entries.begin()),
                    std::make_move_iterator(part.entries.end()));
        return {};
    }

    std::map<std::string, ListedEntries>& lists() { return m_lists; }

private:
    const Host& m_host;
    std::map<std::string, ListedEntries> m_lists;
    std::set<std::string> m_ended; ///< whose last part was there
    std::size_t m_count = 0;
};

class RemoteFolder final : public Folder {
public:
    RemoteFolder(HostPtr host, FolderRef ref, std::filesystem::path path,
                 std::shared_ptr<KnownTree> known, std::string inner)
        : Folder(std::move(path)), m_host(std::move(host)), m_ref(std::move(ref)),
          m_known(std::move(known)), m_inner(std::move(inner)) {}

    Result<ByteSourcePtr> openFile(std::string_view relative) const override {
        const FileRef file{m_ref, std::string(relative)};
        const std::string name = (path() / relative).string();
        CAIRN_CHECK(checkName(relative));
        const LookedUp found = lookUp(relative);
        if (found.entry && found.entry->file) {
            return makeRemoteSource(m_host, file, *found.entry->file, name);
        }
        if (found.missing != 0) {
            return systemError(found.missing, "Cannot open the file").inFile(name);
        }
        CAIRN_TRY(const FileIdentity now, statRemote(*m_host, file));
        return makeRemoteSource(m_host, file, now, name);
    }

    Result<FolderPtr> openFolder(std::string_view relative) const override {
        CAIRN_CHECK(checkName(relative));
        FolderRef ref = m_ref;
        ref.inner.emplace_back(relative);
        const LookedUp found = lookUp(relative);
        if (found.missing != 0 || (found.entry && found.entry->entry.kind == EntryKind::File)) {
            return systemError(found.missing != 0 ? found.missing : ENOTDIR, "Cannot open the file")
                .inFile((path() / relative).string());
        }
        if (const auto inside = knownFolder(relative)) {
            return FolderPtr(std::make_shared<const RemoteFolder>(
                m_host, std::move(ref), path() / relative, m_known, *inside));
        }
        auto folder = std::make_shared<const RemoteFolder>(
            m_host, std::move(ref), path() / relative, std::make_shared<KnownTree>(m_host), "");
        CAIRN_CHECK(folder->refresh());
        return FolderPtr(std::move(folder));
    }

    Result<std::vector<FolderEntry>> list(std::size_t limit) const override {
        ListedPtr known = m_known->get(m_inner);
        if (known == nullptr) {
            CAIRN_TRY(known, refresh());
        }
        if (known->size() > limit) {
            return fail(ErrorCode::LimitExceeded, "The folder has too many entries")
                .inFile(path().string())
                .expecting(sentence("at most %1", limit));
        }
        std::vector<FolderEntry> entries;
        entries.reserve(known->size());
        std::ranges::transform(*known, std::back_inserter(entries), &ListedEntry::entry);
        return entries;
    }

    bool hasFile(std::string_view relative) const override {
        if (!checkName(relative)) {
            return false;
        }
        const LookedUp found = lookUp(relative);
        if (found.missing != 0 || found.entry) {
            return found.entry && found.entry->file;
        }
        return statRemote(*m_host, {m_ref, std::string(relative)}).has_value();
    }

    Result<ListedPtr> refresh() const {
        WireWriter request;
        putFolder(request, m_ref);
        ListingCollector lists(*m_host);
        const std::uint64_t changes = m_host->changes();
        CAIRN_CHECK(m_host->request(
            FrameKind::List, request.bytes(),
            {[&](const Frame& frame) { return lists.add(frame); }, [&] { lists.begin(); }}));
        ListedEntries entries = std::move(lists.lists()[""]);
        sortNaturally(entries);
        auto made = std::make_shared<const ListedEntries>(entries);
        m_known->put(m_inner, std::move(entries), changes);
        return made;
    }

    static void sortNaturally(ListedEntries& entries) {
        std::ranges::sort(entries, [](const ListedEntry& a, const ListedEntry& b) {
            return naturalLess(a.entry.name, b.entry.name);
        });
    }

    std::optional<RemotePlace> placeBelow(std::string_view relative) const {
        const LookedUp found = lookUp(relative);
        const bool isFile =
            found.entry && found.entry->file && found.entry->entry.kind == EntryKind::File;
        if (isFile && relative.find('/') == std::string_view::npos) {
            return RemotePlace{
                std::make_shared<const RemoteFolder>(m_host, m_ref, path(), m_known, m_inner),
                std::string(relative)};
        }
        const std::string_view above = relative.substr(0, relative.rfind('/'));
        if (!isFile && !knownFolder(relative)) {
            return std::nullopt;
        }
        auto folder = openFolder(isFile ? above : relative); // from what is known
        return folder ? std::optional(RemotePlace{
                            std::move(*folder),
                            isFile ? std::string(relative.substr(above.size() + 1)) : ""})
                      : std::nullopt;
    }

private:
    /// What the listings say of a name: an entry, or the errno of opening it; neither if a link or
    /// an unlisted folder is on the way.
    struct LookedUp {
        int missing = 0;
        std::optional<ListedEntry> entry;
        std::string inner; ///< its place in the tree
    };

    LookedUp lookUp(std::string_view relative) const {
        std::string inner = m_inner;
        while (true) {
            const std::size_t slash = relative.find('/');
            const std::string_view name = relative.substr(0, slash);
            const ListedPtr list = m_known->get(inner);
            if (list == nullptr || !isEntryName(name)) {
                return {};
            }
            const auto at = std::ranges::lower_bound(
                *list, name, naturalLess,
                [](const ListedEntry& each) -> std::string_view { return each.entry.name; });
            if (at == list->end() || at->entry.name != name) {
                return {ENOENT, std::nullopt, {}};
            }
            inner += (inner.empty() ? "" : "/") + std::string(name);
            if (slash == std::string_view::npos) {
                return {0, *at, inner};
            }
            if (at->entry.kind != EntryKind::Folder) {
                return {at->entry.kind == EntryKind::Link ? 0 : ENOTDIR, std::nullopt, {}};
            }
            relative.remove_prefix(slash + 1);
        }
    }

    std::optional<std::string> knownFolder(std::string_view relative) const {
        const LookedUp found = lookUp(relative);
        const bool listed = found.entry && found.entry->entry.kind == EntryKind::Folder &&
                            m_known->get(found.inner) != nullptr;
        return listed ? std::optional(found.inner) : std::nullopt;
    }

    Result<void> checkName(std::string_view relative) const {
        if (relative.empty() || relative.find('\0') != std::string_view::npos) {
            return fail(ErrorCode::OutsideFolder, "Not a file name")
                .inFile((path() / relative).string());
        }
        return {};
    }

    HostPtr m_host;
    FolderRef m_ref;
    std::shared_ptr<KnownTree> m_known;
    std::string m_inner; ///< the place of this folder in m_known
};

} // namespace

namespace {

/// Keeps what was sent ahead, and notes which files there are: of those nothing is sent the next
/// time, as long as they are the same. Of some of them nothing was sent this time either, or it is
/// no longer on the disk: what is read of them then costs a request.
void keepAhead(Host& host, const std::string& path, const std::string& root,
               std::vector<AheadBytes> sent, const std::map<std::string, ListedEntries>& lists,
               std::vector<std::uint64_t> before, std::int64_t asked) {
    for (AheadBytes& each : sent) {
        const FileRef file{{root, std::move(each.inner)}, std::move(each.name)};
        host.keep(file, host.identityHere(each.identity), each.offset, std::move(each.bytes),
                  asked);
    }
    if (!host.blocks().isOn()) {
        return;
    }
    std::set<std::uint64_t> tags;
    for (const auto& [inner, entries] : lists) {
        for (const ListedEntry& each : entries) {
            const auto there =
                each.file ? std::optional(host.identityThere(*each.file)) : std::nullopt;
            if (there && tags.size() < kMaxKnownTags && Host::isSettled(*there, asked)) {
                tags.insert(identityTag(*there));
            }
        }
    }
    std::ranges::sort(before);
    if (!std::ranges::equal(tags, before)) {
        host.blocks().putTags(host.name().account(), path, {tags.begin(), tags.end()});
    }
}

} // namespace

Result<RemotePlace> openListed(const HostPtr& host, const std::string& path) {
    auto folder =
        std::make_shared<const RemoteFolder>(host, FolderRef{path, {}}, host->name().withPath(path),
                                             std::make_shared<KnownTree>(host), "");
    CAIRN_CHECK(folder->refresh());
    return RemotePlace{std::move(folder), {}};
}

std::optional<RemotePlace> placeBelow(const FolderPtr& folder, std::string_view relative) {
    const auto* remote = dynamic_cast<const RemoteFolder*>(folder.get());
    return remote != nullptr ? remote->placeBelow(relative) : std::nullopt;
}

Result<RemotePlace> openPlace(const HostPtr& host, const std::string& path) {
    std::string root;
    std::string name;
    ListingCollector lists(*host);
    std::size_t aheadBytes = 0;
    std::size_t aheadNames = 0;
    std::vector<AheadBytes> sent;
    const auto begin = [&] {
        aheadBytes = 0;
        aheadNames = 0;
        sent.clear();
        root.clear();
        name.clear();
        lists.begin();
    };
    const auto part = [&](const Frame& frame) -> Result<void> {
        if (frame.kind == FrameKind::Place) {
            WireReader in(frame.payload);
            const bool isFirst = root.empty();
            root = in.text();
            name = in.text();
            const bool fits = isFirst && in.ended() && root.starts_with('/') &&
                              (name.empty() || isEntryName(name));
            return fits ? Result<void>() : fail(ErrorCode::Io, "The host sent an invalid answer");
        }
        if (frame.kind == FrameKind::Listing) {
            return lists.add(frame);
        }
        if (frame.kind == FrameKind::Ahead) {
            CAIRN_TRY(AheadBytes ahead, decodeAhead(frame.payload));
            aheadBytes += ahead.bytes.size() + kAheadCost;
            aheadNames += frame.payload.size() - ahead.bytes.size() +
                          ahead.inner.size() * sizeof(std::string);
            if (aheadBytes > kMostAhead || aheadNames > kMostAheadNames) {
                return fail(ErrorCode::Io, "The host sent more than was asked for");
            }
            sent.push_back(std::move(ahead));
            return {};
        }
        return fail(ErrorCode::Io, "The host sent an invalid answer");
    };
    CAIRN_TRY(const std::int64_t asked, host->nowThereNs());
    const std::uint64_t changes = host->changes();
    std::vector<std::uint64_t> tags = host->blocks().tags(host->name().account(), path);
    CAIRN_CHECK(
        host->request(FrameKind::Open, encode(OpenPlaceRequest{path, tags}), {part, begin}));
    if (root.empty()) {
        return fail(ErrorCode::Io, "The host sent an invalid answer")
            .inFile(host->name().account());
    }
    keepAhead(*host, path, root, std::move(sent), lists.lists(), std::move(tags), asked);
    auto known = std::make_shared<KnownTree>(host);
    for (auto& [inner, entries] : lists.lists()) {
        RemoteFolder::sortNaturally(entries);
        known->put(inner, std::move(entries), changes);
    }
    auto folder = std::make_shared<const RemoteFolder>(host, FolderRef{root, {}},
                                                       host->name().withPath(root), known, "");
    return RemotePlace{std::move(folder), name};
}

} // namespace cairn::store
