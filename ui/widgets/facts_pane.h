// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace cairn::ui {

class TextLabel;

/// A right column of a page: a title, and groups of short facts. Texts are plain and can be
/// selected.
class FactsPane : public QWidget {
    Q_OBJECT

public:
    struct Group {
        QString caption; ///< empty: none
        std::vector<std::pair<QString, QString>> facts;
        bool isName = false; ///< the caption, of a metric: in its own case
    };

    explicit FactsPane(QWidget* parent = nullptr);
    void show(const QString& title, const QString& path, const std::vector<Group>& groups);
    /// In place of facts: how some are chosen.
    void showHint(const QString& hint);

private:
    void empty();

    TextLabel* m_title;
    TextLabel* m_path;
    TextLabel* m_hint;
    QVBoxLayout* m_groups;
};

} // namespace cairn::ui
