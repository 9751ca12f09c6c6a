// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/run_notes.h"

#include <QByteArray>

namespace cairn::ui {

QString RunNotes::of(const std::filesystem::path& run) const {
    const auto note = m_notes.find(run);
    return note == m_notes.end() ? QString() : note->second;
}

bool RunNotes::set(const std::filesystem::path& run, const QString& text) {
    const QString kept = text.left(kMostLetters);
    if (run.empty() || kept == of(run)) {
        return false;
    }
    if (kept.trimmed().isEmpty()) {
        return m_notes.erase(run) > 0;
    }
    m_notes[run] = kept;
    return true;
}

QJsonObject RunNotes::toJson() const {
    QJsonObject json;
    for (const auto& [run, note] : m_notes) {
        json.insert(QString::fromLatin1(QByteArray(run.c_str()).toPercentEncoding("/ ")), note);
    }
    return json;
}

RunNotes RunNotes::fromJson(const QJsonObject& json) {
    RunNotes notes;
    for (auto note = json.begin(); note != json.end(); ++note) {
        notes.set(QByteArray::fromPercentEncoding(note.key().toLatin1()).toStdString(),
                  note.value().toString());
    }
    return notes;
}

} // namespace cairn::ui
