// SPDX-License-Identifier: GPL-3.0-or-later
// The context menu of a chart, and which charts are hidden.
#include "ui/charts/chart_grid.h"
#include "ui/widgets/dragged_files.h"

#include <QApplication>
#include <QClipboard>
#include <QImage>
#include <QJsonArray>
#include <QMenu>

namespace cairn::ui {
namespace {
const QString kHiddenKey = QStringLiteral("hidden");
} // namespace

void ChartGrid::popUpMenu(const QString& name, const QPoint& global) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Copy Image")), &QAction::triggered, this,
            [this, name] { copyImage(name); });
    QMenu* exports = menu->addMenu(tr("Export"));
    for (const ExportFormat format : {ExportFormat::Png, ExportFormat::Svg, ExportFormat::Pdf,
                                      ExportFormat::Csv, ExportFormat::Json}) {
        connect(exports->addAction(exportTitle(format)), &QAction::triggered, this,
                [this, name, format] { Q_EMIT exportRequested(name, format); });
    }
    menu->addSeparator();
    QAction* log = menu->addAction(tr("Logarithmic Y Axis"));
    log->setCheckable(true);
    log->setChecked(m_board.options().yScale == Scale::Log);
    connect(log, &QAction::triggered, this, [this](bool on) {
        ChartBoard::Options options = m_board.options();
        options.yScale = on ? Scale::Log : Scale::Linear;
        m_board.setOptions(options);
    });
    QAction* fit = menu->addAction(tr("Fit All"));
    fit->setEnabled(m_board.isZoomed());
    connect(fit, &QAction::triggered, &m_board, &ChartBoard::fit);
    menu->addSeparator();
    const bool isEnlarged = name == m_enlarged;
    connect(menu->addAction(isEnlarged ? tr("Show All Charts") : tr("Enlarge")),
            &QAction::triggered, this,
            [this, name, isEnlarged] { enlarge(isEnlarged ? QString() : name); });
    const auto hide = [this](std::set<QString> names) {
        setHidden(std::move(names));
        Q_EMIT hiddenChanged();
    };
    QAction* hideIt = menu->addAction(tr("Hide"));
    hideIt->setEnabled(m_shown.size() > 1); // the last one has the menu that shows the others
    connect(hideIt, &QAction::triggered, this, [this, name, hide] {
        std::set<QString> names = m_hidden;
        names.insert(name);
        hide(std::move(names));
    });
    if (!m_hidden.empty()) {
        connect(menu->addAction(
                    tr("Show %Ln Hidden Charts", nullptr, static_cast<int>(m_hidden.size()))),
                &QAction::triggered, this, [hide] { hide({}); });
    }
    menu->popup(global);
}

void ChartGrid::keepHidden(QJsonObject& state) const {
    QJsonArray names;
    for (const QString& name : m_hidden) {
        names.append(name);
    }
    state.insert(kHiddenKey, names);
}

void ChartGrid::restoreHidden(const QJsonObject& state) {
    std::set<QString> hidden;
    for (const QJsonValue& name : state.value(kHiddenKey).toArray()) {
        hidden.insert(name.toString());
    }
    setHidden(std::move(hidden));
}

void ChartGrid::copyImage(const QString& name) const {
    const ChartExport picture({contentOf(name)}, m_board);
    QImage image;
    if (image.loadFromData(picture.picture(ExportFormat::Png, font(), palette()), "PNG")) {
        QApplication::clipboard()->setImage(image);
    }
}

QMimeData* ChartGrid::draggedOut(const QString& name) const {
    const QByteArray bytes =
        ChartExport({contentOf(name)}, m_board).picture(ExportFormat::Png, font(), palette());
    auto* picture = new DraggedFiles({[name, bytes] {
        return DraggedFiles::File{name + QStringLiteral(".png"), bytes};
    }});
    picture->setImageData(QImage::fromData(bytes, "PNG"));
    return picture;
}

} // namespace cairn::ui
