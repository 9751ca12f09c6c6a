// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences/preferences_dialog.h"

#include "core/jobs/context/user_caches.h"
#include "ui/shell/frame/flat_tab_bar.h"
#include "ui/shell/preferences/shortcut_page.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/outlined.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/text_field.h"

#include <QApplication>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace cairn::ui {
namespace {

constexpr int kNameWidth = 150; ///< px
constexpr auto kLimits = std::to_array<std::pair<std::uint64_t, const char*>>({
    {std::uint64_t{128} << 20U, "128 MiB"},
    {std::uint64_t{512} << 20U, "512 MiB"},
    {std::uint64_t{2} << 30U, "2 GiB"},
    {std::uint64_t{8} << 30U, "8 GiB"},
});

QString limitText(std::uint64_t bytes) {
    const auto* known =
        std::ranges::find(kLimits, bytes, &std::pair<std::uint64_t, const char*>::first);
    return bytes == 0               ? PreferencesDialog::tr("Off")
           : known != kLimits.end() ? QString::fromLatin1(known->second)
                                    : text::bytes(bytes);
}

QString wordsOf(const CachesUse& use) {
    if (use.facts.folder.empty()) {
        return PreferencesDialog::tr("The cache is switched off: no cache folder.");
    }
    const QString facts = PreferencesDialog::tr("Facts about checkpoints and runs take %1 in %2.")
                              .arg(text::bytes(use.facts.bytes), text::fromPath(use.facts.folder));
    const QString blocks =
        PreferencesDialog::tr("Blocks of remote files take %1 in %2.")
            .arg(text::bytes(use.blocks.bytes), text::fromPath(use.blocks.folder));
    return facts + QLatin1Char('\n') + blocks;
}

} // namespace

std::vector<PreferencesDialog::Entry> PreferencesDialog::entries() {
    return {{Item::Theme, tr("Theme"), tr("dark light colors appearance night")},
            {Item::FontSize, tr("Font Size"), tr("text zoom larger smaller")},
            {Item::MonospaceSize, tr("Monospace Font Size"), tr("text code values paths")},
            {Item::Units, tr("Units of Sizes"), tr("bytes decimal binary GB GiB MB MiB")},
            {Item::Smoothing, tr("Smoothing of Curves"), tr("charts average loss")},
            {Item::Cache, tr("Size of the Cache"), tr("disk index clear limit")},
            {Item::Shortcuts, tr("Keyboard Shortcuts"), tr("keys bindings hotkeys")}};
}

PreferencesDialog::PreferencesDialog(Preferences& preferences, ShortcutSet& shortcuts,
                                     QWidget* parent)
    : QDialog(parent), m_preferences(preferences), m_tabs(new FlatTabBar),
      m_stack(new QStackedWidget), m_shortcutPage(new ShortcutPage(shortcuts)),
      m_defaults(new Button(tr("Restore Defaults"))) {
    setWindowTitle(tr("Preferences"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * theme::kGrid, theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid);
    layout->setSpacing(theme::kGrid + 4);
    m_tabs->addTab(tr("General"));
    m_tabs->addTab(tr("Shortcuts"));
    m_tabs->setAccessibleName(tr("Preferences"));
    layout->addWidget(m_tabs);
    m_stack->addWidget(buildGeneral());
    m_stack->addWidget(m_shortcutPage);
    m_controls[Item::Shortcuts] = m_shortcutPage->filter();
    layout->addWidget(m_stack, 1);
    auto* buttons = new QHBoxLayout;
    auto* close = new Button(tr("Close"));
    buttons->addWidget(m_defaults);
    buttons->addStretch(1);
    buttons->addWidget(close);
    layout->addLayout(buttons);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_defaults, &QPushButton::clicked, this, [this] { m_preferences.set({}); });
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        m_stack->setCurrentIndex(tab);
        m_defaults->setVisible(tab == 0);
    });
    connect(&m_preferences, &Preferences::changed, this, &PreferencesDialog::showValues);
    for (QPushButton* each : findChildren<QPushButton*>()) {
        each->setAutoDefault(false); // Enter in a field finishes its value
    }
    showValues();
    resize(600, 520);
}

