// SPDX-License-Identifier: GPL-3.0-or-later
// The window's entry: makes what lives as long as the program, hands it to the window, runs.
#include "app/bus_service.h"
#include "app/cli/sample_writer.h"
#include "app/single_instance.h"
#include "core/base/other_machine.h"
#include "core/compute/torch_module.h"
#include "core/io/file_ops.h"
#include "core/io/open_files.h"
#include "core/jobs/queue/job_queue.h"
#include "core/store/ssh_store.h"
#include "ui/bridge/async_runner.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screenshots/screenshots.h"
#include "ui/text/language.h"
#include "ui/text/plain_text.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QIcon>
#include <QMessageBox>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTextStream>

#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <malloc.h>
#include <new>
#include <vector>

namespace {

using namespace cairn;

constexpr std::chrono::seconds kLeaveLimit{3};

/// No worker may post to a destroyed application. One on a hung mount does not return: then the
/// process ends at once, because it has nothing left to write.
void waitForWorkers(int result) {
    if (!ui::AsyncRunner::waitForAll(kLeaveLimit)) {
        std::_Exit(result);
    }
}

/// A failed allocation in an event handler only loses the requested action, not the window.
class Application final : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override {
        try {
            return QApplication::notify(receiver, event);
        } catch (const std::bad_alloc&) {
            warnOnce();
            return false;
        }
    }

private:
    void warnOnce() {
        if (m_warning) {
            return;
        }
        m_warning = true;
        QMetaObject::invokeMethod(
            this,
            [this] {
                QMessageBox::warning(
                    activeWindow(), applicationDisplayName(),
                    QCoreApplication::translate("cairn::ui::MainWindow",
                                                "Not enough memory for this operation."));
                m_warning = false;
            },
            Qt::QueuedConnection);
    }

    bool m_warning = false;
};

struct CommandLine {
    ui::Opening opening; ///< its paths are as typed
    bool newWindow = false;
    bool service = false;
    QString screenshots;
};

constexpr int kServicePatienceMs = 10000;
constexpr int kNoWindow = 4; ///< exit code: the window cannot be opened

/// Qt ends the process with SIGABRT and several lines if it cannot open a display. One sentence
/// and an exit code instead; what Qt warned of before is part of it. Only while the application
/// object is made.
void explainMissingDisplay(QtMsgType type, const QMessageLogContext& /*context*/,
                           const QString& message) {
    static QString warnings; // main thread only
    if (type != QtFatalMsg) {
        warnings += QLatin1StringView("\n  found:    ") + message.simplified();
        return;
    }
    const QByteArray platform = qgetenv("QT_QPA_PLATFORM");
    const QByteArray wayland = qgetenv("WAYLAND_DISPLAY");
    const QByteArray display = wayland.isEmpty() ? qgetenv("DISPLAY") : wayland;
    QString sentence = QStringLiteral("No display: neither DISPLAY nor WAYLAND_DISPLAY is set");
    if (!platform.isEmpty()) {
        sentence = QStringLiteral("Qt cannot use the platform %1 of QT_QPA_PLATFORM")
                       .arg(QString::fromLocal8Bit(platform));
    } else if (!display.isEmpty()) {
        sentence = QStringLiteral("Cannot open the display %1, or a library of its platform plugin "
                                  "is missing")
                       .arg(QString::fromLocal8Bit(display));
    }
    QTextStream(stderr)
        << "cairn: " << sentence << warnings
        << "\n  hint:     cairn-cli and `cairn --screenshots FOLDER` need no display" << Qt::endl;
    std::_Exit(kNoWindow);
}

[[noreturn]] void refuse(const QString& sentence) {
    QTextStream(stderr) << "cairn: " << sentence << Qt::endl;
    std::exit(2);
}

