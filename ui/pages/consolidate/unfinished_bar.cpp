// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/unfinished_bar.h"

#include "ui/pages/consolidate/unfinished_jobs.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/card.h"

#include <QDateTime>
#include <QLocale>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxNames = 4;

/// "64 % is written": the part that is not written again after resuming.
QString progressText(const ListedJob& listed) {
    if (listed.job.bytes == 0) {
        return UnfinishedBar::tr("%1 written").arg(text::bytes(listed.written));
    }
    return UnfinishedBar::tr("%1 of %2 written")
        .arg(text::bytes(listed.written), text::bytes(listed.job.bytes));
}

} // namespace

UnfinishedBar::UnfinishedBar(UnfinishedJobs& jobs, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_strips(new QVBoxLayout),
      m_more(new TextLabel({}, theme::Tone::Dim)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kGrid + 4, theme::kGrid, theme::kGrid + 4, theme::kGrid);
    layout->setSpacing(theme::kGrid);
    m_strips->setSpacing(theme::kGrid);
    layout->addLayout(m_strips);
    layout->addWidget(m_more);
    setAccessibleName(tr("Unfinished jobs"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    connect(&m_jobs, &UnfinishedJobs::changed, this, &UnfinishedBar::rebuild);
    hide();
}

void UnfinishedBar::rebuild() {
    while (QLayoutItem* item = m_strips->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    const std::vector<ListedJob>& jobs = m_jobs.jobs();
    for (std::size_t i = 0; i < std::min(jobs.size(), kMaxStrips); ++i) {
        auto* strip = new MessageStrip;
        strip->setClosable(false);
        strip->show(offer(jobs[i], strip));
        m_strips->addWidget(strip);
    }
    const std::size_t more = jobs.size() - std::min(jobs.size(), kMaxStrips);
    m_more->setText(tr("%Ln more unfinished jobs", nullptr, static_cast<int>(more)));
    m_more->setVisible(more > 0);
    setVisible(!jobs.empty());
}

Message UnfinishedBar::offer(const ListedJob& listed, MessageStrip* strip) {
    const QDateTime began = QDateTime::fromSecsSinceEpoch(listed.job.began);
    const std::string id = listed.job.id;
    Message message;
    message.tone = theme::Tone::Attention;
    message.title = tr("“%1” is unfinished").arg(text::fromPath(listed.job.output.filename()));
    message.detail =
        QStringList{progressText(listed),
                    tr("started %1").arg(QLocale().toString(began, QLocale::ShortFormat)),
                    text::fromPath(listed.job.output.parent_path())}
            .join(QStringLiteral(" · "));
    message.actions = {
        {tr("Resume"),
         [this, id] {
             m_jobs.resume(id);
             Q_EMIT resumed();
         }},
        {tr("Discard…"), [this, listed, strip] { strip->show(question(listed, strip)); }},
        {tr("Decide Later"), [this, id] { m_jobs.putOff(id); }}};
    return message;
}

Message UnfinishedBar::question(const ListedJob& listed, MessageStrip* strip) {
    QStringList names;
    for (const std::filesystem::path& path : listed.left) {
        if (static_cast<std::size_t>(names.size()) == kMaxNames) {
            names << tr("and %Ln more", nullptr, static_cast<int>(listed.left.size() - kMaxNames));
            break;
        }
        names << text::fromPath(path.filename());
    }
    Message message;
    message.tone = theme::Tone::Attention;
    message.title =
        tr("Remove %1 of unfinished files from %2?")
            .arg(text::bytes(listed.leftBytes), text::fromPath(listed.job.output.parent_path()));
    message.detail = names.join(QStringLiteral(", ")) + QLatin1Char(' ') +
                     tr("— no other files are affected. The job cannot be resumed afterwards.");
    message.actions = {{tr("Remove"), [this, id = listed.job.id] { m_jobs.remove(id); }},
                       {tr("Keep"), [this, listed, strip] { strip->show(offer(listed, strip)); }}};
    return message;
}

} // namespace cairn::ui
