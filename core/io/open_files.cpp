// SPDX-License-Identifier: Apache-2.0
#include "core/io/open_files.h"

#include <sys/resource.h>

#include <algorithm>
#include <list>
#include <mutex>
#include <pthread.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn {
namespace {

constexpr rlim_t kMostOpen = 16384;
constexpr std::size_t kFewestKept = 128;

} // namespace

struct OpenFiles::Kept {
    State* owner = nullptr;
    std::uint32_t file = 0;
    ByteSourcePtr source;
};

/// All states and the list that they share are guarded by one mutex: it is held for a few
/// instructions, never while a file is opened or closed.
struct OpenFiles::State {
    struct Known {
        std::weak_ptr<const ByteSource> source; ///< also of one that is only still in use
        std::list<Kept>::iterator kept;
        bool isKept = false;
    };
    std::unordered_map<std::uint32_t, Known> known;
};

/// Never destroyed: a checkpoint may live until the process ends.
struct OpenFiles::Shared {
    std::mutex mutex;
    std::list<Kept> recent; ///< the most recently used first

    static Shared& get() {
        static Shared& shared = *made();
        return shared;
    }

    /// A child of a process whose threads read (a worker of a Python program) opens files, too: the
    /// mutex must not be held by a thread that the child does not have.
    static Shared* made() {
        ::pthread_atfork([] { get().mutex.lock(); }, [] { get().mutex.unlock(); },
                         [] { get().mutex.unlock(); });
        return new Shared; // NOLINT(cppcoreguidelines-owning-memory)
    }

    /// Moves those that are too many to `closed`.
    void putFirst(State::Known& known, Kept file, std::list<Kept>& closed) {
        recent.push_front(std::move(file));
        known.kept = recent.begin();
        known.isKept = true;
        while (recent.size() > mostKept()) {
            Kept& last = recent.back();
            last.owner->known[last.file].isKept = false;
            closed.splice(closed.end(), recent, std::prev(recent.end()));
        }
    }
};

OpenFiles::OpenFiles() : m_state(std::make_unique<State>()) {}

OpenFiles::~OpenFiles() {
    std::list<Kept> closed;
    Shared& shared = Shared::get();
    const std::scoped_lock lock(shared.mutex);
    for (auto& [file, known] : m_state->known) {
        if (known.isKept) {
            closed.splice(closed.end(), shared.recent, known.kept);
        }
    }
}

ByteSourcePtr OpenFiles::find(std::uint32_t file) {
    std::list<Kept> closed; // after the lock is released
    Shared& shared = Shared::get();
    const std::scoped_lock lock(shared.mutex);
    const auto found = m_state->known.find(file);
    if (found == m_state->known.end()) {
        return nullptr;
    }
    ByteSourcePtr source = found->second.source.lock();
    if (found->second.isKept) {
        shared.recent.splice(shared.recent.begin(), shared.recent, found->second.kept);
    } else if (source != nullptr) { // in use since it was dropped
        shared.putFirst(found->second, {m_state.get(), file, source}, closed);
    }
    return source;
}

ByteSourcePtr OpenFiles::keep(std::uint32_t file, ByteSourcePtr source) {
    std::list<Kept> closed; // after the lock is released
    Shared& shared = Shared::get();
    const std::scoped_lock lock(shared.mutex);
    State::Known& known = m_state->known[file];
    if (ByteSourcePtr other = known.source.lock()) {
        return other;
    }
    known.source = source;
    shared.putFirst(known, {m_state.get(), file, source}, closed);
    return source;
}

std::size_t OpenFiles::mostKept() {
    static const std::size_t most = [] {
        rlimit limit{};
        const bool known = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
        return std::max(kFewestKept,
                        known ? static_cast<std::size_t>(std::min(limit.rlim_cur, kMostOpen) / 2)
                              : std::size_t{0});
    }();
    return most;
}

void allowManyOpenFiles() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kMostOpen) {
        return;
    }
    limit.rlim_cur = std::min(limit.rlim_max, kMostOpen);
    ::setrlimit(RLIMIT_NOFILE, &limit); // if it fails, fewer files are kept open
}

} // namespace cairn
