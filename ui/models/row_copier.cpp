// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/row_copier.h"

#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHeaderView>
#include <QMimeData>
#include <QVBoxLayout>

#include <utility>

namespace cairn::ui {
namespace {

constexpr int kProgressMs = 200;
constexpr int kReportMs = 4000; ///< that the result stays

int asCount(std::uint64_t rows) {
    return static_cast<int>(rows);
}

void toClipboard(RowText text) {
    auto* mime = new QMimeData;
    mime->setText(text.plain);
    if (!text.html.isEmpty()) {
        mime->setHtml(text.html);
    }
    QApplication::clipboard()->setMimeData(mime);
}

} // namespace

RowCopier::RowCopier(RowView& view) : QObject(&view), m_view(view) {
    m_progress.setInterval(kProgressMs);
    m_closing.setInterval(kReportMs);
    m_closing.setSingleShot(true);
    connect(&m_closing, &QTimer::timeout, this, &RowCopier::hide);
}

void RowCopier::setSource(std::function<RowView::ModelMaker()> source) {
    m_source = std::move(source);
    connect(m_view.model(), &QAbstractItemModel::modelReset, this, [this] {
        if (!m_worker.isRunning()) {
            hide(); // a question about rows that are no longer selected
        }
    });
}

RowTextRequest RowCopier::request(bool namesOnly) const {
    RowTextRequest request;
    request.namesOnly = namesOnly;
    request.rows = RowRanges(m_view.selectionModel()->selection());
    if (request.rows.count() == 0) {
        request.rows = RowRanges(m_view.currentIndex().siblingAtColumn(0));
    }
    const QHeaderView* header = m_view.header();
    for (int visual = 0; visual < header->count(); ++visual) {
        const int column = header->logicalIndex(visual);
        if (!m_view.isColumnHidden(column)) {
            request.columns.push_back(column);
        }
    }
    return request;
}

bool RowCopier::copy(bool namesOnly) {
    RowTextRequest wanted = request(namesOnly);
    const std::uint64_t rows = wanted.rows.count();
    if (rows == 0) {
        return false;
    }
    m_worker.cancel();
    if (rows <= kAtOnce || !m_source) {
        hide();
        toClipboard(rowsAsText(*m_view.model(), wanted).value());
        return true;
    }
    if (rows > kAsk) {
        ask({std::move(wanted), m_source()});
    } else {
        begin({std::move(wanted), m_source()});
    }
    return false;
}

void RowCopier::ask(const Task& task) {
    const QString size = text::bytes(estimateRows(*m_view.model(), task.request));
    show(tr("%Ln rows, about %1", nullptr, asCount(task.request.rows.count())).arg(size),
         {{tr("Copy"), [this, task] { begin(task); }},
          {tr("Save as TSV…"), [this, task] { chooseFile(task); }},
          {tr("Cancel"), [this] { hide(); }}});
}

void RowCopier::begin(Task task) {
    const std::uint64_t rows = task.request.rows.count();
    watch(task.request, tr("Copying… %1 of %Ln rows", nullptr, asCount(rows)));
    m_worker.start(
        [task](const CancelToken& cancel) {
            return rowsAsText(*task.make(), task.request, cancel);
        },
        [this, rows](Result<RowText> text) {
            if (text) {
                toClipboard(std::move(*text));
                finish(tr("Copied %Ln rows", nullptr, asCount(rows)));
            } else {
                fail(text.error());
            }
        });
}

void RowCopier::chooseFile(const Task& task) {
    auto* dialog = new QFileDialog(&m_view, tr("Save Rows"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("tsv"));
    dialog->setNameFilter(QStringLiteral("*.tsv"));
    dialog->selectFile(QStringLiteral("tensors.tsv"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, task](const QString& path) { save(task, path); });
    dialog->open();
}

void RowCopier::save(Task task, const QString& path) {
    const std::uint64_t rows = task.request.rows.count();
    watch(task.request, tr("Saving… %1 of %Ln rows", nullptr, asCount(rows)));
    m_worker.start(
        [task, path](const CancelToken& cancel) {
            return saveRows(*task.make(), task.request, path, cancel);
        },
        [this, path, rows](const Result<std::uint64_t>& bytes) {
            if (bytes) {
                finish(tr("Saved %Ln rows, %1: %2", nullptr, asCount(rows))
                           .arg(text::bytes(*bytes), text::fromPath(text::toPath(path))));
            } else {
                fail(bytes.error());
            }
        });
}

/// Shows the number of finished rows in `words` (%1) until the work ends.
void RowCopier::watch(RowTextRequest& request, const QString& words) {
    request.done = std::make_shared<std::atomic<std::uint64_t>>(0);
    m_closing.stop();
    show(words.arg(text::count(0)), {{tr("Stop"), [this] {
                                          m_worker.cancel();
                                          hide();
                                      }}});
    m_progress.disconnect();
    connect(&m_progress, &QTimer::timeout, this, [this, done = request.done, words] {
        m_words->setText(words.arg(text::count(done->load(std::memory_order_relaxed))));
    });
    m_progress.start();
}

void RowCopier::finish(const QString& words) {
    m_progress.stop();
    show(words, {{tr("Close"), [this] { hide(); }}});
    m_closing.start();
}

void RowCopier::fail(const Error& error) {
    m_progress.stop();
    show(text::briefly(error), {{tr("Close"), [this] { hide(); }}});
}

void RowCopier::show(const QString& words, std::vector<Choice> choices) {
    if (m_bar == nullptr) {
        m_bar = new Card({}, &m_view);
        m_bar->setObjectName(QStringLiteral("copyBar"));
        m_words = new TextLabel;
        m_words->setElideMiddle(true);
        m_row = new QHBoxLayout;
        m_row->addWidget(m_words, 1);
        m_bar->content()->addLayout(m_row);
    }
    m_words->setText(words);
    m_bar->setAccessibleName(words);
    for (Button* button : std::exchange(m_buttons, {})) {
        button->hide();
        button->deleteLater(); // it may be the one that was clicked
    }
    for (Choice& choice : choices) {
        auto* button = new Button(choice.label);
        connect(button, &QPushButton::clicked, this, std::move(choice.run));
        m_row->addWidget(button);
        button->show(); // now: place() asks for the bar's size
        m_buttons.push_back(button);
    }
    m_bar->show();
    m_bar->raise();
    place();
}

void RowCopier::hide() {
    m_progress.stop();
    m_closing.stop();
    if (m_bar != nullptr) {
        m_bar->hide();
    }
}

void RowCopier::place() {
    if (m_bar != nullptr && m_bar->isVisible()) {
        const QRect room =
            m_view.viewport()->geometry().adjusted(theme::kGrid, 0, -theme::kGrid, -theme::kGrid);
        const int height = m_bar->sizeHint().height();
        m_bar->setGeometry(room.left(), room.bottom() - height, room.width(), height);
    }
}

} // namespace cairn::ui
