// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/format.h"
#include "core/io/file_ops.h"
#include "core/jobs/queue/job_queue.h"
#include "tests/bench/process_memory.h"
#include "tests/ui/support/gui_watchdog.h"
#include "tests/ui/support/made_sweep.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/search_field.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeView>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <malloc.h>
#include <string_view>
#include <unistd.h>
#include <vector>

using namespace cairn;
using namespace cairn::ui;

namespace {

constexpr qint64 kQuietMs = 700; ///< so long after the last change a step counts as ended

/// Runs one step of a user and prints how long it took until `shown`, and the time that the GUI
/// thread spent in one turn of its loop until the window was quiet.
class Steps {
public:
    explicit Steps(MainWindow& window) : m_window(window) {}

    void operator()(const char* what, const std::function<void()>& act,
                    const std::function<bool()>& shown) {
        test::GuiWatchdog watchdog(what);
        QTimer wake; // so that waiting for events, which leaves the processor to workers, ends
        wake.start(20);
        QElapsedTimer clock;
        clock.start();
        act();
        while (!shown()) {
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
        const double ms = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        clock.restart();
        while (clock.elapsed() < kQuietMs) {
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
            if (!m_window.isSettled()) {
                clock.restart();
            }
        }
        std::vector<double> work = watchdog.work();
        std::printf("%-28s shown after %7.1f ms   GUI thread: longest %5.1f ms; work: longest "
                    "%5.1f ms, %2lld of %3zu turns over 8   %5.0f MiB, peak %5.0f\n",
                    what, ms, watchdog.longestMs(), watchdog.longestWorkMs(),
                    static_cast<long long>(
                        std::ranges::count_if(work, [](double turn) { return turn > 8; })),
                    work.size(), bench::statusMib("VmRSS:"), bench::statusMib("VmHWM:"));
        if (std::getenv("CAIRN_BENCH_TURNS") != nullptr) {
            for (const double turn : work) {
                std::printf(turn > 2 ? " %.1f" : "", turn);
            }
            std::printf("\n");
        }
        std::fflush(stdout);
        std::ranges::copy(work, std::back_inserter(m_work));
        bench::forgetPeak();
    }

    /// Of the turns of all steps.
    void printSum() const {
        std::printf("%zu turns with work, p99 %.1f ms, longest %.1f ms\n", m_work.size(),
                    test::quantile(m_work, 0.99), test::quantile(m_work, 1));
    }

private:
    MainWindow& m_window;
    std::vector<double> m_work; ///< ms
};

/// The resident memory of a process that only opens the index, in MiB.
double coreMib(const char* path) {
    int ends[2];
    if (pipe(ends) != 0) {
        return 0;
    }
    const pid_t child = fork();
    if (child == 0) {
        const double before = bench::statusMib("VmRSS:");
        const auto checkpoint = openCheckpoint(std::filesystem::path(path));
        malloc_trim(0);
        const double used = checkpoint ? bench::statusMib("VmRSS:") - before : 0;
        _exit(write(ends[1], &used, sizeof used) == sizeof used ? 0 : 1);
    }
    double used = 0;
    close(ends[1]);
    if (read(ends[0], &used, sizeof used) != sizeof used) {
        used = 0;
    }
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return used;
}

QTreeView* shownTree(Page* page) {
    for (QTreeView* view : page->findChildren<QTreeView*>()) {
        if (view->isVisible() && view->model() != nullptr) {
            return view;
        }
    }
    return nullptr;
}

void walk(MainWindow& window, const char* path, Steps& step) {
    Workspace& workspace = *window.workspace();
    Page* tensors = window.pages().tensors;
    const auto rows = [&] {
        const QTreeView* view = shownTree(tensors);
        return view != nullptr ? view->model()->rowCount() : 0;
    };
    step(
        "open, rows in Tensors",
        [&] {
            workspace.setCurrentTab(workspace.tabOf(tensors));
            window.openPaths({path});
        },
        [&] { return rows() > 0; });
    const auto settled = [&] { return window.isSettled(); };
    for (Page* page : window.pages().all) {
        const QByteArray what = "show " + page->info().title().toUtf8();
        step(
            what.constData(), [&] { workspace.setCurrentTab(workspace.tabOf(page)); }, settled);
    }
    step(
        "show Tensors again", [&] { workspace.setCurrentTab(workspace.tabOf(tensors)); }, settled);
    SearchField& filter = *window.topBar()->findChild<SearchField*>();
    for (const char* typed : {"1", "12", "zzz", "12", ""}) {
        const QByteArray what = "filter \"" + QByteArray(typed) + '"';
        bool shown = false;
        const auto arranged = QObject::connect(static_cast<TensorsPage*>(tensors),
                                               &TensorsPage::settled, [&shown] { shown = true; });
        step(
            what.constData(), [&] { filter.setText(QString::fromUtf8(typed)); },
            [&shown] { return shown; });
        QObject::disconnect(arranged);
    }
    QTreeView& view = *shownTree(tensors);
    step(
        "page down ten times",
        [&] {
            for (int i = 0; i < 10; ++i) {
                view.setCurrentIndex(view.indexAt({5, view.viewport()->height() - 5}));
            }
        },
        settled);
    step(
        "select all", [&] { view.selectAll(); }, settled);
}

/// Marks of a sweep of 1,500 runs, as the last session left them and as a user sets them.
void markMany(MainWindow& window, const std::filesystem::path& folder, Steps& step) {
    constexpr int kSeeds = 500; // of three learning rates
    constexpr std::size_t kMarks = 60;
    test::writeSweep(folder, kSeeds, 20);
    RunsPage& page = *window.pages().runs;
    Workspace& workspace = *window.workspace();
    const auto settled = [&] { return window.isSettled() && page.isSettled(); };
    step(
        "open 1,500 runs", [&] { window.openPaths({folder}); }, [&] { return window.isSettled(); });
    step(
        "show Runs", [&] { workspace.setCurrentTab(workspace.tabOf(&page)); },
        [&] { return page.data() != nullptr && settled(); });
    std::vector<std::filesystem::path> marked;
    for (const ScannedRun& run : page.data()->experiment.runs) {
        if (marked.size() < kMarks) {
            marked.push_back(run.path);
        }
    }
    step(
        "restore 60 marks", [&] { window.navigator()->setMarks(marked); }, settled);
    step(
        "mark another run",
        [&] { window.navigator()->setMarked({{page.data()->experiment.runs.back().path}}, true); },
        settled);
    step(
        "clear the marks", [&] { window.navigator()->clearMarks(); }, settled);
}

} // namespace

/// What a user of the window waits for, and what the GUI thread does meanwhile: bench_gui PATH
/// or of marks in a sweep that it makes: bench_gui --marks
int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("bench_gui PATH | --marks\n", stderr);
        return 2;
    }
    QTemporaryDir folder;
    for (const char* place : {"CONFIG", "STATE", "CACHE", "DATA"}) {
        qputenv((QByteArray("XDG_") + place + "_HOME").constData(),
                folder.filePath(QString::fromLatin1(place)).toLocal8Bit());
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_NO_GLIB", "1");         // its loop does not tell when it waits
    mallopt(M_MMAP_THRESHOLD, 1 << 20); // as main() of the window does
    const bool marks = std::string_view(arguments[1]) == "--marks";
    const double core = marks ? 0 : coreMib(arguments[1]);
    const QApplication application(count, arguments);
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    RealFileOps ops;
    JobQueue jobs;
    Services services;
    services.jobs = &jobs;
    services.fileOps = &ops;
    MainWindow window(services, settings);
    window.resize(1440, 900);
    window.QWidget::show();
    Steps step(window);
    const double before = bench::statusMib("VmRSS:");
    if (marks) {
        markMany(window, folder.filePath(QStringLiteral("sweep")).toStdString(), step);
        step.printSum();
        std::fflush(stdout);
        folder.remove();
        _exit(0);
    }
    walk(window, arguments[1], step);
    step.printSum();
    malloc_trim(0);
    std::printf("the window holds %.0f MiB, the index alone %.0f MiB\n",
                bench::statusMib("VmRSS:") - before, core);
    std::fflush(stdout);
    _exit(0); // a profiler of the heap sees what the window holds
}