QWidget* PreferencesDialog::buildGeneral() {
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kGrid + 4);
    const auto card = [column](const QString& title) {
        auto* made = new Card(title);
        auto* grid = new QGridLayout;
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(theme::kGrid);
        grid->setVerticalSpacing(theme::kGrid);
        grid->setColumnMinimumWidth(0, kNameWidth);
        grid->setColumnStretch(1, 1);
        made->content()->addLayout(grid);
        column->addWidget(made);
        return made;
    };
    buildAppearance(*card(tr("Appearance")));
    buildNumbers(*card(tr("Numbers and charts")));
    buildCache(*card(tr("Cache")));
    column->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(body);
    scroll->setMinimumWidth(body->minimumSizeHint().width() +
                            style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, scroll));
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

void PreferencesDialog::addRow(Card& card, Item item, const QString& name, QWidget* control,
                               QWidget* beside) {
    auto* grid =
        static_cast<QGridLayout*>(card.content()->itemAt(card.content()->count() - 1)->layout());
    const int row = grid->rowCount();
    auto* label = new TextLabel(name, theme::Tone::Dim);
    label->setBuddy(control);
    control->setAccessibleName(name);
    grid->addWidget(label, row, 0);
    auto* line = new QHBoxLayout;
    line->setSpacing(theme::kGrid);
    line->addWidget(control);
    if (beside != nullptr) {
        line->addWidget(beside);
    }
    line->addStretch(1);
    grid->addLayout(line, row, 1);
    m_controls[item] = control;
}

void PreferencesDialog::change(const Change& change) {
    Preferences::Values values = m_preferences.values();
    change(values);
    m_preferences.set(values);
}

void PreferencesDialog::buildAppearance(Card& card) {
    auto* scheme = new Segments({tr("System"), tr("Light"), tr("Dark")});
    connect(scheme, &Segments::chosenByUser, this, [this](int index) {
        change([index](auto& values) { values.scheme = static_cast<theme::Scheme>(index); });
    });
    m_refresh.emplace_back(
        [this, scheme] { scheme->choose(static_cast<int>(m_preferences.values().scheme)); });
    addRow(card, Item::Theme, tr("Theme"), scheme);
    addFontRow(card, Item::FontSize, &theme::FontSizes::interface);
    addFontRow(card, Item::MonospaceSize, &theme::FontSizes::mono);
}

void PreferencesDialog::addFontRow(Card& card, Item item, double theme::FontSizes::*size) {
    const bool mono = item == Item::MonospaceSize;
    auto* spin = new Outlined<QDoubleSpinBox>;
    spin->setRange(theme::kSmallestFont, theme::kLargestFont);
    spin->setSingleStep(0.5);
    spin->setDecimals(1);
    spin->setSuffix(tr(" pt"));
    spin->setKeyboardTracking(false); // 12 is not 1 first
    spin->setMinimumHeight(theme::kControlHeight);
    auto* reset = new Button(tr("Reset"));
    reset->setAccessibleName(mono ? tr("Reset the monospace font size")
                                  : tr("Reset the font size"));
    text::setToolTip(reset, mono ? tr("Follow the font size") : tr("Use the size of the desktop"));
    connect(spin, &QDoubleSpinBox::valueChanged, this, [this, size](double points) {
        change([&](auto& values) { values.fonts.*size = points; });
    });
    connect(reset, &QPushButton::clicked, this,
            [this, size] { change([&](auto& values) { values.fonts.*size = 0; }); });
    m_refresh.emplace_back([this, spin, reset, size, mono] {
        const QSignalBlocker quiet(spin);
        const QFont whole = QApplication::font();
        spin->setValue((mono ? theme::mono(whole) : whole).pointSizeF());
        reset->setEnabled(m_preferences.values().fonts.*size > 0);
    });
    addRow(card, item, mono ? tr("Monospace font size") : tr("Font size"), spin, reset);
}

