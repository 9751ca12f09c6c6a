// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/export_action.h"

#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMenu>
#include <QPointer>
#include <QRegularExpression>

#include <memory>

namespace cairn::ui {
namespace {

struct ActionWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::ChartExport)
};

} // namespace

void askAndExport(QWidget& parent, AsyncRunner& saver, ChartExport charts, ExportFormat format,
                  const QString& suggested, std::function<void(const QString&)> report) {
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
    const auto shared = std::make_shared<const ChartExport>(std::move(charts));
    QObject::connect(
        dialog, &QFileDialog::fileSelected, &parent,
        [&parent, &saver, shared, format, report = std::move(report)](const QString& path) {
            const bool drawn = format != ExportFormat::Csv && format != ExportFormat::Json;
            const QByteArray picture =
                drawn ? shared->picture(format, parent.font(), parent.palette()) : QByteArray();
            saver.start(
                [shared, format, drawn, picture, path](const CancelToken& cancel) {
                    return saveExport(path, drawn ? picture : shared->data(format), cancel);
                },
                [report](const Result<QString>& saved) {
                    if (saved) {
                        report(ActionWords::tr("Exported: %1").arg(*saved));
                    } else {
                        const text::ErrorWords words = text::describe(saved.error());
                        report(words.title + QLatin1Char(' ') + words.detail);
                    }
                });
        });
    dialog->open();
}

void popUpExportMenu(QWidget& parent, const QPoint& global,
                     std::function<void(ExportFormat)> chosen) {
    auto* menu = new QMenu(&parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const ExportFormat format : {ExportFormat::Png, ExportFormat::Svg, ExportFormat::Pdf,
                                      ExportFormat::Csv, ExportFormat::Json}) {
        QObject::connect(menu->addAction(exportTitle(format)), &QAction::triggered, &parent,
                         [chosen, format] { chosen(format); });
    }
    menu->popup(global);
}

} // namespace cairn::ui
