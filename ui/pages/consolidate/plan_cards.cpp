// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/plan_cards.h"

#include "core/jobs/record/manifest.h"
#include "ui/pages/consolidate/strip_roles.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/focus_mark.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGridLayout>
#include <QGuiApplication>
#include <QScrollArea>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxFiles = 24;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::PlanCards)
};

QString joined(QStringList parts) {
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

/// Dim name, value, and a dim remark about the value's reach.
void addFact(QGridLayout* grid, const QString& name, const QString& value,
             const QString& reach = {}) {
    const int row = grid->rowCount();
    grid->addWidget(new TextLabel(name, theme::Tone::Dim), row, 0, Qt::AlignTop);
    auto* holder = new FlowLayout(theme::kGrid); // in a small window the remark wraps below
    auto* label = new TextLabel(value);
    label->setElideMiddle(true);
    holder->addWidget(label);
    if (!reach.isEmpty()) {
        auto* remark = new TextLabel(reach, theme::Tone::Dim);
        remark->setElideMiddle(true);
        holder->addWidget(remark);
    }
    grid->addLayout(holder, row, 1);
}

/// The basis of a forecast's time.
QString rateReach(const Forecast& forecast) {
    switch (forecast.rate.origin) {
    case RateOrigin::Measured:
        return Words::tr("measured on this disk");
    case RateOrigin::Inferred:
        return Words::tr("estimated from other jobs");
    case RateOrigin::Assumed:
        break;
    }
    return forecast.sharedBytes > forecast.bytes / 2
               ? Words::tr("assumed; shared data is not copied")
               : Words::tr("assumed; not yet measured here");
}

/// "weights only", "without optimizer, random state".
QString takenWords(const Selection& only) {
    QStringList words;
    if (only.isWeights()) {
        words << Words::tr("weights only");
    }
    QStringList stripped;
    for (const Role role : only.without) {
        stripped << strippedWords(role);
    }
    if (!stripped.isEmpty()) {
        words << Words::tr("without %1").arg(stripped.join(QStringLiteral(", ")));
    }
    return words.join(QStringLiteral(", "));
}

/// "16.1 GB of 53.8 GB"
QString readWords(const Deployment::Planned& planned) {
    const std::uint64_t read = planned.bytesRead;
    return read < planned.shardBytes
               ? Words::tr("%1 of %2").arg(text::bytes(read), text::bytes(planned.shardBytes))
               : text::bytes(read);
}

/// Index, config and the like; empty if there are none.
QString otherFiles(const Deployment::Planned& planned) {
    const std::uint64_t others = planned.plan.forecast.files - planned.modelFiles;
    return others == 0 ? QString()
                       : Words::tr("%Ln other files", nullptr, static_cast<int>(others));
}

/// In a block of its own, to be selected.
void showAsCode(QLabel* label) {
    label->setFont(theme::small(theme::mono(label->font())));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setAutoFillBackground(true);
    label->setBackgroundRole(QPalette::AlternateBase);
    label->setMargin(theme::kGrid);
}

} // namespace

Card* forecastCard(const Deployment::Planned& planned) {
    const CopyPlan& plan = planned.plan;
    auto* card = new Card(Words::tr("Forecast"));
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(theme::kGrid);
    grid->setVerticalSpacing(theme::kGrid / 2 + 1);
    grid->setColumnMinimumWidth(0, kNameWidth);
    grid->setColumnStretch(1, 1);
    addFact(grid, Words::tr("reads"),
            joined({Words::tr("%Ln shards", nullptr, static_cast<int>(planned.shards)),
                    Words::tr("%Ln tensors", nullptr, static_cast<int>(planned.tensors)),
                    readWords(planned)}),
            takenWords(planned.request.only));
    bool first = true;
    for (const OmittedTensors& left : plan.omitted) {
        addFact(grid, first ? Words::tr("left out") : QString(),
                countedRole({left.role, left.tensors, left.bytes}),
                left.byName ? Words::tr("classified by name only") : QString());
        first = false;
    }
    addFact(grid, Words::tr("writes"),
            joined({Words::tr("%Ln model files", nullptr, static_cast<int>(planned.modelFiles)),
                    otherFiles(planned), text::bytes(plan.forecast.bytes)}),
            text::exactBytes(plan.forecast.bytes));
    addFact(grid, Words::tr("output"), text::fromPath(plan.output), {});
    addFact(grid, Words::tr("memory"), text::bytes(plan.forecast.memoryBytes),
            Words::tr("independent of the checkpoint's size"));
    addFact(grid, Words::tr("disk"),
            joined({planned.freeBytes ? Words::tr("%1 free").arg(text::bytes(*planned.freeBytes))
                                      : QString(),
                    plan.forecast.temporaryBytes == 0
                        ? Words::tr("no temporary files")
                        : Words::tr("%1 of temporary files")
                              .arg(text::bytes(plan.forecast.temporaryBytes))}));
    addFact(grid, Words::tr("time"),
            Words::tr("%1 at %2")
                .arg(text::estimate(plan.forecast.seconds),
                     text::rate(plan.forecast.rate.bytesPerSecond)),
            rateReach(plan.forecast));
    addFact(grid, Words::tr("device"), text::fromCore(plan.forecast.device).toUpper(),
            planned.castTensors == 0 && plan.recipes.empty()
                ? Words::tr("plain copy; a GPU has no effect")
                : Words::tr("faster than the disk"));
    card->content()->addLayout(grid);
    return card;
}