void PreferencesDialog::buildNumbers(Card& card) {
    auto* units = new Segments({tr("kB, MB, GB (1000)"), tr("KiB, MiB, GiB (1024)")});
    connect(units, &Segments::chosenByUser, this, [this](int index) {
        change([index](auto& values) { values.binaryUnits = index == 1; });
    });
    m_refresh.emplace_back(
        [this, units] { units->choose(m_preferences.values().binaryUnits ? 1 : 0); });
    addRow(card, Item::Units, tr("Units of sizes"), units);
    auto* smoothing = new Outlined<QDoubleSpinBox>;
    smoothing->setRange(0, Preferences::kMaxSmoothing);
    smoothing->setSingleStep(0.05);
    smoothing->setDecimals(2);
    smoothing->setKeyboardTracking(false);
    smoothing->setMinimumHeight(theme::kControlHeight);
    text::setToolTip(smoothing, tr("For the pages History and Compare, until another value is "
                                   "chosen above their charts"));
    connect(smoothing, &QDoubleSpinBox::valueChanged, this, [this](double weight) {
        change([weight](auto& values) { values.smoothing = weight; });
    });
    m_refresh.emplace_back([this, smoothing] {
        const QSignalBlocker quiet(smoothing);
        smoothing->setValue(m_preferences.values().smoothing);
    });
    addRow(card, Item::Smoothing, tr("Smoothing of curves"), smoothing);
}

void PreferencesDialog::buildCache(Card& card) {
    auto* limit = new Button(QString());
    auto* menu = new QMenu(limit);
    const auto add = [&](std::uint64_t bytes) {
        QAction* action = menu->addAction(limitText(bytes));
        action->setCheckable(true);
        connect(action, &QAction::triggered, this,
                [this, bytes] { change([bytes](auto& values) { values.cacheLimit = bytes; }); });
        m_refresh.emplace_back([this, action, bytes] {
            action->setChecked(m_preferences.values().cacheLimit == bytes);
        });
    };
    add(0);
    for (const auto& [bytes, words] : kLimits) {
        add(bytes);
    }
    limit->setMenu(menu);
    m_refresh.emplace_back([this, limit] {
        limit->setText(limitText(m_preferences.values().cacheLimit));
        limit->updateGeometry();
    });
    m_clear = new Button(tr("Clear"));
    m_clear->setAccessibleName(tr("Clear the cache"));
    connect(m_clear, &QPushButton::clicked, this, &PreferencesDialog::clearCache);
    addRow(card, Item::Cache, tr("At most"), limit, m_clear);
    limit->setAccessibleName(tr("Size of the cache"));
    m_used = new TextLabel({}, theme::Tone::Dim);
    m_used->setWordWrap(true);
    card.content()->addWidget(m_used);
    m_refresh.emplace_back([this] { readCache(); });
}

void PreferencesDialog::showValues() {
    for (const std::function<void()>& each : m_refresh) {
        each();
    }
    m_defaults->setEnabled(!(m_preferences.values() == Preferences::Values()));
}

QString PreferencesDialog::cacheText() const {
    return m_used->text();
}

void PreferencesDialog::readCache() {
    m_cache.start([](const CancelToken&) -> Result<CachesUse> { return usedByCaches(); },
                  [this](const Result<CachesUse>& read) {
                      const CachesUse use = read ? *read : CachesUse();
                      m_used->setText(wordsOf(use));
                      m_clear->setEnabled(use.facts.bytes + use.blocks.bytes > 0);
                  });
}

void PreferencesDialog::clearCache() {
    m_cache.start(
        [](const CancelToken&) -> Result<CachesUse> {
            clearCaches();
            return usedByCaches();
        },
        [this](const Result<CachesUse>&) { readCache(); });
}

void PreferencesDialog::showItem(Item item) {
    m_tabs->setCurrentIndex(item == Item::Shortcuts ? 1 : 0);
    show();
    raise();
    activateWindow();
    QWidget* control = m_controls.at(item);
    control->setFocus(Qt::ShortcutFocusReason);
    if (auto* segments = qobject_cast<Segments*>(control)) {
        segments->focusChosen();
    }
}

} // namespace cairn::ui
