// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help/about.h"

#include "core/formats/format.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QGridLayout>
#include <QIcon>
#include <QVBoxLayout>

namespace cairn::ui {

About::About(const Services& services, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("About Cairn"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * theme::kGrid, 3 * theme::kGrid, 3 * theme::kGrid,
                               2 * theme::kGrid);
    layout->setSpacing(2 * theme::kGrid);
    auto* head = new QHBoxLayout;
    head->setSpacing(2 * theme::kGrid);
    auto* mark = new QLabel;
    mark->setPixmap(QIcon(QStringLiteral(":/icons/cairn.svg")).pixmap(QSize(48, 48)));
    head->addWidget(mark, 0, Qt::AlignTop);
    auto* titles = new QVBoxLayout;
    auto* name = new TextLabel(tr("Cairn"));
    name->setFont(theme::bigFigure(name->font()));
    titles->addWidget(name);
    titles->addWidget(
        new TextLabel(tr("A checkpoint browser for neural network training"), theme::Tone::Dim));
    head->addLayout(titles, 1);
    layout->addLayout(head);

    QStringList readable;
    for (const FormatInfo* format : builtinFormats()) {
        readable << text::coreText(format->title);
    }
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * theme::kGrid);
    int row = 0;
    const auto add = [&](const QString& what, const QString& value) {
        auto* label = new TextLabel(value);
        label->setWordWrap(true);
        grid->addWidget(new TextLabel(what, theme::Tone::Dim), row, 0, Qt::AlignTop);
        grid->addWidget(label, row++, 1);
        return label;
    };
    grid->setColumnStretch(1, 1);
    add(tr("Version"), services.version);
    add(tr("Qt"), QString::fromLatin1(qVersion()));
    TextLabel* torch =
        add(tr("libtorch module"),
            services.describeTorch ? tr("loading…") : tr("not included in this build"));
    add(tr("Formats"), readable.join(QStringLiteral(", ")));
    add(tr("Licence"), tr("window GPL-3.0-or-later, core and cairn-cli Apache-2.0"));
    layout->addLayout(grid);
    if (services.describeTorch) {
        m_torch.start(services.describeTorch, [torch](const Result<QString>& line) {
            torch->setText(line ? *line : text::describe(line.error()).title);
        });
    }
    auto* close = new Button(tr("Close"));
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    layout->addWidget(close, 0, Qt::AlignRight);
    layout->addStrut(460 - 6 * theme::kGrid); // a minimum of the dialog would hide the labels'
}

} // namespace cairn::ui
