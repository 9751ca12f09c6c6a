// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/run_on_dialog.h"

#include "core/plan/request_words.h"
#include "ui/pages/consolidate/choice_button.h"
#include "ui/pages/consolidate/command_text.h"
#include "ui/pages/consolidate/plan_cards.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/check_box.h"
#include "ui/widgets/message_strip.h"
#include "ui/widgets/outlined.h"
#include "ui/widgets/text_field.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kScriptMs = 350;
constexpr int kMostParts = 4096;
constexpr std::uint64_t kPartBytes = 20'000'000'000; ///< that one task writes at first
const QSize kSize(760, 640);

QString schedulerWords(const std::string& name) {
    return name == schedulerName(Scheduler::Slurm) ? QStringLiteral("Slurm")
                                                   : QStringLiteral("Kubernetes");
}

std::vector<std::string> wordsOf(const std::string& text) {
    std::vector<std::string> words;
    for (const QString& word :
         QString::fromStdString(text).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        words.push_back(word.toStdString());
    }
    return words;
}

/// A line for each of the first; empty: none.
QString skippedWords(const ArrayPlan& plan) {
    constexpr std::size_t kMost = 3;
    QString lines;
    for (std::size_t i = 0; i < std::min(kMost, plan.skipped.size()); ++i) {
        const SkippedCheckpoint& skipped = plan.skipped[i];
        lines += QLatin1Char('\n') +
                 RunOnDialog::tr("without %1: %2")
                     .arg(text::fromPath(skipped.path.filename()), text::coreText(skipped.why));
    }
    if (plan.skipped.size() > kMost) {
        lines += QLatin1Char('\n') + RunOnDialog::tr("and %Ln more", nullptr,
                                                     static_cast<int>(plan.skipped.size() - kMost));
    }
    return lines;
}

/// Monospaced, to be read and copied.
QPlainTextEdit* codeView(const QString& name) {
    auto* view = new QPlainTextEdit;
    view->setFrameShape(QFrame::NoFrame);
    view->viewport()->setBackgroundRole(QPalette::AlternateBase);
    view->setReadOnly(true);
    view->setTabChangesFocus(true);
    view->setFont(theme::small(theme::mono(view->font())));
    view->setAccessibleName(name);
    view->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    return view;
}

} // namespace

Result<SubmitOptions> submitOptionsOf(const ArrayChoices& choices) {
    SubmitOptions options;
    options.options = wordsOf(choices.options);
    if (choices.scheduler == Scheduler::Kubernetes) {
        options.image = choices.image;
        for (const std::string& volume : wordsOf(choices.volumes)) {
            CAIRN_TRY(options.volumes.emplace_back(), claimedVolume(volume));
        }
    }
    return options;
}

JobRequest requestForEach(const JobRequest& request) {
    constexpr std::string_view kName = "{name}";
    JobRequest each = request;
    each.sources.clear();
    const std::filesystem::path& output = request.output.path();
    std::string name = output.filename().string();
    const std::filesystem::path source =
        request.sources.empty() ? std::filesystem::path() : request.sources.front().path();
    for (const std::string& part : {source.filename().string(), source.stem().string()}) {
        const std::size_t at = part.empty() ? std::string::npos : name.rfind(part);
        if (at != std::string::npos) {
            name.replace(at, part.size(), kName);
            each.output = output.parent_path() / name;
            return each;
        }
    }
    name = output.stem().string() + "-" + std::string(kName) + output.extension().string();
    each.output = output.parent_path() / name;
    return each;
}

std::vector<std::string> submitWords(const JobRequest& request, const ArrayChoices& choices) {
    std::vector<std::string> words{"submit", std::string(schedulerName(choices.scheduler))};
    const bool each = !choices.eachOf.empty();
    std::ranges::copy(requestWords(absoluteRequest(each ? requestForEach(request) : request)),
                      std::back_inserter(words));
    if (each) {
        words.push_back("--each-checkpoint=" + choices.eachOf.string());
    }
    words.push_back("--parts=" + std::to_string(choices.parts));
    if (choices.scheduler == Scheduler::Kubernetes) {
        if (!choices.image.empty()) {
            words.push_back("--image=" + choices.image);
        }
        for (const std::string& volume : wordsOf(choices.volumes)) {
            words.push_back("--volume=" + volume);
        }
    }
    const std::vector<std::string> options = wordsOf(choices.options);
    if (!options.empty()) {
        words.emplace_back("--");
        std::ranges::copy(options, std::back_inserter(words));
    }
    return words;
}

