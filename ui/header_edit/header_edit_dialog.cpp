// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/header_edit/header_edit_dialog.h"

#include "ui/header_edit/header_change_model.h"
#include "ui/header_edit/header_facts.h"
#include "ui/header_edit/metadata_card.h"
#include "ui/header_edit/metadata_edit_model.h"
#include "ui/models/row_view.h"
#include "ui/pages/consolidate/command_text.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/message_strip.h"
#include "ui/widgets/name_rules_editor.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScrollArea>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

constexpr int kTypingMs = 350;
const QSize kSize(860, 760);
const QSize kLeast(520, 440);

} // namespace

HeaderEditDialog::HeaderEditDialog(FileOps& ops, std::filesystem::path file, QWidget* parent)
    : QDialog(parent), m_ops(ops), m_file(std::move(file)), m_scroll(new QScrollArea),
      m_body(new QWidget), m_names(new NameRulesEditor(tr("Tensor names in the file"))),
      m_metadata(new MetadataCard), m_changesCard(new Card(tr("Changes"))),
      m_nothing(new TextLabel({}, theme::Tone::Dim)), m_changes(new HeaderChangeModel(this)),
      m_list(new RowView), m_facts(new HeaderFacts), m_strip(new MessageStrip),
      m_copy(new Button(tr("Copy as Command"))), m_close(new Button(tr("Close"))),
      m_apply(new Button(tr("Apply to File"))) {
    setWindowTitle(tr("Edit Names and Metadata"));
    buildLayout();
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingMs);
    connect(&m_typing, &QTimer::timeout, this, &HeaderEditDialog::replan);
    connect(m_names, &NameRulesEditor::chosen, this, [this](const std::string& rules) {
        m_rename = rules;
        m_names->setRules(rules);
        replan();
    });
    connect(m_names, &NameRulesEditor::typed, this, [this](const std::string& rules) {
        m_rename = rules;
        m_typing.start();
        refresh();
    });
    connect(&m_metadata->model(), &MetadataEditModel::edited, this, &HeaderEditDialog::replan);
    connect(m_facts, &HeaderFacts::keepChanged, this, &HeaderEditDialog::refresh);
    load();
}

void HeaderEditDialog::buildLayout() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                               2 * theme::kGrid);
    layout->setSpacing(theme::kGrid + 4);
    auto* headline = new TextLabel(windowTitle());
    headline->setFont(theme::headline(headline->font()));
    auto* path = new TextLabel(text::fromPath(m_file), theme::Tone::Dim);
    path->setElideMiddle(true);
    auto* head = new QVBoxLayout;
    head->setSpacing(2);
    head->addWidget(headline);
    head->addWidget(path);
    layout->addLayout(head);
    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(layout->spacing());
    auto* names = new Card(tr("Names"));
    names->content()->addWidget(m_names);
    body->addWidget(names);
    body->addWidget(m_metadata, 2);
    m_list->setModel(m_changes);
    m_list->setAccessibleName(tr("Changes"));
    m_list->setRootIsDecorated(false);
    m_list->header()->setSectionsMovable(false);
    m_list->header()->setSectionResizeMode(QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(HeaderChangeModel::What, QHeaderView::Interactive);
    m_list->header()->resizeSection(HeaderChangeModel::What,
                                    m_list->fontMetrics().averageCharWidth() * 14);
    m_list->setMinimumHeight(4 * 28);
    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_changesCard->content()->addWidget(m_nothing);
    m_changesCard->content()->addWidget(m_list, 1);
    body->addWidget(m_changesCard, 3);
    body->addWidget(m_facts);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setWidget(m_body);
    layout->addWidget(m_scroll, 1);
    m_strip->setClosable(false);
    m_strip->hide();
    layout->addWidget(m_strip);
    layout->addWidget(buttons());
    fit();
}

/// None of the buttons is the default: Enter never writes.
QWidget* HeaderEditDialog::buttons() {
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(theme::kGrid);
    line->addWidget(m_copy);
    line->addStretch(1);
    line->addWidget(m_close);
    line->addWidget(m_apply);
    m_apply->setPrimary(true);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_command);
        Q_EMIT copied(tr("Command copied to the clipboard"));
    });
    connect(m_close, &QPushButton::clicked, this, &HeaderEditDialog::reject);
    connect(m_apply, &QPushButton::clicked, this, &HeaderEditDialog::ask);
    return row;
}

MetadataEditModel& HeaderEditDialog::metadata() const {
    return m_metadata->model();
}

bool HeaderEditDialog::isSettled() const {
    return !m_typing.isActive() && !m_planning.isRunning() && !m_writing.isRunning();
}

void HeaderEditDialog::reject() {
    if (!m_writing.isRunning()) {
        QDialog::reject();
    }
}

HeaderDraft HeaderEditDialog::draft() const {
    const MetadataEditModel& entries = m_metadata->model();
    return {m_rename, entries.set(), entries.unset(), m_facts->keepsBackup()};
}

