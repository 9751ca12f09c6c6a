// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"

#include <QObject>

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace cairn::ui {

/// The only way from a worker to the GUI: runs one piece of work at a time on a pool thread and
/// brings its result back to the GUI thread. One runner per purpose (opening, previewing, …), owned
/// by the object that needs the result.
///
///     m_open.start([path](const CancelToken& cancel) { return openCheckpoint(path, cancel); },
///                  [this](Result<CheckpointPtr> opened) { show(std::move(opened)); });
///
/// start() supersedes the previous work: its token is cancelled and its result is not delivered.
/// The same when the runner is destroyed. Work must not touch a Qt object and must not refer to
/// anything that can be destroyed before it ends. Generations are written
/// and compared on the GUI thread only; the worker holds a token and posts to the application.
///
/// There are three pools, so that reading a whole checkpoint delays no click: Quick work (an index,
/// a filter, a preview) has many threads, because one on a hung mount does not return; so has
/// Background, for what nobody waits for yet (a plan before its page is shown), whose threads leave
/// the processors to all others; Long work (every byte of a checkpoint or of a run's logs) has as
/// many as there are processors.
class AsyncRunner : public QObject {
    Q_OBJECT

public:
    /// Hands a closure to the GUI thread from within the work; dropped when the work was superseded
    /// meanwhile.
    using Post = std::function<void(std::function<void()>)>;

    enum class Pool { Quick, Background, Long };
    explicit AsyncRunner(QObject* parent = nullptr) : AsyncRunner(Pool::Quick, parent) {}
    explicit AsyncRunner(Pool pool, QObject* parent = nullptr);
    ~AsyncRunner() override;

    /// `work`: Result<T>(const CancelToken&) or Result<T>(const CancelToken&, const Post&), on a
    /// pool thread. `done`: void(Result<T>), on the GUI thread, through the event loop. An
    /// exception in the work becomes an Error.
    template <class Work, class Done> void start(Work work, Done done) {
        if constexpr (std::is_invocable_v<Work&, const CancelToken&, const Post&>) {
            launchTyped(std::move(work), std::move(done));
        } else {
            launchTyped([work = std::move(work)](const CancelToken& cancel,
                                                 const Post&) mutable { return work(cancel); },
                        std::move(done));
        }
    }

    /// Stops the current work, if any; nothing of it arrives any more.
    void cancel();

    /// Waits until no work is running, at most that long: no worker may post to a destroyed
    /// application. False: some is still running.
    static bool waitForAll(std::chrono::milliseconds limit);

    /// Between start() and the call of done.
    bool isRunning() const { return m_running; }

private:
    using Task = std::function<void(const CancelToken&, const Post&)>;

    template <class Work, class Done> void launchTyped(Work work, Done done) {
        using Outcome = std::invoke_result_t<Work&, const CancelToken&, const Post&>;
        auto outcome = std::make_shared<std::optional<Outcome>>();
        auto sharedWork = std::make_shared<Work>(std::move(work));
        auto sharedDone = std::make_shared<Done>(std::move(done));
        launch(
            [sharedWork, outcome](const CancelToken& token, const Post& post) {
                try {
                    outcome->emplace((*sharedWork)(token, post));
                } catch (const std::bad_alloc&) {
                    outcome->emplace(
                        fail(ErrorCode::OutOfMemory, "Not enough memory for this operation"));
                } catch (const std::exception& problem) {
                    outcome->emplace(fail(ErrorCode::Internal, verbatim(problem.what())));
                }
            },
            [sharedDone, outcome] { (*sharedDone)(std::move(**outcome)); });
    }

    void launch(Task task, std::function<void()> finish);

    const Pool m_pool;
    std::uint64_t m_generation = 0;
    CancelToken m_token;
    bool m_running = false;
};

} // namespace cairn::ui
