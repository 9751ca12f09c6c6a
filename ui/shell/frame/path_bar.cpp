// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/path_bar.h"

#include "ui/theme/theme.h"

#include <QCompleter>
#include <QDir>
#include <QFileSystemModel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace cairn::ui {

PathBar::PathBar(QWidget* parent) : QFrame(parent, Qt::Popup), m_field(new QLineEdit(this)) {
    setFrameShape(QFrame::StyledPanel);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kGrid, theme::kGrid, theme::kGrid, theme::kGrid);
    m_field->setPlaceholderText(tr("Path of a folder or file"));
    m_field->setAccessibleName(tr("Path"));
    m_field->setMinimumHeight(theme::kControlHeight + 4);
    layout->addWidget(m_field);
    connect(m_field, &QLineEdit::returnPressed, this, [this] {
        const QString path = m_field->text().trimmed();
        hide();
        if (!path.isEmpty()) {
            Q_EMIT entered(path.startsWith(QLatin1String("~/")) ? QDir::homePath() + path.mid(1)
                                                                : path);
        }
    });
}

void PathBar::popUp(const QString& start) {
    if (m_field->completer() == nullptr) {
        auto* completer = new QCompleter(this);
        auto* files = new QFileSystemModel(completer); // lists folders on its own thread
        files->setRootPath(QString());
        files->setOption(QFileSystemModel::DontUseCustomDirectoryIcons);
        completer->setModel(files);
        m_field->setCompleter(completer);
    }
    m_field->setText(start);
    m_field->selectAll();
    const int width = std::min(720, parentWidget()->width() - 4 * theme::kGrid);
    resize(width, sizeHint().height());
    move(parentWidget()->mapToGlobal(
        QPoint((parentWidget()->width() - width) / 2, 7 * theme::kGrid)));
    show();
    m_field->setFocus();
}

} // namespace cairn::ui