/// Reads the file; previous changes are dropped.
void HeaderEditDialog::load() {
    m_loaded = false;
    m_rename.clear();
    m_names->setRules({});
    m_metadata->model().load({});
    replan();
}

void HeaderEditDialog::replan() {
    m_typing.stop();
    m_asks = false;
    m_plan.reset();
    m_error.reset();
    if (m_loaded) {
        m_recoveryText.clear();
    }
    m_planning.start(
        [ops = &m_ops, file = m_file,
         draft = draft()](const CancelToken&) -> Result<HeaderEditPlanPtr> {
            CAIRN_TRY(const HeaderChanges changes, changesOf(draft));
            CAIRN_TRY(HeaderEditPlan plan, planHeaderEdit(*ops, file, changes, optionsOf(draft)));
            return std::make_shared<const HeaderEditPlan>(std::move(plan));
        },
        [this](Result<HeaderEditPlanPtr> plan) {
            if (!plan) {
                refused(plan.error());
                return;
            }
            m_plan = std::move(*plan);
            if (!m_loaded) {
                m_loaded = true;
                m_metadata->model().load(m_plan->edited.entries);
            }
            refresh();
        });
    refresh();
}

void HeaderEditDialog::refused(const Error& error) {
    m_error = error;
    refresh();
}

void HeaderEditDialog::ask() {
    if (m_plan && m_apply->isEnabled()) {
        m_asks = true;
        refresh();
    }
}

void HeaderEditDialog::apply() {
    if (!m_plan || m_writing.isRunning()) {
        return;
    }
    m_asks = false;
    m_writing.start([ops = &m_ops, plan = m_plan, options = optionsOf(draft())](
                        const CancelToken&) { return applyHeaderEdit(*ops, *plan, options); },
                    [this](Result<HeaderEditReport> report) {
                        if (report) {
                            applied(*report);
                            return;
                        }
                        m_plan.reset(); // of a file that may have been replaced
                        refused(report.error());
                    });
    refresh();
}

void HeaderEditDialog::applied(const HeaderEditReport& report) {
    QStringList remarks;
    if (!report.backup.empty()) {
        remarks << tr("The old header is kept in %1.").arg(text::fromPath(report.backup));
    }
    std::vector<Notice> notices = m_plan->notices;
    notices.insert(notices.end(), report.notices.begin(), report.notices.end());
    for (const Notice& notice : notices) {
        const text::ErrorWords words = text::describe(notice.error);
        remarks << words.title + QStringLiteral(". ") + words.detail;
    }
    Q_EMIT planApplied(m_plan);
    Q_EMIT fileChanged(m_file, tr("The header was written and verified"),
                       remarks.join(QLatin1Char(' ')));
    accept();
}

void HeaderEditDialog::recover() {
    m_writing.start(
        [ops = &m_ops, file = m_file](const CancelToken&) { return recoverHeaderEdit(*ops, file); },
        [this](Result<Recovered> how) {
            if (how) {
                recovered(*how);
            } else {
                refused(how.error());
            }
        });
    refresh();
}

void HeaderEditDialog::recovered(Recovered how) {
    m_recoveryText = how == Recovered::Nothing ? tr("No interrupted edit of this file was found.")
                     : how == Recovered::Undone
                         ? tr("The interrupted edit was undone; the file is unchanged.")
                         : tr("The interrupted edit had already completed; nothing to recover.");
    Q_EMIT fileChanged(m_file, m_recoveryText, {});
    load();
}

void HeaderEditDialog::refresh() {
    const bool writing = m_writing.isRunning();
    const bool current = m_plan && !m_typing.isActive();
    const bool possible =
        current && (m_plan->method == EditMethod::InRoom || m_plan->method == EditMethod::Insert);
    const bool editable = m_loaded || !m_error;
    m_scroll->setVisible(editable);
    m_body->setEnabled(m_loaded && !writing);
    m_strip->setEnabled(!writing);
    m_close->setEnabled(!writing);
    m_copy->setVisible(editable);
    m_apply->setVisible(editable);
    m_asks = m_asks && possible;
    m_apply->setEnabled(possible && !writing && !m_asks);
    m_apply->setText(writing ? tr("Writing…") : tr("Apply to File"));
    m_apply->updateGeometry();
    if (m_plan) {
        m_facts->show(*m_plan);
        showChanges();
    } else if (m_error) {
        m_facts->showRefused();
        showNothing(tr("These changes cannot be applied; see the message below."));
    }
    showCommand();
    showMessage();
    fit();
}

/// Only as high as the message where nothing else can be shown.
void HeaderEditDialog::fit() {
    const bool small = m_scroll->isHidden();
    if (small == m_small) {
        return;
    }
    m_small = small;
    const QSize room = parentWidget() != nullptr ? parentWidget()->size() : kSize;
    const QSize wanted = kSize.boundedTo(room).expandedTo(kLeast);
    layout()->activate();
    setMinimumSize(small ? QSize(kLeast.width(), 0) : kLeast);
    resize(small ? QSize(wanted.width(), layout()->totalHeightForWidth(wanted.width())) : wanted);
}

