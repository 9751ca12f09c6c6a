// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <algorithm>

namespace cairn::ui::text {

/// What was typed into a search field, as words.
inline QStringList wordsOf(const QString& typed) {
    return typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

/// All words are in the text, in any case.
inline bool containsWords(const QString& text, const QStringList& words) {
    return std::ranges::all_of(
        words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

/// One of the words is in the text, in any case.
inline bool containsAnyWord(const QString& text, const QStringList& words) {
    return std::ranges::any_of(
        words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace cairn::ui::text
