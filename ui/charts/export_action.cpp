// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/export_action.h"

#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMenu>
#include <QRegularExpression>

#include <memory>
#include <utility>

namespace cairn::ui {
namespace {

struct ActionWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::ChartExport)
};

void ask(QWidget& parent, ExportFormat format, const QString& suggested,
         const std::function<void(const QString& path)>& write) {
    static const QRegularExpression odd(QStringLiteral("[^\\w.-]+"));
    QString name = suggested;
    name.replace(odd, QStringLiteral("-"));
    const QString suffix = exportSuffix(format);
    auto* dialog = new QFileDialog(&parent, ActionWords::tr("Export"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->setNameFilter(QStringLiteral("*.") + suffix);
    dialog->selectFile(name + QLatin1Char('.') + suffix);
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent, write);
    dialog->open();
}

/// Makes the bytes on a worker and writes them.
void write(AsyncRunner& saver, const QString& path, std::function<QByteArray()> make,
           std::function<void(const QString&)> report) {
    saver.start([make = std::move(make),
                 path](const CancelToken& cancel) { return saveExport(path, make(), cancel); },
                [report = std::move(report)](const Result<QString>& saved) {
                    if (saved) {
                        report(ActionWords::tr("Exported: %1").arg(*saved));
                    } else {
                        const text::ErrorWords words = text::describe(saved.error());
                        report(words.title + QLatin1Char(' ') + words.detail);
                    }
                });
}

} // namespace

void askAndExport(QWidget& parent, AsyncRunner& saver, ChartExport charts, ExportFormat format,
                  const QString& suggested, std::function<void(const QString&)> report) {
    const auto shared = std::make_shared<const ChartExport>(std::move(charts));
    if (isPicture(format)) {
        askAndExportPicture(
            parent, saver,
            [&parent, shared, format] {
                return shared->picture(format, parent.font(), parent.palette());
            },
            format, suggested, std::move(report));
        return;
    }
    ask(parent, format, suggested,
        [&saver, shared, format, report = std::move(report)](const QString& path) {
            write(
                saver, path, [shared, format] { return shared->data(format); }, report);
        });
}

void askAndExportPicture(QWidget& parent, AsyncRunner& saver, std::function<QByteArray()> draw,
                         ExportFormat format, const QString& suggested,
                         std::function<void(const QString&)> report) {
    ask(parent, format, suggested,
        [&saver, draw = std::move(draw), report = std::move(report)](const QString& path) {
            write(
                saver, path, [picture = draw()] { return picture; }, report);
        });
}

void popUpPictureMenu(QWidget& parent, const QPoint& global,
                      std::function<void(ExportFormat)> chosen) {
    auto* menu = new QMenu(&parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const ExportFormat format : {ExportFormat::Png, ExportFormat::Svg, ExportFormat::Pdf}) {
        QObject::connect(menu->addAction(exportTitle(format)), &QAction::triggered, &parent,
                         [chosen, format] { chosen(format); });
    }
    menu->popup(global);
}

} // namespace cairn::ui
