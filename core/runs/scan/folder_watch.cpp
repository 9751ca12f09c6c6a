// SPDX-License-Identifier: Apache-2.0
//
// One thread sleeps in poll(2) on the inotify descriptor and on an eventfd that signals the end
// or a change of the folders. inotify(7): network file systems report only what this
// machine itself does to them, so that they are polled.
#include "core/runs/scan/folder_watch.h"

#include <linux/magic.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <poll.h>
#include <set>
#include <thread>
#include <unistd.h>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kEvents = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                  IN_CLOSE_WRITE | IN_MODIFY | IN_DELETE_SELF | IN_MOVE_SELF |
                                  IN_ONLYDIR | IN_EXCL_UNLINK;
constexpr std::size_t kMaxPolledEntries = 20'000; // limit for one folder

/// Local file systems, for which inotify reports all changes; others may be shared with other
/// machines.
bool kernelReports(const fs::path& path) {
    struct statfs status {};
    if (::statfs(path.c_str(), &status) != 0) {
        return false;
    }
    constexpr long kFuse = 0x65735546;
    constexpr long kCifs = static_cast<long>(0xFF534D42);
    constexpr long kSmb2 = static_cast<long>(0xFE534D42);
    constexpr long kLustre = 0x0BD00BD0;
    constexpr long kGpfs = 0x47504653;
    constexpr long kCeph = 0x00C36400;
    constexpr long kBeegfs = 0x19830326;
    constexpr long kNinep = 0x01021997;
    constexpr auto kShared = std::to_array<long>(
        {NFS_SUPER_MAGIC, kFuse, kCifs, kSmb2, kLustre, kGpfs, kCeph, kBeegfs, kNinep});
    const auto type = static_cast<long>(status.f_type);
    return std::find(kShared.begin(), kShared.end(), type) == kShared.end();
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    return (hash ^ value) * 0x100000001b3ULL; // FNV-1a on words
}

/// A digest of the folder's entries with their sizes and times; 0 if it is missing.
std::uint64_t entriesDigest(const fs::path& path) {
    DIR* folder = ::opendir(path.c_str());
    if (folder == nullptr) {
        return 0;
    }
    std::uint64_t hash = 1;
    std::size_t count = 0;
    while (const dirent* entry = ::readdir(folder)) {
        struct stat status {};
        if (entry->d_name[0] == '.' && (entry->d_name[1] == 0 || entry->d_name[1] == '.')) {
            continue;
        }
        if (++count > kMaxPolledEntries) {
            break;
        }
        std::uint64_t own = 0xcbf29ce484222325ULL;
        for (const char* c = entry->d_name; *c != 0; ++c) {
            own = mixed(own, static_cast<unsigned char>(*c));
        }
        if (::fstatat(::dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
            own = mixed(own, static_cast<std::uint64_t>(status.st_ino));
            own = mixed(own, static_cast<std::uint64_t>(status.st_size));
            own = mixed(own, static_cast<std::uint64_t>(status.st_mtim.tv_sec));
            own = mixed(own, static_cast<std::uint64_t>(status.st_mtim.tv_nsec));
        }
        hash += own; // independent of the order
    }
    ::closedir(folder);
    return hash;
}

/// The identity of the folder at a path; {0, 0} if it is missing.
using FolderKey = std::pair<std::uint64_t, std::uint64_t>;
FolderKey folderAt(const fs::path& path) {
    struct stat status {};
    const bool there = ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
    return there ? FolderKey(status.st_dev, status.st_ino) : FolderKey();
}

struct Watched {
    int descriptor = -1;
    FolderKey folder;
};

} // namespace

struct FolderWatch::State {
    std::function<void()> changed;
    WatchOptions options;
    int inotify = -1;
    int wake = -1;

    mutable std::mutex mutex; ///< guards the following members
    std::map<fs::path, Watched> watches;
    std::map<fs::path, std::uint64_t> polls; ///< last digest of each polled folder
    bool ending = false;

    std::thread thread; ///< last member: uses all the others

    void run() {
        Clock::time_point lastCall = Clock::now() - options.coalesce;
        Clock::time_point nextPoll = Clock::now() + options.poll;
        bool pending = false;
        while (true) {
            const auto now = Clock::now();
            const auto due = pending ? std::min(lastCall + options.coalesce, nextPoll) : nextPoll;
            const auto wait =
                std::chrono::duration_cast<std::chrono::milliseconds>(due - now).count();
            // While an event is pending, inotify is not read: continuous writes then cause no
            // wake-ups.
            const int listen = pending ? -1 : inotify;
            std::array<pollfd, 2> sources{{{wake, POLLIN, 0}, {listen, POLLIN, 0}}};
            ::poll(sources.data(), sources.size(), static_cast<int>(std::max<long>(wait + 1, 0)));
            if ((sources[0].revents & POLLIN) != 0) {
                std::uint64_t count = 0;
                (void)!::read(wake, &count, sizeof(count));
            }
            {
                const std::scoped_lock lock(mutex);
                if (ending) {
                    return;
                }
            }
            try {
                pending = drain() || pending;
                if (Clock::now() >= nextPoll) {
                    nextPoll = Clock::now() + options.poll;
                    pending = checkPolledFolders() || pending;
                }
                if (pending && Clock::now() - lastCall >= options.coalesce) {
                    lastCall = Clock::now();
                    changed();
                    pending = false;
                }
            } catch (const std::bad_alloc&) {
                pending = true; // retry: memory may be available later
                lastCall = Clock::now();
            }
        }
    }

