// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>

#include <filesystem>
#include <map>
#include <memory>

namespace cairn::ui {

/// What the user noted about runs, by their folders; kept in the user's session, never in the
/// folders themselves. A value type.
class RunNotes {
public:
    static constexpr int kMostLetters = 4000; ///< of a note

    [[nodiscard]] QString of(const std::filesystem::path& run) const;
    /// Empty text removes the note. False: it is the same.
    bool set(const std::filesystem::path& run, const QString& text);
    [[nodiscard]] bool isEmpty() const { return m_notes.empty(); }
    /// Keys are paths, percent-encoded: they need not be UTF-8.
    [[nodiscard]] QJsonObject toJson() const;
    static RunNotes fromJson(const QJsonObject& json);

private:
    std::map<std::filesystem::path, QString> m_notes;
};
using RunNotesPtr = std::shared_ptr<const RunNotes>;

} // namespace cairn::ui