RunOnDialog::RunOnDialog(JobRequest request, std::uint64_t bytes, FileOps& ops,
                         std::optional<ScannedRun> run, QWidget* parent)
    : QDialog(parent), m_request(std::move(request)), m_ops(ops), m_run(std::move(run)),
      m_where(new TextLabel({}, theme::Tone::Dim)),
      m_each(new CheckBox(m_run ? tr("Each checkpoint of %1").arg(text::fromCore(m_run->name))
                                : QString())),
      m_scheduler(new ChoiceButton(tr("Scheduler"),
                                   {std::string(schedulerName(Scheduler::Slurm)),
                                    std::string(schedulerName(Scheduler::Kubernetes))},
                                   schedulerWords, ChoiceButton::Others::No)),
      m_parts(new Outlined<QSpinBox>), m_options(new TextField), m_image(new TextField),
      m_volumes(new TextField), m_facts(new TextLabel({}, theme::Tone::Dim)),
      m_command(codeView(tr("Command"))), m_script(codeView(tr("Script"))),
      m_strip(new MessageStrip), m_copyScript(new Button(tr("Copy Script"))),
      m_submit(new Button(tr("Submit"))) {
    setWindowTitle(tr("Run On"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                               2 * theme::kGrid);
    layout->setSpacing(theme::kGrid);
    auto* headline = new TextLabel(tr("Run as an array on a scheduler"));
    headline->setFont(theme::headline(headline->font()));
    layout->addWidget(headline);
    m_where->setElideMiddle(true);
    layout->addWidget(m_where);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme::kGrid);
    grid->setVerticalSpacing(theme::kGrid);
    grid->setColumnMinimumWidth(0, kNameWidth);
    grid->setColumnStretch(1, 1);
    layout->addLayout(grid);
    buildRows(grid);
    m_facts->setWordWrap(true);
    layout->addWidget(m_facts);
    m_strip->setClosable(false);
    m_strip->hide();
    layout->addWidget(m_strip);
    layout->addWidget(captionLabel(tr("Command Line")));
    layout->addWidget(m_command, 2);
    layout->addWidget(captionLabel(tr("What is submitted")));
    layout->addWidget(m_script, 3);
    layout->addWidget(buttons());
    resize(kSize.boundedTo(parent != nullptr ? parent->size() : kSize));
    m_scheduler->setValue(std::string(schedulerName(Scheduler::Slurm)));
    const std::uint64_t parts = std::clamp<std::uint64_t>(bytes / kPartBytes + 1, 1, 64);
    m_parts->setValue(static_cast<int>(parts));
    m_typing.setSingleShot(true);
    m_typing.setInterval(kScriptMs);
    connect(&m_typing, &QTimer::timeout, this, &RunOnDialog::replan);
    connect(m_scheduler, &ChoiceButton::chosenByUser, this, [this](const std::string& name) {
        m_scheduler->setValue(name);
        replan();
    });
    connect(m_parts, &QSpinBox::valueChanged, this, &RunOnDialog::changeSoon);
    connect(m_each, &QCheckBox::toggled, this, [this, parts](bool each) {
        m_partsName->setText(each ? tr("tasks each") : tr("tasks"));
        m_parts->setValue(each ? 1 : static_cast<int>(parts));
        replan();
    });
    for (QLineEdit* edit : {m_options, m_image, m_volumes}) {
        connect(edit, &QLineEdit::textChanged, this, &RunOnDialog::changeSoon);
    }
    replan();
}