/// The options of the program. --service is for the session bus alone (packaging/desktop).
struct Options {
    QCommandLineOption help{{QStringLiteral("h"), QStringLiteral("help")},
                            QStringLiteral("Show this help and exit.")};
    QCommandLineOption version{{QStringLiteral("v"), QStringLiteral("version")},
                               QStringLiteral("Show the version and exit.")};
    QCommandLineOption sample{QStringLiteral("sample"),
                              QStringLiteral("Open the sample experiment.")};
    QCommandLineOption diff{QStringLiteral("diff"),
                            QStringLiteral("Show the differences of two checkpoints.")};
    QCommandLineOption compare{QStringLiteral("compare"),
                               QStringLiteral("Compare two or more runs.")};
    QCommandLineOption page{
        QStringLiteral("page"),
        QStringLiteral("Show this page first: %1.").arg(ui::pageNames().join(QStringLiteral(", "))),
        QStringLiteral("page")};
    QCommandLineOption newWindow{
        QStringLiteral("new-window"),
        QStringLiteral("Open another window, also if the program is already running.")};
    QCommandLineOption screenshots{
        QStringLiteral("screenshots"),
        QStringLiteral("Write a screenshot of every page, or of --page, to <folder> and exit; "
                       "needs no display."),
        QStringLiteral("folder")};
    QCommandLineOption service{QStringLiteral("service")};
};

ui::Opening openingOf(const QCommandLineParser& parser, const Options& options) {
    ui::Opening opening;
    opening.sample = parser.isSet(options.sample);
    opening.page = parser.value(options.page);
    for (const QString& path : parser.positionalArguments()) {
        opening.paths.push_back(ui::text::toPath(path));
    }
    if (parser.isSet(options.page) && !ui::pageNames().contains(opening.page)) {
        refuse(QStringLiteral("Unknown page \"%1\"; the pages are %2")
                   .arg(opening.page, ui::pageNames().join(QStringLiteral(", "))));
    }
    if (parser.isSet(options.diff)) {
        opening.view = ui::Opening::View::Diff;
        if (opening.paths.size() != 2 || parser.isSet(options.compare)) {
            refuse(QStringLiteral("--diff requires two checkpoints"));
        }
    }
    if (parser.isSet(options.compare)) {
        opening.view = ui::Opening::View::Compare;
        if (opening.paths.size() < 2) {
            refuse(QStringLiteral("--compare requires two or more runs"));
        }
    }
    return opening;
}

/// Options of Qt itself, which the application object takes: "-style fusion", "--platform=xcb".
bool isOfQt(const QString& argument, bool& takesValue) {
    static const QStringList alone{QStringLiteral("reverse"), QStringLiteral("nograb"),
                                   QStringLiteral("dograb"), QStringLiteral("sync")};
    static const QStringList valued{
        QStringLiteral("platform"),        QStringLiteral("platformpluginpath"),
        QStringLiteral("platformtheme"),   QStringLiteral("plugin"),
        QStringLiteral("style"),           QStringLiteral("stylesheet"),
        QStringLiteral("qwindowgeometry"), QStringLiteral("qwindowicon"),
        QStringLiteral("qwindowtitle"),    QStringLiteral("session"),
        QStringLiteral("display"),         QStringLiteral("geometry"),
        QStringLiteral("fontengine"),      QStringLiteral("dialogs")};
    if (!argument.startsWith(QLatin1Char('-'))) {
        return false;
    }
    const QString name = argument.mid(argument.startsWith(QLatin1String("--")) ? 2 : 1);
    const QString before = name.section(QLatin1Char('='), 0, 0);
    takesValue = valued.contains(name);
    return takesValue || alone.contains(name) ||
           (valued.contains(before) && name.contains(QLatin1Char('=')));
}

