// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

class QHBoxLayout;
class QListWidget;

namespace cairn::ui {

class SearchField;

/// A list of names of which some are checked or one is chosen, in a popup, with a field that
/// filters them and buttons for common choices. GUI thread only.
class ChoiceList : public QFrame {
    Q_OBJECT

public:
    struct Choice {
        QString key;
        QString name;
        bool checked = false;
    };

    enum class Mode { Several, One };

    /// `name`: for screen readers. One: a click or Enter chooses a name and closes the list.
    explicit ChoiceList(const QString& name, QWidget* parent = nullptr, Mode mode = Mode::Several);

    /// Replaces the names; emits nothing.
    void setChoices(const std::vector<Choice>& choices);
    /// A button above the list that makes these the checked ones.
    void addPreset(const QString& label, const std::function<QStringList()>& keys);
    /// Under a button, within the screen.
    void popUp(QWidget& under);
    QStringList checked() const; ///< in the order of the list
    QListWidget* list() const { return m_list; }

Q_SIGNALS:
    void changed(const QStringList& keys); ///< by the user

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& words);
    void check(const QStringList& keys);

    Mode m_mode;
    QHBoxLayout* m_presets;
    SearchField* m_field;
    QListWidget* m_list;
    bool m_filling = false;
};

} // namespace cairn::ui