void RunOnDialog::buildRows(QGridLayout* grid) {
    const auto add = [grid](const QString& name, QWidget* value) {
        auto* label = new TextLabel(name, theme::Tone::Dim);
        label->setBuddy(value);
        const int row = grid->rowCount();
        grid->addWidget(label, row, 0);
        grid->addWidget(value, row, 1,
                        qobject_cast<TextField*>(value) != nullptr ? Qt::Alignment()
                                                                   : Qt::AlignLeft);
        return std::vector<QWidget*>{label, value};
    };
    if (m_run) {
        add(tr("run"), m_each);
    } else {
        m_each->setParent(this);
        m_each->hide();
    }
    m_parts->setRange(1, kMostParts);
    m_parts->setMinimumHeight(theme::kControlHeight);
    m_parts->setAccessibleName(tr("Number of tasks"));
    add(tr("scheduler"), m_scheduler);
    m_partsName = static_cast<TextLabel*>(add(tr("tasks"), m_parts).front());
    m_image->setAccessibleName(tr("Container image"));
    m_image->setPlaceholderText(QStringLiteral("registry/cairn@sha256:…"));
    m_volumes->setAccessibleName(tr("Volumes"));
    m_volumes->setPlaceholderText(tr("CLAIM=/path of the data on this machine"));
    for (const auto& row : {add(tr("image"), m_image), add(tr("volumes"), m_volumes)}) {
        std::ranges::copy(row, std::back_inserter(m_kubernetesRows));
    }
    m_options->setAccessibleName(tr("Options for the scheduler"));
    add(tr("options"), m_options);
}

/// None is the default: Enter submits nothing.
QWidget* RunOnDialog::buttons() {
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(theme::kGrid);
    auto* copy = new Button(tr("Copy as Command"));
    auto* close = new Button(tr("Close"));
    for (Button* each : {copy, m_copyScript}) {
        line->addWidget(each);
    }
    line->addStretch(1);
    line->addWidget(close);
    line->addWidget(m_submit);
    m_submit->setPrimary(true);
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(command());
        Q_EMIT copied(tr("Command copied to the clipboard"));
    });
    connect(m_copyScript, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(script());
        Q_EMIT copied(tr("Copied to the clipboard"));
    });
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_submit, &QPushButton::clicked, this, &RunOnDialog::submit);
    return row;
}

ArrayChoices RunOnDialog::choices() const {
    const bool slurm = m_scheduler->value() == schedulerName(Scheduler::Slurm);
    return {slurm ? Scheduler::Slurm : Scheduler::Kubernetes,
            static_cast<std::size_t>(m_parts->value()),
            m_options->text().toStdString(),
            m_image->text().trimmed().toStdString(),
            m_volumes->text().toStdString(),
            takesEach() ? m_run->path : std::filesystem::path()};
}

bool RunOnDialog::takesEach() const {
    return m_run && m_each->isChecked();
}

void RunOnDialog::showWhere() {
    const JobRequest request = takesEach() ? requestForEach(m_request) : m_request;
    m_where->setText(text::fromPath(request.output.path()));
}

QString RunOnDialog::command() const {
    return m_command->toPlainText();
}

QString RunOnDialog::script() const {
    return m_script->toPlainText();
}

bool RunOnDialog::isSettled() const {
    return !m_typing.isActive() && !m_planning.isRunning() && !m_submitting.isRunning();
}

void RunOnDialog::changeSoon() {
    m_submit->setEnabled(false);
    m_typing.start();
}

