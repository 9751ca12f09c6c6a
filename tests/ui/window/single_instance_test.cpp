// SPDX-License-Identifier: GPL-3.0-or-later
// Two starts of the program: this test program is started again as the other one.
#include "app/single_instance.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <filesystem>
#include <string_view>

using namespace cairn;

namespace {

constexpr std::string_view kServe = "--serve";
constexpr std::string_view kAsk = "--ask";
constexpr std::string_view kFreeze = "--freeze";
const QString kName = QStringLiteral("window-test");

/// Serves until it is killed; writes a line when it is ready, and one for each request.
int serve(const char* folder, bool frozen) {
    RealFileOps files;
    SingleInstance instance(files, folder, kName);
    if (instance.join({}) != SingleInstance::Role::First) {
        return 1;
    }
    QObject::connect(&instance, &SingleInstance::requested, [](const LaunchRequest& request) {
        std::string line = "paths";
        for (const auto& path : request.opening.paths) {
            line += " " + path.string();
        }
        std::puts(line.c_str());
        std::fflush(stdout);
    });
    std::puts("ready");
    std::fflush(stdout);
    if (frozen) {
        ::pause();
    }
    return QCoreApplication::exec();
}

/// The role is the exit code.
int ask(const char* folder, const char* path) {
    RealFileOps files;
    SingleInstance instance(files, folder, kName);
    return static_cast<int>(
        instance.join({{.paths = {path}, .page = QStringLiteral("history")}, "token"}, 1000));
}

} // namespace

class SingleInstanceTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    RealFileOps m_files;

    std::filesystem::path folder() const { return m_folder->path().toStdString(); }
    std::unique_ptr<QProcess> start(std::string_view what) {
        auto process = std::make_unique<QProcess>();
        process->start(QCoreApplication::applicationFilePath(),
                       {QString::fromStdString(std::string(what)), m_folder->path()});
        process->waitForReadyRead();
        return process;
    }
    int roleOfAnother(const QString& path) {
        return QProcess::execute(
            QCoreApplication::applicationFilePath(),
            {QString::fromStdString(std::string(kAsk)), m_folder->path(), path});
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aLaterStartHandsOverItsPaths() {
        const auto first = start(kServe);
        QCOMPARE(first->readLine().trimmed(), QByteArray("ready"));
        QCOMPARE(roleOfAnother(QStringLiteral("/runs/a b")),
                 static_cast<int>(SingleInstance::Role::Handed));
        QVERIFY(first->waitForReadyRead());
        QCOMPARE(first->readLine().trimmed(), QByteArray("paths /runs/a b"));
        SingleInstance apart(m_files, folder(), kName);
        QCOMPARE(apart.startSeparately(), SingleInstance::Role::Alone); // --new-window
        first->kill();
        first->waitForFinished();
    }

    void theSocketOfAKilledProcessIsNoObstacle() {
        const auto first = start(kServe);
        first->kill(); // SIGKILL: nothing is removed
        first->waitForFinished();
        QVERIFY(QFile::exists(m_folder->filePath(kName + QStringLiteral(".socket"))));
        QElapsedTimer passed;
        passed.start();
        SingleInstance next(m_files, folder(), kName);
        QCOMPARE(next.join({}), SingleInstance::Role::First);
        QVERIFY(passed.elapsed() < 1000);
        LaunchRequest got;
        connect(&next, &SingleInstance::requested, this,
                [&got](const LaunchRequest& request) { got = request; });
        QProcess another;
        another.start(QCoreApplication::applicationFilePath(),
                      {QString::fromStdString(std::string(kAsk)), m_folder->path(),
                       QStringLiteral("/runs/\303\244")});
        QTRY_COMPARE(another.state(), QProcess::NotRunning);
        QCOMPARE(another.exitCode(), static_cast<int>(SingleInstance::Role::Handed));
        QCOMPARE(got.opening.paths.size(), std::size_t{1});
        QCOMPARE(got.opening.page, QStringLiteral("history"));
        QCOMPARE(got.activation, QByteArray("token"));
        next.leave();
        QCOMPARE(roleOfAnother(QStringLiteral("/runs/b")),
                 static_cast<int>(SingleInstance::Role::First));
    }

    void aFrozenProcessDoesNotKeepAnyoneWaiting() {
        const auto first = start(kFreeze);
        QCOMPARE(roleOfAnother(QStringLiteral("/runs/a")),
                 static_cast<int>(SingleInstance::Role::Alone));
        first->kill();
        first->waitForFinished();
    }

    void anUnusableFolderMeansAlone() {
        QFile(m_folder->filePath(QStringLiteral("file"))).open(QIODevice::WriteOnly);
        SingleInstance instance(m_files, folder() / "file" / "inside", kName);
        QCOMPARE(instance.join({}), SingleInstance::Role::Alone);
        SingleInstance none(m_files, {}, {});
        QCOMPARE(none.join({}), SingleInstance::Role::Alone);
    }

    void aLongFolderIsNoObstacle() {
        const std::filesystem::path deep = folder() / std::string(120, 'x') / std::string(120, 'y');
        SingleInstance first(m_files, deep, kName);
        QCOMPARE(first.join({}), SingleInstance::Role::First);
    }

    void onlyDisplaysAreShared() {
        qunsetenv("CAIRN_INSTANCE");
        QVERIFY(SingleInstance::defaultName(QStringLiteral("offscreen")).isEmpty());
        qputenv("DISPLAY", ":0");
        const QString one = SingleInstance::defaultName(QStringLiteral("xcb"));
        qputenv("DISPLAY", "localhost:10.0"); // over SSH: another screen
        QVERIFY(!one.isEmpty() && one != SingleInstance::defaultName(QStringLiteral("xcb")));
        qputenv("CAIRN_INSTANCE", "mine");
        QVERIFY(!SingleInstance::defaultName(QStringLiteral("offscreen")).isEmpty());
        qunsetenv("CAIRN_INSTANCE");
    }
};

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (argc == 3 && (what == kServe || what == kFreeze)) {
        return serve(argv[2], what == kFreeze);
    }
    if (argc == 4 && what == kAsk) {
        return ask(argv[2], argv[3]);
    }
    SingleInstanceTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "single_instance_test.moc"
