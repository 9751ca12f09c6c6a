// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/start/start_page.h"

#include "core/formats/format.h"
#include "core/runs/scan/experiment_scan.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/link_row.h"

#include <QAction>
#include <QHBoxLayout>
#include <QIcon>
#include <QLocale>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {
constexpr int kColumnWidth = 520;
constexpr ScanLimits kProbeLimits{.maxDepth = 3, .maxEntries = 20'000};
} // namespace

StartPage::StartPage(QAction* openFolder, QAction* openSample, RecentFolders& recents,
                     QWidget* parent)
    : QWidget(parent), m_recents(recents), m_recentRows(new QVBoxLayout), m_recentBox(new QWidget),
      m_offer(new Button(QString())) {
    auto* column = new QWidget;
    column->setMaximumWidth(kColumnWidth);
    column->setMinimumWidth(360);
    auto* layout = new QVBoxLayout(column);
    layout->setSpacing(2 * theme::kGrid);
    auto* mark = new QLabel;
    mark->setPixmap(QIcon(QStringLiteral(":/icons/cairn.svg")).pixmap(QSize(56, 56)));
    layout->addWidget(mark);
    auto* headline = new TextLabel(tr("Open a folder with training runs"));
    headline->setFont(theme::bigFigure(headline->font()));
    headline->setWordWrap(true);
    layout->addWidget(headline);
    auto* what = new TextLabel(tr("Cairn shows the contents of any checkpoint, whatever its format "
                                  "and sharding, without running any code from it, and "
                                  "consolidates it into one verified file that loads anywhere."),
                               theme::Tone::Dim);
    what->setWordWrap(true);
    layout->addWidget(what);

    QStringList readable;
    for (const FormatInfo* format : builtinFormats()) {
        readable << text::formatName(format->id);
    }
    readable.removeDuplicates();
    readable.sort(Qt::CaseInsensitive); // the registry's order is that of probing
    auto* reads =
        new TextLabel(tr("Reads %1.").arg(readable.join(QStringLiteral(", "))), theme::Tone::Dim);
    reads->setFont(theme::small(reads->font()));
    reads->setWordWrap(true);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kGrid);
    auto* open = new Button(openFolder);
    open->setPrimary(true);
    buttons->addWidget(open);
    buttons->addWidget(new Button(openSample));
    buttons->addWidget(m_offer);
    buttons->addStretch(1);
    m_offer->hide();
    connect(m_offer, &QPushButton::clicked, this, [this] { Q_EMIT chosen(m_offered); });
    layout->addLayout(buttons);

    auto* box = new QVBoxLayout(m_recentBox);
    box->setContentsMargins(0, theme::kGrid, 0, 0);
    box->setSpacing(theme::kGrid / 2);
    box->addWidget(captionLabel(tr("Recent")));
    m_recentRows->setSpacing(0);
    box->addLayout(m_recentRows);
    layout->addWidget(m_recentBox);
    layout->addWidget(
        new TextLabel(tr("or drop a folder or files anywhere in this window"), theme::Tone::Dim));
    layout->addWidget(reads);

    auto* outer = new QVBoxLayout(this);
    outer->addStretch(2);
    auto* centred = new QHBoxLayout;
    centred->addStretch(1);
    centred->addWidget(column, 4);
    centred->addStretch(1);
    outer->addLayout(centred);
    outer->addStretch(3);
    connect(&m_recents, &RecentFolders::changed, this, &StartPage::fillRecents);
    fillRecents();
}

void StartPage::fillRecents() {
    while (QLayoutItem* item = m_recentRows->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const RecentFolders::Entry& entry : m_recents.entries()) {
        auto* row = new LinkRow(text::fromPath(entry.path),
                                entry.present
                                    ? QLocale().toString(entry.opened.date(), QLocale::ShortFormat)
                                    : tr("not available"));
        row->setEnabled(entry.present);
        connect(row, &QAbstractButton::clicked, this,
                [this, path = entry.path] { Q_EMIT chosen(path); });
        m_recentRows->addWidget(row);
    }
    m_recentBox->setVisible(!m_recents.entries().isEmpty());
}

void StartPage::offer(const std::filesystem::path& folder) {
    m_probe.start(
        [folder](const CancelToken& cancel) {
            return scanExperiment(folder, cancel, kProbeLimits);
        },
        [this, folder](const Result<Experiment>& seen) {
            if (!seen || seen->checkpoints() == 0) {
                return;
            }
            m_offered = folder;
            m_offer->setText(
                tr("Open %1: %Ln Checkpoints", nullptr, static_cast<int>(seen->checkpoints()))
                    .arg(text::withoutMnemonic(text::fromPath(folder.filename()))));
            m_offer->show();
        });
}

} // namespace cairn::ui