/// The plan and a dry run; both read the disk.
void RunOnDialog::replan() {
    m_typing.stop();
    const ArrayChoices wanted = choices();
    const bool kubernetes = wanted.scheduler == Scheduler::Kubernetes;
    for (QWidget* widget : m_kubernetesRows) {
        widget->setVisible(kubernetes);
    }
    m_options->setPlaceholderText(kubernetes ? QStringLiteral("--namespace=team")
                                             : QStringLiteral("--partition=cpu --account=team"));
    showWhere();
    m_command->setPlainText(commandText(submitWords(m_request, wanted)));
    m_submit->setEnabled(false);
    m_plan.reset();
    m_facts->setText(tr("planning…"));
    m_planning.start(
        [request = absoluteRequest(takesEach() ? requestForEach(m_request) : m_request),
         run = takesEach() ? m_run : std::nullopt, wanted,
         ops = &m_ops](const CancelToken& cancel) -> Result<Made> {
            CAIRN_TRY(SubmitOptions options, submitOptionsOf(wanted));
            options.dryRun = true;
            CAIRN_TRY(ArrayPlan plan, run ? planEachCheckpoint(request, *run, wanted.parts, cancel)
                                          : planArray(request, wanted.parts, cancel));
            CAIRN_TRY(Submitted submitted, submitArray(wanted.scheduler, plan, options, *ops,
                                                       SubmissionRegistry(), cancel));
            return Made{std::move(plan), std::move(submitted)};
        },
        [this](const Result<Made>& made) { made ? show(*made) : showError(made.error()); });
}

void RunOnDialog::show(const Made& made) {
    m_plan = made.plan;
    const std::uint64_t most = *std::ranges::max_element(made.plan.taskBytes);
    m_facts->setText(
        QStringList{tr("%Ln tasks", nullptr, static_cast<int>(made.plan.job.tasks())),
                    tr("at most %1 each").arg(text::bytes(most)),
                    tr("%1 memory").arg(text::bytes(made.plan.needs.memoryBytes)),
                    tr("time limit %1")
                        .arg(text::estimate(static_cast<double>(made.plan.needs.taskSeconds)))}
            .join(QStringLiteral(" · ")) +
        skippedWords(made.plan));
    QStringList scripts;
    for (const Submitted::Call& call : made.submitted.calls) {
        QStringList words;
        for (const std::string& word : call.words) {
            words << shellQuoted(QString::fromStdString(word));
        }
        scripts << QStringLiteral("# ") + words.join(QLatin1Char(' ')) + QLatin1Char('\n') +
                       QString::fromStdString(call.input);
    }
    m_script->setPlainText(scripts.join(QLatin1Char('\n')));
    m_copyScript->setEnabled(true);
    m_submit->setEnabled(true);
    m_strip->hide();
}

void RunOnDialog::showError(const Error& error) {
    const text::ErrorWords words = text::describe(error);
    m_facts->clear();
    m_script->clear();
    m_copyScript->setEnabled(false);
    m_strip->show({theme::Tone::Attention, words.title, words.detail, {}});
    m_strip->QWidget::show();
}

void RunOnDialog::reject() {
    if (!m_submitting.isRunning()) {
        QDialog::reject();
    }
}

void RunOnDialog::submit() {
    if (!m_plan || m_submitting.isRunning()) {
        return;
    }
    m_submit->setEnabled(false);
    m_submitting.start(
        [plan = *m_plan, wanted = choices(),
         ops = &m_ops](const CancelToken& cancel) -> Result<Submitted> {
            CAIRN_TRY(const SubmitOptions options, submitOptionsOf(wanted));
            return submitArray(wanted.scheduler, plan, options, *ops, SubmissionRegistry(), cancel);
        },
        [this](const Result<Submitted>& done) {
            if (done) {
                submitted(*done);
            } else {
                const QString script = m_script->toPlainText();
                showError(done.error());
                m_script->setPlainText(script);
                m_copyScript->setEnabled(true);
                m_submit->setEnabled(true);
            }
        });
}

void RunOnDialog::submitted(const Submitted& done) {
    const QString id = text::fromCore(done.submission.id);
    const QString status = commandText({"job", "status", done.submission.id});
    m_strip->show({theme::Tone::Good,
                   tr("Submitted as %1").arg(id),
                   status,
                   {{tr("Show Status"),
                     [this] {
                         accept();
                         Q_EMIT statusRequested();
                     }},
                    {tr("Copy Command"), [this, status] {
                         QGuiApplication::clipboard()->setText(status);
                         Q_EMIT copied(tr("Command copied to the clipboard"));
                     }}}});
    m_strip->QWidget::show();
}

} // namespace cairn::ui