WrittenPanel::WrittenPanel(QWidget* parent)
    : QWidget(parent), m_files(new QVBoxLayout), m_body(new QWidget), m_command(plainLabel({})),
      m_shell(new QWidget), m_serve(new QWidget) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    new FocusMark(scroll, tr("What is written"));
    scroll->setBackgroundRole(QPalette::Base);
    scroll->setWidget(m_body);
    m_body->setAutoFillBackground(true);
    m_body->setBackgroundRole(QPalette::Base);
    outer->addWidget(scroll);
    auto* layout = new QVBoxLayout(m_body);
    layout->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid - 2, 2 * theme::kGrid,
                               2 * theme::kGrid);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(captionLabel(tr("Output")));
    m_files->setSpacing(4);
    layout->addLayout(m_files);
    auto* shell = new QVBoxLayout(m_shell);
    shell->setContentsMargins(0, 2 * theme::kGrid, 0, 0);
    shell->setSpacing(theme::kGrid);
    shell->addWidget(captionLabel(tr("Command Line")));
    showAsCode(m_command);
    m_command->setAccessibleName(tr("Command"));
    shell->addWidget(m_command);
    auto* copy = new Button(tr("Copy as Command"));
    connect(copy, &QPushButton::clicked, this, &WrittenPanel::copyRequested);
    shell->addWidget(copy, 0, Qt::AlignLeft);
    layout->addWidget(m_shell);
    auto* serve = new QVBoxLayout(m_serve);
    serve->setContentsMargins(0, 2 * theme::kGrid, 0, 0);
    serve->setSpacing(theme::kGrid);
    m_serve->hide();
    layout->addWidget(m_serve);
    layout->addStretch(1);
    clear();
}

void WrittenPanel::showServe(const std::vector<ServeCommand>& commands, const QString& title) {
    QString all = title;
    for (const ServeCommand& each : commands) {
        all += each.text + QLatin1Char('\n');
    }
    if (all == m_served) {
        return;
    }
    m_served = all;
    qDeleteAll(m_serve->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    QLayout* column = m_serve->layout();
    column->addWidget(captionLabel(title));
    for (const ServeCommand& each : commands) {
        auto* code = plainLabel(each.text.trimmed());
        showAsCode(code);
        code->setAccessibleName(each.name);
        column->addWidget(code);
        auto* copy = new Button(tr("Copy “%1”").arg(each.name));
        connect(copy, &QPushButton::clicked, this, [this, text = each.text] {
            QGuiApplication::clipboard()->setText(text);
            Q_EMIT textCopied(tr("Copied to the clipboard"));
        });
        column->addWidget(copy);
        column->setAlignment(copy, Qt::AlignLeft);
    }
    m_serve->setVisible(!commands.empty());
}

void WrittenPanel::clear() {
    while (QLayoutItem* item = m_files->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_shell->hide();
}

void WrittenPanel::show(const Deployment::Planned& planned, const QString& command,
                        const QString& whole) {
    clear();
    const CopyPlan& plan = planned.plan;
    const auto addLine = [this](const QString& text, int indent, const QString& tip) {
        auto* label = new TextLabel(text);
        label->setFont(theme::mono(label->font()));
        label->setElideMiddle(true);
        label->setContentsMargins(indent, 0, 0, 0);
        text::setToolTip(label, tip);
        m_files->addWidget(label);
    };
    const QString parent = text::fromPath(plan.output.parent_path().filename());
    const QString name = text::fromPath(plan.output.filename());
    const QString manifest = text::fromPath(manifestPath(plan).filename());
    addLine(parent + QLatin1Char('/') + (plan.layout.folder ? name + QLatin1Char('/') : QString()),
            0, text::fromPath(plan.output));
    std::size_t shown = 0;
    for (const OutputFile& file : plan.layout.files) {
        if (++shown > kMaxFiles) {
            addLine(tr("… and %Ln more", nullptr,
                       static_cast<int>(plan.layout.files.size() - kMaxFiles)),
                    2 * theme::kGrid, {});
            break;
        }
        addLine(plan.layout.folder ? text::fromCore(file.name) : name, 2 * theme::kGrid,
                text::exactBytes(file.size));
    }
    addLine(manifest, 2 * theme::kGrid, tr("Source files and a checksum of every tensor"));
    m_command->setText(command);
    text::setToolTip(m_command, whole);
    m_shell->show();
}

} // namespace cairn::ui
