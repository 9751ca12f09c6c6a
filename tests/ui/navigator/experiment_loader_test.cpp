// SPDX-License-Identifier: GPL-3.0-or-later
// A folder in which a trainer works while it is open in the window.
#include "tests/support/safetensors_file.h"
#include "ui/navigator/experiment_loader.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

using namespace cairn;
namespace fs = std::filesystem;

namespace {

constexpr int kTimeoutMs = 30'000;

/// The loader and its last signals.
struct Watched {
    explicit Watched(const fs::path& path) : loader(path) {
        const auto take = [this](const Experiment& experiment) { last = experiment; };
        QObject::connect(&loader, &ui::ExperimentLoader::listed, &loader, take);
        QObject::connect(&loader, &ui::ExperimentLoader::examined, &loader, take);
    }
    const ScannedCheckpoint* find(const std::string& name) const {
        for (const ScannedRun& run : last.runs) {
            for (const ScannedCheckpoint& each : run.checkpoints) {
                if (each.name == name) {
                    return &each;
                }
            }
        }
        return nullptr;
    }
    bool isExamined(const std::string& name) const {
        const ScannedCheckpoint* found = find(name);
        return found != nullptr && found->examined && found->state != CheckpointState::BeingWritten;
    }
    Experiment last;
    ui::ExperimentLoader loader;
};

} // namespace

class ExperimentLoaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_cache = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CACHE_HOME", m_cache->path().toUtf8());
        write("run/step-1.safetensors", test::smallSafetensors());
    }

    void newStepsAppearAndBecomeComplete() {
        Watched watched(root());
        QSignalSpy finished(&watched.loader, &ui::ExperimentLoader::finished);
        watched.loader.load();
        QVERIFY(finished.wait(kTimeoutMs));
        QVERIFY(watched.isExamined("step-1.safetensors"));
        const std::string whole = test::smallSafetensors();
        write("run/step-2.safetensors", whole.substr(0, whole.size() - 2));
        QTRY_VERIFY_WITH_TIMEOUT(watched.find("step-2.safetensors") != nullptr, kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(watched.find("step-2.safetensors")->examined, kTimeoutMs);
        QCOMPARE(watched.find("step-2.safetensors")->state, CheckpointState::BeingWritten);
        QVERIFY(watched.find("step-1.safetensors")->latest);
        QVERIFY(!watched.loader.isLoading()); // it rescans in the background
        write("run/step-2.safetensors", whole);
        QTRY_VERIFY_WITH_TIMEOUT(watched.isExamined("step-2.safetensors"), kTimeoutMs);
        QVERIFY(watched.find("step-2.safetensors")->latest);
    }

    void removedStepsDisappearAndNewRunsAppear() {
        Watched watched(root());
        QSignalSpy finished(&watched.loader, &ui::ExperimentLoader::finished);
        watched.loader.load();
        QVERIFY(finished.wait(kTimeoutMs));
        write("other/deep/step-7.safetensors", test::smallSafetensors());
        QTRY_VERIFY_WITH_TIMEOUT(watched.isExamined("step-7.safetensors"), kTimeoutMs);
        fs::remove(root() / "run/step-1.safetensors");
        QTRY_VERIFY_WITH_TIMEOUT(watched.find("step-1.safetensors") == nullptr, kTimeoutMs);
        QCOMPARE(watched.last.runs.size(), std::size_t{1});
    }

    void aReplacedFolderIsFollowed() {
        Watched watched(root());
        QSignalSpy finished(&watched.loader, &ui::ExperimentLoader::finished);
        QSignalSpy failed(&watched.loader, &ui::ExperimentLoader::failed);
        watched.loader.load();
        QVERIFY(finished.wait(kTimeoutMs));
        fs::rename(root(), root().string() + ".old");
        QTest::qWait(1500);
        QVERIFY(watched.find("step-1.safetensors") != nullptr); // the previous listing stays
        write("run/step-5.safetensors", test::smallSafetensors());
        QTRY_VERIFY_WITH_TIMEOUT(watched.isExamined("step-5.safetensors"), kTimeoutMs);
        QVERIFY(watched.find("step-1.safetensors") == nullptr);
        write("run/step-6.safetensors", test::smallSafetensors());
        QTRY_VERIFY_WITH_TIMEOUT(watched.isExamined("step-6.safetensors"), kTimeoutMs);
        QCOMPARE(failed.size(), 0);
        fs::remove_all(root().string() + ".old");
    }

    void theBestFollowsALogThatIsWrittenLater() {
        write("run/step-2.safetensors", test::smallSafetensors());
        Watched watched(root());
        QSignalSpy finished(&watched.loader, &ui::ExperimentLoader::finished);
        watched.loader.load();
        QVERIFY(finished.wait(kTimeoutMs));
        QVERIFY(!watched.find("step-1.safetensors")->best);
        write("run/metrics.csv", "step,val_loss\n1,0.25\n2,0.5\n");
        QTRY_VERIFY_WITH_TIMEOUT(watched.find("step-1.safetensors")->best, kTimeoutMs);
        write("run/metrics.csv", "step,val_loss\n1,0.25\n2,0.125\n");
        QTRY_VERIFY_WITH_TIMEOUT(watched.find("step-2.safetensors")->best, kTimeoutMs);
        QCOMPARE(watched.last.runs[0].bestMetric, std::string("val_loss"));
    }

    void unchangedListingsAreNotAnnounced() {
        Watched watched(root());
        QSignalSpy finished(&watched.loader, &ui::ExperimentLoader::finished);
        watched.loader.load();
        QVERIFY(finished.wait(kTimeoutMs));
        QTest::qWait(1500); // the rescan after the watch was started
        QSignalSpy listed(&watched.loader, &ui::ExperimentLoader::listed);
        QSignalSpy examined(&watched.loader, &ui::ExperimentLoader::examined);
        finished.clear();
        write("run/notes.txt", "of no interest");
        QVERIFY(finished.wait(kTimeoutMs)); // it was listed
        QCOMPARE(listed.size() + examined.size(), 0);
    }

    void unlistableFolderFailsOnce() {
        Watched watched(root() / "nowhere");
        QSignalSpy failed(&watched.loader, &ui::ExperimentLoader::failed);
        watched.loader.load();
        QVERIFY(failed.wait(kTimeoutMs));
        QVERIFY(!watched.loader.isLoading());
    }

    void writesOnlyIntoTheCacheFolder() {
        Watched watched(root());
        QSignalSpy finished(&watched.loader, &ui::ExperimentLoader::finished);
        watched.loader.load();
        QVERIFY(finished.wait(kTimeoutMs));
        std::size_t entries = 0;
        for (const auto& entry : fs::recursive_directory_iterator(root())) {
            entries += entry.exists() ? 1U : 0U;
        }
        QCOMPARE(entries, std::size_t{2}); // the run and its checkpoint
        QVERIFY(fs::exists(fs::path(m_cache->path().toStdString()) / "cairn/index"));
    }

private:
    fs::path root() const { return fs::path(m_folder->path().toStdString()) / "runs"; }
    void write(const std::string& name, const std::string& content) const {
        fs::create_directories((root() / name).parent_path());
        std::ofstream(root() / name, std::ios::binary) << content;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QTemporaryDir> m_cache;
};

QTEST_GUILESS_MAIN(ExperimentLoaderTest)
#include "experiment_loader_test.moc"
