// SPDX-License-Identifier: GPL-3.0-or-later
// A job is killed; the next start of the window offers to resume it or to clean up.
#include "core/io/hash.h"
#include "core/jobs/queue/listed_run.h"
#include "core/jobs/record/manifest.h"
#include "core/jobs/request/run_request.h"
#include "tests/support/safetensors_file.h"
#include "tests/ui/support/job_pages.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/unfinished_bar.h"
#include "ui/shell/frame/status_line.h"
#include "ui/text/plain_text.h"

#include <QApplication>
#include <QProcess>
#include <QThread>
#include <QTimer>

#include <fstream>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

constexpr const char* kBeKilled = "--write-slowly";
constexpr const char* kEndBeforeManifest = "--end-before-manifest";
constexpr int kEnded = 9;
constexpr std::size_t kTensors = 12;
constexpr std::size_t kTensorBytes = std::size_t{8} << 20U;

/// A slow disk.
class SlowFileOps final : public FileOps {
public:
    long perform(const FileCall& call) override {
        if (call.kind == FileCallKind::Write) {
            QThread::msleep(60);
        }
        return m_real.perform(call);
    }

private:
    RealFileOps m_real;
};

void writeCheckpoint(const std::filesystem::path& path) {
    std::vector<cairn::test::SafetensorsTensor> tensors;
    for (std::size_t i = 0; i < kTensors; ++i) {
        tensors.push_back(
            {"layers." + std::to_string(i) + ".weight", "F32", {2048, 1024}, kTensorBytes});
    }
    std::string header = cairn::test::safetensorsHeader(tensors);
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::ofstream out(path, std::ios::binary);
    out << cairn::test::safetensorsFile(header, "");
    std::vector<float> values(kTensorBytes / sizeof(float));
    for (std::size_t i = 0; i < kTensors; ++i) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            values[k] = static_cast<float>(i * 7 + k % 1009);
        }
        out.write(reinterpret_cast<const char*>(values.data()),
                  static_cast<std::streamsize>(kTensorBytes));
    }
}

/// A machine that stops after the output has its name and before the manifest has.
class EndsBeforeManifest final : public FileOps {
public:
    long perform(const FileCall& call) override {
        if (call.kind == FileCallKind::Rename && ++m_renamed == 2) {
            std::_Exit(kEnded);
        }
        return m_real.perform(call);
    }

private:
    RealFileOps m_real;
    int m_renamed = 0;
};

JobRequest requestFor(const std::filesystem::path& source, const std::filesystem::path& output) {
    JobRequest request;
    request.sources = {source};
    request.output = output;
    request.to = "safetensors";
    request.only.kind = Selection::Kind::Weights;
    return request;
}

/// As the command line does: the plan's digest is in the user's list, so that a changed source is
/// noticed.
Result<JobReport> run(const JobRequest& request, FileOps& fileOps) {
    JobContext context;
    CAIRN_TRY(auto outcome, runRequest(request, {}, fileOps, context));
    return std::move(outcome.report);
}

/// The child process.
int writeSlowly(char** words) {
    SlowFileOps slow;
    return run(requestFor(words[0], words[1]), slow).has_value() ? 0 : 1;
}

int endBeforeManifest(char** words) {
    EndsBeforeManifest ends;
    return run(requestFor(words[0], words[1]), ends).has_value() ? 0 : 1;
}

/// Makes the checkpoint, starts its job in another process and kills it when part of it is written.
bool killHalfway(const std::filesystem::path& source, const std::filesystem::path& output) {
    writeCheckpoint(source);
    std::filesystem::create_directory(output.parent_path());
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(),
                  {QString::fromLatin1(kBeKilled), QString::fromStdString(source.string()),
                   QString::fromStdString(output.string())});
    const auto written = [] {
        const std::vector<ListedJob> jobs = listedJobs();
        return jobs.empty() ? 0 : jobs.back().written;
    };
    if (!process.waitForStarted() ||
        !waitUntil([&] { return written() > 0 || process.state() == QProcess::NotRunning; },
                   kTimeoutMs)) {
        return false;
    }
    process.kill();
    process.waitForFinished();
    return process.exitStatus() == QProcess::CrashExit && !std::filesystem::exists(output);
}