void HeaderEditDialog::showChanges() {
    const auto names = static_cast<int>(m_plan->edited.renamed.size());
    const auto entries = static_cast<int>(m_plan->edited.metadata.size());
    if (names + entries == 0) {
        showNothing(
            m_rename.empty()
                ? tr("No changes yet. Choose a rule for the names or edit a metadata entry.")
                : tr("These rules do not change any name."));
        return;
    }
    m_changes->show(m_plan);
    QStringList counts;
    if (names > 0) {
        counts << tr("%Ln names", nullptr, names);
    }
    if (entries > 0) {
        counts << tr("%Ln metadata entries", nullptr, entries);
    }
    m_changesCard->setTitle(tr("Changes: %1").arg(counts.join(QStringLiteral(" · "))));
    m_list->show();
    m_nothing->hide();
}

void HeaderEditDialog::showNothing(const QString& why) {
    m_changes->show(nullptr);
    m_changesCard->setTitle(tr("Changes"));
    m_list->hide();
    m_nothing->setText(why);
    m_nothing->show();
}

void HeaderEditDialog::showCommand() {
    const bool asked =
        m_loaded && m_plan &&
        (m_plan->method == EditMethod::InRoom || m_plan->method == EditMethod::Insert);
    const auto words = asked ? commandOf(m_file, draft())
                             : Result<std::vector<std::string>>(std::vector<std::string>());
    m_command = asked && words ? commandText(*words) : QString();
    m_copy->setEnabled(!m_command.isEmpty());
    text::setToolTip(m_copy, words ? tr("Copy the equivalent cairn-cli command")
                                   : text::describe(words.error()).title);
}

Message HeaderEditDialog::errorMessage() {
    const text::ErrorWords words = text::describe(*m_error);
    Message message{theme::Tone::Broken, words.title, words.detail, {}};
    if (m_error->code == ErrorCode::EditInterrupted) {
        message.actions.push_back({tr("Recover"), [this] { recover(); }});
    } else if (m_error->code == ErrorCode::NotInPlace && !m_rename.empty()) {
        message.actions.push_back(noRoomMessage().actions.front());
    } else if (!m_loaded || m_error->code == ErrorCode::ChangedOnDisk ||
               m_error->code == ErrorCode::JobIsRunning) {
        message.actions.push_back({tr("Retry"), [this] { load(); }});
    }
    return message;
}

Message HeaderEditDialog::noRoomMessage() {
    Message message{theme::Tone::Attention, tr("Cannot be edited in place"), {}, {}};
    if (m_plan) {
        message.detail = text::coreText(m_plan->why);
    }
    if (!m_rename.empty()) {
        message.detail += (message.detail.isEmpty() ? QString() : QStringLiteral(". ")) +
                          tr("Consolidating writes a new file with these names.");
        message.actions.push_back({tr("Consolidate with These Names…"), [this] {
                                       Q_EMIT consolidateRequested(m_rename);
                                       reject();
                                   }});
    }
    return message;
}

Message HeaderEditDialog::question() {
    const EditedHeader& edited = m_plan->edited;
    QStringList parts;
    if (!edited.renamed.empty()) {
        parts << tr("%Ln names", nullptr, static_cast<int>(edited.renamed.size()));
    }
    if (!edited.metadata.empty()) {
        parts << tr("%Ln metadata entries", nullptr, static_cast<int>(edited.metadata.size()));
    }
    return {theme::Tone::Attention,
            tr("Change %1 in %2?")
                .arg(parts.join(QStringLiteral(", ")), text::fromPath(m_file.filename())),
            changesBack(*m_plan)
                ? tr("The file itself is changed. Edit > Undo restores the header.")
                : tr("The file itself is changed, and Undo cannot write these names back: keep "
                     "the old header."),
            {{tr("Write to File"), [this] { apply(); }}, {tr("Cancel"), [this] {
                                                              m_asks = false;
                                                              refresh();
                                                          }}}};
}

void HeaderEditDialog::showMessage() {
    if (m_asks) {
        m_strip->show(question());
    } else if (m_error) {
        m_strip->show(errorMessage());
    } else if (m_plan && m_plan->method == EditMethod::NotInPlace) {
        m_strip->show(noRoomMessage());
    } else if (m_plan && !m_plan->notices.empty()) {
        const text::ErrorWords words = text::describe(m_plan->notices.front().error);
        m_strip->show({theme::Tone::Attention, words.title, words.detail, {}});
    } else if (!m_recoveryText.isEmpty()) {
        m_strip->show({theme::Tone::Good, m_recoveryText, {}, {}});
    } else if (m_plan || !m_loaded) {
        m_strip->hide();
    }
}

} // namespace cairn::ui