/// Runs before the application object exists, so that --version and --help need no display.
CommandLine parse(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i) {
        const QString argument = QString::fromLocal8Bit(argv[i]);
        bool takesValue = false;
        if (i > 0 && isOfQt(argument, takesValue)) {
            i += takesValue ? 1 : 0;
        } else {
            arguments << argument;
        }
    }
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Browse, compare and consolidate the checkpoints of training runs."));
    Options options;
    options.service.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOptions({options.help, options.version, options.sample, options.diff, options.compare,
                       options.page, options.newWindow, options.screenshots, options.service});
    parser.addPositionalArgument(QStringLiteral("path"),
                                 QStringLiteral("Run folders or checkpoints to open."),
                                 QStringLiteral("[path…]"));
    QTextStream out(stdout);
    if (!parser.parse(arguments)) {
        refuse(parser.errorText());
    }
    if (parser.isSet(options.help)) {
        // Without an application object Qt does not know the program's name.
        out << parser.helpText().replace(QStringLiteral("<executable_name>"),
                                         QStringLiteral("cairn"));
        out.flush();
        std::exit(0);
    }
    if (parser.isSet(options.version)) {
        out << "cairn " << CAIRN_VERSION << Qt::endl;
        std::exit(0);
    }
    return {openingOf(parser, options), parser.isSet(options.newWindow),
            parser.isSet(options.service), parser.value(options.screenshots)};
}

/// Unpacks the sample experiment into a separate sub-folder, so that consolidating has a place to
/// write. An existing one is kept. Any thread.
Result<std::filesystem::path> unpackSample(const QString& below, FileOps& fileOps) {
    const std::filesystem::path target = ui::text::toPath(below) / "sample-experiment";
    std::error_code ignored;
    if (!std::filesystem::exists(target / "README.md", ignored)) {
        QDir().mkpath(below);
        CAIRN_CHECK(writeSample(target, fileOps));
    }
    return target;
}

int saveScreenshots(const CommandLine& line, ui::Services& services) {
    const QTemporaryDir scratch;
    QSettings settings(scratch.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    // Pages store their columns in the user's settings, which screenshots must not change.
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, scratch.path());
    std::filesystem::path experiment;
    const bool sample = line.opening.sample || line.opening.paths.empty();
    if (sample) {
        const Result<std::filesystem::path> copied =
            unpackSample(scratch.path(), *services.fileOps);
        if (!copied) {
            QTextStream(stderr) << "cairn: " << QString::fromStdString(describe(copied.error()))
                                << Qt::endl;
            return 3;
        }
        experiment = *copied;
    } else {
        experiment = line.opening.paths.front();
    }
    qputenv("XDG_STATE_HOME",
            scratch.path().toLocal8Bit()); // does not change the user's list of jobs
    int result = 0;
    {
        ui::MainWindow window(services, settings);
        const auto count = ui::writeScreenshots(window, experiment, line.screenshots,
                                                {.page = line.opening.page, .consolidate = sample});
        result = count ? 0 : 3;
        QTextStream(stdout) << count.value_or(0) << " screenshots written to " << line.screenshots
                            << Qt::endl;
    }
    waitForWorkers(result);
    return result;
}

int runWindow(const LaunchRequest& request, ui::Services& services, SingleInstance& instance,
              BusService& bus) {
    QSettings settings;
    int result = 0;
    {
        ui::MainWindow window(services, settings);
        window.QWidget::show();
        window.offerUnfinished();
        if (request.opening.sample) {
            window.stopSavingSession(); // the session of the sample is not saved
        } else if (request.opening.paths.empty()) {
            std::error_code ignored;
            window.resume(std::filesystem::current_path(ignored));
        }
        window.open(request.opening);
        const auto summon = [&window](const LaunchRequest& later) {
            if (!later.activation.isEmpty()) {
                qputenv("XDG_ACTIVATION_TOKEN", later.activation);
            }
            window.summon(later.opening);
        };
        QObject::connect(&instance, &SingleInstance::requested, &window, summon);
        QObject::connect(&bus, &BusService::requested, &window, summon);
        QObject::connect(&bus, &BusService::newWindowRequested, &window, [] {
            QProcess::startDetached(QCoreApplication::applicationFilePath(),
                                    {QStringLiteral("--new-window")});
        });
        result = QApplication::exec();
        instance.leave(); // a start from now on opens its own window
        bus.leave();
    }
    settings.sync();
    waitForWorkers(result);
    return result;
}

