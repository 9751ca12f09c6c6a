// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/glob.h"
#include "core/runs/compare/compare.h"
#include "ui/widgets/card.h"

#include <vector>

class QLineEdit;

namespace cairn::ui {

class RowView;
class SettingsTree;

/// The settings in which two runs differ, and the patterns of those to ignore.
class SettingsCard : public Card {
    Q_OBJECT

public:
    explicit SettingsCard(QWidget* parent = nullptr);

    void show(const SettingsComparison& settings);
    void clear();
    void setMostRows(int rows); ///< that are visible; more are scrolled
    /// The typed patterns that are valid.
    const std::vector<Glob>& ignored() const { return m_ignored; }
    RowView* view() const { return m_view; }
    /// "Settings · 4 of 141 differ", and below them "Read from training_args, config".
    QString head() const;
    QString sources() const;
    bool isSorting() const;
    QLineEdit* ignoreField() const { return m_ignore; }

Q_SIGNALS:
    void ignoredChanged();

private:
    void setHead(const QString& title);
    void readPatterns();
    void ignoreCurrent();
    void fitHeight();

    TextLabel* m_title;
    SettingsTree* m_tree;
    RowView* m_view;
    TextLabel* m_nothing;
    QWidget* m_ignoreRow;
    QLineEdit* m_ignore;
    TextLabel* m_problem;
    TextLabel* m_sources; ///< what the settings were read from
    std::vector<Glob> m_ignored;
    int m_mostRows = 6;
};

} // namespace cairn::ui
