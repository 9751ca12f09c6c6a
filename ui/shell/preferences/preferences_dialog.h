// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/shell/preferences/preferences.h"

#include <QDialog>
#include <QString>

#include <functional>
#include <map>
#include <vector>

class QDoubleSpinBox;
class QGridLayout;
class QStackedWidget;

namespace cairn::ui {

class Button;
class Card;
class FlatTabBar;
class Segments;
class ShortcutPage;
class ShortcutSet;
class TextLabel;

/// All preferences. Each change applies at once; there is nothing to confirm.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    enum class Item { Theme, FontSize, MonospaceSize, Units, Smoothing, Cache, Shortcuts };
    struct Entry {
        Item item;
        QString text;
        QString synonyms;
    };
    static std::vector<Entry> entries(); ///< for the palette

    /// Both outlive the dialog.
    PreferencesDialog(Preferences& preferences, ShortcutSet& shortcuts, QWidget* parent = nullptr);

    /// Comes to the front with the focus on that preference.
    void showItem(Item item);
    QWidget* control(Item item) const { return m_controls.at(item); }
    ShortcutPage* shortcutPage() const { return m_shortcutPage; }
    QString cacheText() const;

private:
    using Change = std::function<void(Preferences::Values& values)>;

    QWidget* buildGeneral();
    void buildAppearance(Card& card);
    void buildNumbers(Card& card);
    void buildCache(Card& card);
    void addRow(Card& card, Item item, const QString& name, QWidget* control,
                QWidget* beside = nullptr);
    void addFontRow(Card& card, Item item, double theme::FontSizes::*size);
    void change(const Change& change);
    void showValues();
    void readCache();
    void clearCache();

    Preferences& m_preferences;
    FlatTabBar* m_tabs;
    QStackedWidget* m_stack;
    ShortcutPage* m_shortcutPage;
    std::map<Item, QWidget*> m_controls;
    std::vector<std::function<void()>> m_refresh; ///< shows one value each
    Button* m_defaults;
    Button* m_clear = nullptr;
    TextLabel* m_used = nullptr;
    AsyncRunner m_cache;
};

} // namespace cairn::ui