/// What a running program is asked for; paths are relative to the folder of this process.
LaunchRequest requestOf(const CommandLine& line) {
    LaunchRequest request{line.opening, qgetenv("XDG_ACTIVATION_TOKEN")};
    for (std::filesystem::path& path : request.opening.paths) {
        path = absolutePlace(path);
    }
    return request;
}

} // namespace

int main(int argc, char** argv) {
    const CommandLine line = parse(argc, argv);
    if (!line.screenshots.isEmpty() && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    allowManyOpenFiles();
    std::signal(SIGPIPE, SIG_IGN); // a far end or a reader may end early: a failed write says so
    std::signal(SIGXFSZ, SIG_IGN);
    store::useSsh(CAIRN_VERSION);
    LaunchRequest request = requestOf(line); // before Qt uses the activation up
    // Arrays of a million tensors go back to the system when they are freed; otherwise malloc keeps
    // up to 32 MiB of each in the arena of the worker that made it.
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    const QtMessageHandler messages = qInstallMessageHandler(explainMissingDisplay);
    Application application(argc, argv);
    qInstallMessageHandler(messages);
    // Qt takes the user's locale for the whole process; the core writes and reads numbers with a
    // point ("%g", strtod). What is shown is formatted by QLocale.
    std::setlocale(LC_NUMERIC, "C");
    QApplication::setOrganizationName(QStringLiteral("cairn"));
    QApplication::setApplicationName(QStringLiteral("cairn"));
    QApplication::setApplicationDisplayName(QStringLiteral("Cairn"));
    QApplication::setApplicationVersion(QStringLiteral(CAIRN_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral(CAIRN_APP_ID));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/cairn.svg")));
    const bool isReversed = QGuiApplication::isRightToLeft(); // -reverse, an option of Qt
    ui::text::installLanguage(application);
    if (isReversed) {
        QGuiApplication::setLayoutDirection(Qt::RightToLeft);
    }
    BusService bus(QStringLiteral(CAIRN_APP_ID));
    if (line.service) {
        const auto asked = bus.offer() ? bus.waitForRequest(kServicePatienceMs) : std::nullopt;
        if (!asked) {
            return 0; // nobody asked for anything, or another process answers
        }
        request = *asked;
    }
    RealFileOps fileOps;
    const QString name = line.screenshots.isEmpty()
                             ? SingleInstance::defaultName(QGuiApplication::platformName())
                             : QString();
    SingleInstance instance(
        fileOps, name.isEmpty() ? std::filesystem::path() : SingleInstance::defaultFolder(), name);
    const SingleInstance::Role role =
        line.newWindow ? instance.startSeparately() : instance.join(request);
    if (role == SingleInstance::Role::Handed) {
        return 0;
    }
    if (line.screenshots.isEmpty() && !line.newWindow && !line.service) {
        bus.offer(); // the desktop finds this process
    }
    JobQueue jobs;
    ui::Services services;
    services.jobs = &jobs;
    services.fileOps = &fileOps;
    services.version = QStringLiteral(CAIRN_VERSION);
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    services.prepareSample = [data, &fileOps](const CancelToken&) {
        return unpackSample(data, fileOps);
    };
    services.describeTorch = [](const CancelToken&) -> Result<QString> {
        CAIRN_TRY(const TorchModuleInfo module, openTorchModule());
        return QString::fromStdString(module.torchVersion + ", " + module.device);
    };
    return line.screenshots.isEmpty() ? runWindow(request, services, instance, bus)
                                      : saveScreenshots(line, services);
}
