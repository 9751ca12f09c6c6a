// SPDX-License-Identifier: Apache-2.0
#include "core/runs/facts/shared_open.h"

#include "core/formats/format.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace cairn {
namespace {

constexpr auto kCancelCheck = std::chrono::milliseconds(50);

/// One opening; `result` is there when it ended.
struct Opening {
    IndexStamp stamp{};
    std::optional<Result<CheckpointPtr>> result = std::nullopt;
};

struct Opened {
    IndexStamp stamp{};
    std::weak_ptr<const Checkpoint> checkpoint;
};

/// What this process opens and has opened, by path.
struct SharedOpenings {
    std::mutex mutex;
    std::condition_variable ended;
    std::map<std::filesystem::path, std::shared_ptr<Opening>> openings;
    std::map<std::filesystem::path, Opened> opened;
};

SharedOpenings& shared() {
    static SharedOpenings shared;
    return shared;
}

/// The result of an opening of another thread. Nothing: that one was cancelled.
Result<std::optional<Result<CheckpointPtr>>>
wait(std::unique_lock<std::mutex>& lock, const Opening& opening, const CancelToken& cancel) {
    while (!opening.result) {
        CAIRN_CHECK(cancel.check());
        shared().ended.wait_for(lock, kCancelCheck);
    }
    if (!*opening.result && opening.result->error().code == ErrorCode::Cancelled) {
        return std::nullopt;
    }
    return opening.result;
}

void end(const std::filesystem::path& path, const std::shared_ptr<Opening>& opening,
         const Result<CheckpointPtr>& result) {
    const std::scoped_lock lock(shared().mutex);
    std::erase_if(shared().opened,
                  [](const auto& each) { return each.second.checkpoint.expired(); });
    if (result) {
        shared().opened[path] = {opening->stamp, *result};
    }
    opening->result = result;
    const auto running = shared().openings.find(path);
    if (running != shared().openings.end() && running->second == opening) {
        shared().openings.erase(running);
    }
    shared().ended.notify_all();
}

Probed probed(const std::filesystem::path& path, std::optional<Location::Listed> folder) {
    return folder ? probeLocation(path, *std::move(folder)) : probeLocation(path);
}

/// Opens it; shared from now on with those who find its files' stamp as it was before. A stamp
/// contains the time of each file's last change, which never returns: so they did not change in
/// between either, and need not be listed again now.
Result<CheckpointPtr> open(const std::filesystem::path& path,
                           std::optional<Location::Listed> folder,
                           const std::shared_ptr<Opening>& opening, const CancelToken& cancel) {
    try {
        Result<CheckpointPtr> result = openCheckpoint(probed(path, std::move(folder)), cancel);
        end(path, opening, result);
        return result;
    } catch (...) { // such as std::bad_alloc: those who wait try for themselves
        end(path, opening, fail(ErrorCode::Cancelled, "Stopped"));
        throw;
    }
}

} // namespace

Result<CheckpointPtr> openShared(const std::filesystem::path& path, const CancelToken& cancel,
                                 Reuse reuse) {
    return openShared(path, stamped(path), cancel, reuse);
}

Result<CheckpointPtr> openShared(const std::filesystem::path& path, Stamped now,
                                 const CancelToken& cancel, Reuse reuse) {
    const std::optional<IndexStamp> stamp = now.stamp;
    if (!stamp) {
        return openCheckpoint(path, cancel);
    }
    std::unique_lock lock(shared().mutex);
    while (true) {
        const auto opened = shared().opened.find(path);
        if (reuse == Reuse::Held && opened != shared().opened.end() &&
            opened->second.stamp == *stamp) {
            if (CheckpointPtr held = opened->second.checkpoint.lock()) {
                return held;
            }
        }
        const auto running = shared().openings.find(path);
        if (running == shared().openings.end() || running->second->stamp != *stamp) {
            const auto opening = std::make_shared<Opening>(Opening{*stamp});
            shared().openings[path] = opening;
            lock.unlock();
            return open(path, std::move(now.folder), opening, cancel);
        }
        const std::shared_ptr<Opening> opening = running->second;
        CAIRN_TRY(auto result, wait(lock, *opening, cancel));
        if (result) {
            return *result;
        }
        now.folder.reset(); // that took a while
    }
}

} // namespace cairn
