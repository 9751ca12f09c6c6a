// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/partner_chooser.h"

#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/link_row.h"

#include <QFileDialog>
#include <QScrollArea>
#include <QVBoxLayout>

namespace cairn::ui {

PartnerChooser::PartnerChooser(QWidget* parent)
    : QWidget(parent), m_title(new TextLabel), m_choices(new QVBoxLayout) {
    // As many checkpoints as the run has must not make the window higher.
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    auto* body = new QWidget;
    scroll->setWidget(body);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(4 * theme::kGrid, 4 * theme::kGrid, 4 * theme::kGrid,
                               4 * theme::kGrid);
    layout->setSpacing(theme::kGrid);
    m_title->setFont(theme::headline(m_title->font()));
    m_title->setElideMiddle(true);
    layout->addWidget(m_title);
    auto* hint = new TextLabel(tr("The other checkpoint may have any format and sharding: tensors "
                                  "are compared, not files."),
                               theme::Tone::Dim);
    hint->setWordWrap(true);
    layout->addWidget(hint);
    auto* card = new Card(tr("Other checkpoints of this run"));
    m_choices->setSpacing(0);
    card->content()->addLayout(m_choices);
    layout->addWidget(card);
    auto* row = new QHBoxLayout;
    auto* folder = new Button(tr("Choose a Folder…"));
    auto* file = new Button(tr("Choose a File…"));
    connect(folder, &QPushButton::clicked, this, [this] { pick(true); });
    connect(file, &QPushButton::clicked, this, [this] { pick(false); });
    row->addWidget(folder);
    row->addWidget(file);
    row->addStretch(1);
    layout->addLayout(row);
    layout->addStretch(1);
}

QString PartnerChooser::shortPath(const std::filesystem::path& checkpoint) {
    const std::filesystem::path path = checkpoint.lexically_normal();
    const std::filesystem::path own = path.has_filename() ? path : path.parent_path();
    return text::fromPath(own.parent_path().filename() / own.filename());
}

void PartnerChooser::offer(const std::filesystem::path& checkpoint, const ScannedRun& run) {
    m_checkpoint = checkpoint;
    m_title->setText(tr("Compare %1 with…").arg(shortPath(checkpoint)));
    list(neighboursOf(run, checkpoint));
}

void PartnerChooser::list(const std::vector<Neighbour>& neighbours) {
    while (QLayoutItem* item = m_choices->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const Neighbour& neighbour : neighbours) {
        auto* row = new LinkRow(neighbour.name, neighbour.remark);
        connect(row, &LinkRow::clicked, this,
                [this, path = neighbour.path] { Q_EMIT chosen(path); });
        m_choices->addWidget(row);
    }
    if (neighbours.empty()) {
        m_choices->addWidget(
            new TextLabel(tr("This run has no other checkpoint."), theme::Tone::Dim));
    }
}

void PartnerChooser::pick(bool folder) {
    const QString start = text::fromPath(m_checkpoint.parent_path());
    const QString picked = folder
                               ? QFileDialog::getExistingDirectory(this, tr("Compare With"), start)
                               : QFileDialog::getOpenFileName(this, tr("Compare With"), start);
    if (!picked.isEmpty()) {
        Q_EMIT chosen(text::toPath(picked));
    }
}

} // namespace cairn::ui
