// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help/problem_report.h"

#include "ui/text/error_log.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/check_box.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QLocale>
#include <QPlainTextEdit>
#include <QSaveFile>
#include <QScreen>
#include <QStyle>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

QString latin(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QStringList systemLines(const ReportFacts& facts) {
    const QScreen* screen = QGuiApplication::primaryScreen();
    const QFont font = QApplication::font();
    return {QStringLiteral("Cairn: %1").arg(facts.version),
            QStringLiteral("Qt: %1 (built with %2)")
                .arg(QString::fromLatin1(qVersion()), QStringLiteral(QT_VERSION_STR)),
            QStringLiteral("System: %1, kernel %2, %3")
                .arg(QSysInfo::prettyProductName(), QSysInfo::kernelVersion(),
                     QSysInfo::currentCpuArchitecture()),
            QStringLiteral("Display: %1, style %2, %3×%4 at %5, %6")
                .arg(QGuiApplication::platformName(), QApplication::style()->name())
                .arg(screen->size().width())
                .arg(screen->size().height())
                .arg(screen->devicePixelRatio())
                .arg(theme::isDark(QGuiApplication::palette()) ? QStringLiteral("dark")
                                                               : QStringLiteral("light")),
            QStringLiteral("Locale: %1, font %2 pt").arg(QLocale().name()).arg(font.pointSizeF())};
}

QStringList windowLines(const ReportFacts& facts, bool names) {
    QStringList lines{QStringLiteral("Page: %1").arg(facts.page),
                      QStringLiteral("Open folders: %1, runs: %2, checkpoints: %3, active jobs: %4")
                          .arg(facts.folders.size())
                          .arg(facts.runs)
                          .arg(facts.checkpoints)
                          .arg(facts.activeJobs)};
    if (!facts.checkpoint) {
        lines << QStringLiteral("Checkpoint: none");
    } else {
        const Checkpoint& checkpoint = *facts.checkpoint;
        lines << QStringLiteral("Checkpoint: format %1, tensors: %2, files: %3, notices: %4")
                     .arg(latin(checkpoint.format()))
                     .arg(checkpoint.tensors().size())
                     .arg(checkpoint.files().size())
                     .arg(checkpoint.notices().size());
    }
    if (names && !facts.path.empty()) {
        lines << QStringLiteral("Path: %1").arg(text::fromPath(facts.path));
    }
    for (const std::filesystem::path& folder : facts.folders) {
        if (names) {
            lines << QStringLiteral("Folder: %1").arg(text::fromPath(folder));
        }
    }
    return lines;
}

QStringList errorLines(bool names) {
    QStringList lines;
    for (const text::LoggedError& each : text::loggedErrors()) {
        QString line = QStringLiteral("- %1 %2").arg(each.last.toString(Qt::ISODate),
                                                     latin(errorName(each.error.code)));
        if (each.times > 1) {
            line += QStringLiteral(", shown %1 times").arg(each.times);
        }
        if (names) {
            line += QStringLiteral(": ") + text::fromCore(describe(each.error));
        }
        lines << line;
    }
    return lines.isEmpty() ? QStringList{QStringLiteral("none")} : lines;
}

} // namespace

QString reportText(const ReportFacts& facts, bool names) {
    QStringList lines = systemLines(facts);
    lines << QString() << windowLines(facts, names) << QString()
          << QStringLiteral("Errors and notices shown since the start:") << errorLines(names);
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

ProblemReport::ProblemReport(ReportFacts facts, QWidget* parent)
    : QDialog(parent), m_facts(std::move(facts)), m_text(new QPlainTextEdit),
      m_names(new CheckBox(tr("Include paths, names and the full text of errors"))),
      m_done(new TextLabel({}, theme::Tone::Good)) {
    setWindowTitle(tr("Report a Problem"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                               2 * theme::kGrid);
    layout->setSpacing(theme::kGrid + 4);
    auto* words = plainLabel(
        tr("Cairn sends nothing. Copy or save this text, add what you did, what you expected and "
           "what happened, and send it to the issue tracker of the place where you got Cairn: the "
           "source repository, or the package of your system."));
    words->setWordWrap(true);
    layout->addWidget(words);
    m_text->setReadOnly(true);
    m_text->setFont(theme::mono(font()));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setTabChangesFocus(true);
    m_text->setAccessibleName(tr("Text of the report"));
    layout->addWidget(m_text, 1);
    layout->addWidget(m_names);
    auto* buttons = new QHBoxLayout;
    auto* copy = new Button(tr("Copy"));
    auto* saveAs = new Button(tr("Save…"));
    auto* close = new Button(tr("Close"));
    copy->setDefault(true);
    buttons->addWidget(copy);
    buttons->addWidget(saveAs);
    buttons->addWidget(m_done, 1);
    buttons->addWidget(close);
    layout->addLayout(buttons);
    connect(m_names, &QCheckBox::toggled, this, &ProblemReport::fill);
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(text());
        m_done->setText(tr("Copied"));
    });
    connect(saveAs, &QPushButton::clicked, this, &ProblemReport::save);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    resize(640, 460);
    fill();
}

QString ProblemReport::text() const {
    return m_text->toPlainText();
}

void ProblemReport::fill() {
    m_text->setPlainText(reportText(m_facts, m_names->isChecked()));
    m_done->clear();
}

void ProblemReport::save() {
    auto* dialog = new QFileDialog(this, tr("Save Report"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("txt"));
    dialog->selectFile(QStringLiteral("cairn-report.txt"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_saving.start(
            [path, bytes = text().toUtf8()](const CancelToken&) -> Result<int> {
                QSaveFile file(path);
                if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() ||
                    !file.commit()) {
                    return fail(ErrorCode::Io, "The report cannot be saved")
                        .inFile(path.toStdString())
                        .butFound(verbatim(file.errorString().toStdString()));
                }
                return 0;
            },
            [this](const Result<int>& saved) {
                m_done->setTone(saved ? theme::Tone::Good : theme::Tone::Broken);
                m_done->setText(saved ? tr("Saved") : text::describe(saved.error()).title);
            });
    });
    dialog->open();
}

} // namespace cairn::ui