/// The output's size, which is the checkpoint's with the same dtype and names.
std::uint64_t sizeOf(const std::filesystem::path& source) {
    const auto opened = openRequest(requestFor(source, source.string() + ".new"));
    const auto planned = opened ? planRequest(*opened) : Result<PlannedJob>(opened.error());
    return planned ? planned->plan.outputBytes() : 0;
}

std::string hashOf(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    Sha256 hash;
    hash.add(std::as_bytes(std::span(bytes)));
    return hexText(hash.finish());
}

} // namespace

class ResumeWorkflowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKilledJobIsOfferedAndResumed() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        const std::filesystem::path source = fixture.folder() / "big.safetensors";
        const std::filesystem::path output = fixture.folder() / "out" / "big.safetensors";
        QVERIFY(killHalfway(source, output));

        window.offerUnfinished();
        UnfinishedBar& bar = *window.unfinishedBar();
        QTRY_VERIFY_WITH_TIMEOUT(!bar.isHidden(), kTimeoutMs);
        QTRY_VERIFY(findStrip(bar, QStringLiteral("“big.safetensors” is unfinished")));
        QVERIFY(showsText(bar, QStringLiteral(" of %1 written").arg(text::bytes(sizeOf(source)))));
        picture(window, QStringLiteral("unfinished"));
        QVERIFY(press(bar, QStringLiteral("Decide Later")));
        QVERIFY(bar.isHidden());
        window.actions().unfinishedJobs->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!bar.isHidden(), kTimeoutMs);

        QVERIFY(press(bar, QStringLiteral("Resume")));
        QVERIFY(bar.isHidden());
        const ConsolidatePage& page = *window.pages().consolidate;
        QVERIFY(page.isVisible()); // the jobs are shown, although no checkpoint is
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page, QStringLiteral("every byte compared")),
                                 kTimeoutMs);
        picture(window, QStringLiteral("resumed"));
        RealFileOps fileOps;
        const auto whole = run(requestFor(source, fixture.folder() / "whole.safetensors"), fileOps);
        QVERIFY(whole);
        QCOMPARE(hashOf(output), hashOf(fixture.folder() / "whole.safetensors"));
        QVERIFY(JobRegistry().list().empty());
        QCOMPARE(QDir(QString::fromStdString(output.parent_path().string()))
                     .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
                     .size(),
                 2); // with its manifest
    }

    void anOutputWithoutManifestIsCompleted() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        const std::filesystem::path source = fixture.folder() / "big.safetensors";
        const std::filesystem::path output = fixture.folder() / "out" / "big.safetensors";
        writeCheckpoint(source);
        std::filesystem::create_directory(output.parent_path());
        QCOMPARE(QProcess::execute(QCoreApplication::applicationFilePath(),
                                   {QString::fromLatin1(kEndBeforeManifest),
                                    QString::fromStdString(source.string()),
                                    QString::fromStdString(output.string())}),
                 kEnded);
        QVERIFY(std::filesystem::exists(output));
        QVERIFY(!std::filesystem::exists(manifestPath(output)));

        window.offerUnfinished();
        UnfinishedBar& bar = *window.unfinishedBar();
        QTRY_VERIFY_WITH_TIMEOUT(!bar.isHidden(), kTimeoutMs);
        QVERIFY(press(bar, QStringLiteral("Resume")));
        const ConsolidatePage& page = *window.pages().consolidate;
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page, QStringLiteral("every byte compared")),
                                 kTimeoutMs);
        QVERIFY(std::filesystem::exists(manifestPath(output)));
        QVERIFY(JobRegistry().list().empty());
    }

    void leftoverFilesAreListedAndRemoved() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        const std::filesystem::path source = fixture.folder() / "big.safetensors";
        const std::filesystem::path output = fixture.folder() / "out" / "big.safetensors";
        QVERIFY(killHalfway(source, output));

        window.offerUnfinished();
        UnfinishedBar& bar = *window.unfinishedBar();
        QTRY_VERIFY_WITH_TIMEOUT(!bar.isHidden(), kTimeoutMs);
        QVERIFY(press(bar, QStringLiteral("Discard…")));
        QTRY_VERIFY(findStrip(bar, QStringLiteral("of unfinished files")));
        QVERIFY(showsText(bar, QStringLiteral(".big.safetensors.cairn-partial-")));
        QVERIFY(!std::filesystem::is_empty(output.parent_path())); // nothing was changed yet
        picture(window, QStringLiteral("unfinished-remove"));
        QVERIFY(press(bar, QStringLiteral("Keep")));
        QTRY_VERIFY(findStrip(bar, QStringLiteral("is unfinished")));
        QVERIFY(press(bar, QStringLiteral("Discard…")));
        QVERIFY(press(bar, QStringLiteral("Remove")));
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::is_empty(output.parent_path()), kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(!window.unfinished().isBusy(), kTimeoutMs);
        QVERIFY(bar.isHidden());
        QVERIFY(JobRegistry().list().empty());
        QVERIFY(std::filesystem::exists(source));
    }

    void aChangedSourceIsReported() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        const std::filesystem::path source = fixture.folder() / "big.safetensors";
        const std::filesystem::path output = fixture.folder() / "out" / "big.safetensors";
        QVERIFY(killHalfway(source, output));
        QTest::qWait(20);
        writeCheckpoint(source); // with another modification time

        window.offerUnfinished();
        QTRY_VERIFY_WITH_TIMEOUT(!window.unfinishedBar()->isHidden(), kTimeoutMs);
        QVERIFY(press(*window.unfinishedBar(), QStringLiteral("Resume")));
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(*window.pages().consolidate,
                                           QStringLiteral("changed since the plan was made")),
                                 kTimeoutMs);
        QVERIFY(!std::filesystem::exists(output));
        window.actions().unfinishedJobs->trigger(); // still there, to be removed
        QTRY_VERIFY_WITH_TIMEOUT(!window.unfinishedBar()->isHidden(), kTimeoutMs);
    }

    void closingCanKeepWrittenData() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        SlowFileOps slow;
        fixture.services.fileOps = &slow;
        const std::filesystem::path run = fixture.folder() / "run";
        std::filesystem::create_directory(run);
        writeCheckpoint(run / "big.safetensors");
        window.openPaths({run / "big.safetensors"});
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.deployment().isRunnable(),
                                 kTimeoutMs);
        QVERIFY(window.deployment().start());
        QTRY_VERIFY_WITH_TIMEOUT(!listedJobs().empty() && listedJobs().front().written > 0,
                                 kTimeoutMs);
        window.closeGuard().ask = [](int) { return CloseGuard::Leave::KeepAndQuit; };
        QVERIFY(window.close());
        QTRY_VERIFY_WITH_TIMEOUT(
            fixture.services.jobs->snapshot().front().state == JobState::Stopped, 1000);
        QCOMPARE(listedJobs().size(), std::size_t{1});
        QVERIFY(!listedJobs().front().left.empty());
    }

    void finishingInTheBackgroundEndsTheProgram() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        std::atomic<bool> go{false};
        fixture.services.jobs->submit("long", [&](JobContext& context) -> Result<void> {
            while (!go && !context.token().cancelled()) {
                QThread::msleep(2);
            }
            return {};
        });
        window.closeGuard().ask = [](int) { return CloseGuard::Leave::FinishThenQuit; };
        QTimer::singleShot(0, &window, [&] {
            window.close();
            QTimer::singleShot(300, &window, [&] { go = true; });
        });
        constexpr int kNotByItself = 7;
        QTimer::singleShot(5000, &window, [] { QApplication::exit(kNotByItself); });
        QCOMPARE(QApplication::exec(), 0);
        QVERIFY(go);
        QVERIFY(!window.isVisible());
        QCOMPARE(fixture.services.jobs->snapshot().front().state, JobState::Done);
    }
};

int main(int argc, char** argv) {
    if (argc == 4 && std::string_view(argv[1]) == kBeKilled) {
        return writeSlowly(argv + 2);
    }
    if (argc == 4 && std::string_view(argv[1]) == kEndBeforeManifest) {
        return endBeforeManifest(argv + 2);
    }
    QApplication application(argc, argv);
    ResumeWorkflowTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "resume_workflow_test.moc"