    /// Reads all events; true if one reports a change. The kernel removes a watch when its folder
    /// disappears (IN_IGNORED); a folder with that name may appear again.
    bool drain() {
        alignas(inotify_event) std::array<char, 16384> buffer{};
        bool any = false;
        for (ssize_t size = 0;
             inotify >= 0 && (size = ::read(inotify, buffer.data(), buffer.size())) > 0;) {
            for (std::size_t at = 0;
                 at + sizeof(inotify_event) <= static_cast<std::size_t>(size);) {
                inotify_event event{};
                std::memcpy(&event, buffer.data() + at, sizeof(event));
                at += sizeof(event) + event.len;
                if ((event.mask & IN_IGNORED) == 0) {
                    any = true;
                    continue;
                }
                const int gone = event.wd;
                const std::scoped_lock lock(mutex);
                std::erase_if(watches,
                              [&](const auto& each) { return each.second.descriptor == gone; });
            }
        }
        return any;
    }

    bool checkPolledFolders() {
        std::map<fs::path, std::uint64_t> known;
        {
            const std::scoped_lock lock(mutex);
            known = polls;
        }
        bool any = false;
        for (auto& [path, seen] : known) {
            const std::uint64_t now =
                entriesDigest(path); // may block for long, so the lock is not held
            const std::scoped_lock lock(mutex);
            const auto at = polls.find(path);
            if (at != polls.end() && at->second != now) {
                at->second = now;
                any = true;
            }
        }
        return any;
    }

    /// True if it was not watched before.
    bool add(const fs::path& path) {
        if (watches.contains(path) || polls.contains(path)) {
            return false;
        }
        const FolderKey folder = folderAt(path);
        if (folder == FolderKey()) {
            return false;
        }
        if (inotify >= 0 && !options.pollOnly && watches.size() < options.maxWatches &&
            kernelReports(path)) {
            const int watch = ::inotify_add_watch(inotify, path.c_str(), kEvents);
            if (watch >= 0) {
                watches.emplace(path, Watched{watch, folder});
                return true;
            }
            if (errno == ENOENT || errno == ENOTDIR) {
                return false;
            }
        }
        polls.emplace(path, entriesDigest(path));
        return true;
    }

    /// Removes watches of folders that are no longer wanted, or that have been replaced. A watch
    /// belongs to a folder, not to its name: two names may share one.
    void forget(const std::set<fs::path>& wanted, std::set<int>& unused) {
        for (auto each = watches.begin(); each != watches.end();) {
            const bool stays =
                wanted.contains(each->first) && folderAt(each->first) == each->second.folder;
            if (!stays) {
                unused.insert(each->second.descriptor);
            }
            each = stays ? std::next(each) : watches.erase(each);
        }
        std::erase_if(polls, [&](const auto& each) { return !wanted.contains(each.first); });
    }
};

FolderWatch::FolderWatch(std::function<void()> changed, const WatchOptions& options)
    : m_state(std::make_unique<State>()) {
    m_state->changed = std::move(changed);
    m_state->options = options;
    m_state->inotify = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    m_state->wake = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    m_state->thread = std::thread([state = m_state.get()] { state->run(); });
}

FolderWatch::~FolderWatch() {
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->ending = true;
    }
    const std::uint64_t one = 1;
    (void)!::write(m_state->wake, &one, sizeof(one));
    m_state->thread.join();
    for (const int fd : {m_state->inotify, m_state->wake}) {
        if (fd >= 0) {
            ::close(fd);
        }
    }
}

std::size_t FolderWatch::watch(const std::vector<fs::path>& folders) {
    const std::set<fs::path> wanted(folders.begin(), folders.end());
    const std::scoped_lock lock(m_state->mutex);
    std::set<int> unused;
    m_state->forget(wanted, unused);
    std::size_t added = 0;
    for (const fs::path& folder : folders) {
        added += m_state->add(folder) ? 1U : 0U;
    }
    for (const auto& [path, watched] : m_state->watches) {
        unused.erase(watched.descriptor);
    }
    for (const int descriptor : unused) {
        ::inotify_rm_watch(m_state->inotify, descriptor);
    }
    return added;
}

std::size_t FolderWatch::watched() const {
    const std::scoped_lock lock(m_state->mutex);
    return m_state->watches.size();
}

std::size_t FolderWatch::polled() const {
    const std::scoped_lock lock(m_state->mutex);
    return m_state->polls.size();
}

} // namespace cairn
