// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/session/session_keeper.h"

#include "ui/navigator/navigator.h"
#include "ui/pages/kept_state.h"
#include "ui/shell/frame/workspace.h"

#include <QEvent>
#include <QFileInfo>
#include <QJsonArray>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

const QSize kDefaultSize(1440, 900);
const QSize kFrame(12, 44); ///< of a window, title bar and borders
const QSize kSmallest(880, 560);
constexpr int kMostSlots = 100'000;
constexpr qsizetype kMostKeys = 5000; ///< of expanded rows

QString key(const char* name) {
    return QString::fromLatin1(name);
}

/// Exactly the bytes of a path, which need not be UTF-8.
QJsonValue toJson(const std::filesystem::path& path) {
    return QString::fromLatin1(QByteArray(path.c_str()).toPercentEncoding("/ "));
}

std::filesystem::path toPath(const QJsonValue& value) {
    return QByteArray::fromPercentEncoding(value.toString().toLatin1()).toStdString();
}

QJsonArray toJson(const std::vector<std::filesystem::path>& paths) {
    QJsonArray array;
    for (const std::filesystem::path& path : paths) {
        array << toJson(path);
    }
    return array;
}

QStringList toStrings(const QJsonValue& value) {
    QStringList strings;
    for (const QJsonValue& each : value.toArray()) {
        strings << each.toString();
    }
    return strings.mid(0, kMostKeys);
}

QString nameOf(const Page& page) {
    const QString name = QString::fromLatin1(page.metaObject()->className());
    return name.mid(name.lastIndexOf(QLatin1Char(':')) + 1);
}

} // namespace

SessionKeeper::SessionKeeper(const QSettings& settings, QMainWindow& window, Workspace& workspace,
                             Navigator& navigator)
    : m_window(window), m_workspace(workspace), m_navigator(navigator),
      m_file(QFileInfo(settings.fileName()).path() + QStringLiteral("/session.json")) {
    const QJsonObject state = m_file.read();
    restoreWindow(state);
    restorePages(state);
    restoreNavigator(state, settings);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    connect(&m_timer, &QTimer::timeout, this, [this] { m_file.write(collect()); });
    follow();
}

SessionKeeper::~SessionKeeper() {
    for (Page* page : m_workspace.pages()) {
        if (auto* keeps = dynamic_cast<KeepsState*>(page)) {
            keeps->setOnStateChanged({});
        }
    }
}

void SessionKeeper::restoreWindow(const QJsonObject& state) {
    const QJsonObject window = state.value(key("window")).toObject();
    const QSize wanted(window.value(key("width")).toInt(), window.value(key("height")).toInt());
    const bool sane = wanted.width() >= kSmallest.width() && wanted.height() >= kSmallest.height();
    // The frame that the desktop adds is not known yet.
    const QSize room = m_window.screen()->availableSize() - kFrame;
    m_size = (sane ? wanted : kDefaultSize).boundedTo(room.expandedTo(kSmallest));
    m_window.setMinimumSize(kSmallest);
    m_window.resize(m_size);
    if (window.value(key("maximized")).toBool()) {
        m_window.setWindowState(Qt::WindowMaximized);
    }
    for (const QJsonValue& width : window.value(key("columns")).toArray()) {
        m_columns << width.toInt(-1);
    }
    QSplitter& splitter = *m_workspace.splitter();
    const bool whole = m_columns.size() == splitter.count() &&
                       std::ranges::all_of(m_columns, [](int width) { return width >= 0; });
    if (whole) {
        QList<int> widths = splitter.sizes();
        std::ranges::transform(m_columns, widths, widths.begin(),
                               [](int kept, int usual) { return kept > 0 ? kept : usual; });
        splitter.setSizes(widths);
    } else {
        m_columns.clear();
    }
}

void SessionKeeper::restorePages(const QJsonObject& state) {
    const QJsonObject pages = state.value(key("pages")).toObject();
    const QString tab = state.value(key("tab")).toString();
    for (Page* page : m_workspace.pages()) {
        auto* keeps = dynamic_cast<KeepsState*>(page);
        if (keeps != nullptr && pages.contains(nameOf(*page))) {
            keeps->restoreState(pages.value(nameOf(*page)).toObject());
        }
        if (nameOf(*page) == tab) {
            m_workspace.setCurrentTab(m_workspace.tabOf(page));
        }
    }
    m_workspace.setInspectorVisible(state.value(key("inspector")).toBool(true));
}

void SessionKeeper::restoreNavigator(const QJsonObject& state, const QSettings& settings) {
    for (const QJsonValue& folder : state.value(key("folders")).toArray()) {
        const std::filesystem::path path = toPath(folder);
        if (path.is_absolute() && std::ranges::find(m_folders, path) == m_folders.end()) {
            m_folders.push_back(path);
        }
    }
    if (state.isEmpty()) { // of a version that kept only the folders, in the settings
        for (const QVariant& folder : settings.value(key("session/experiments")).toList()) {
            m_folders.emplace_back(folder.toByteArray().toStdString());
        }
    }
    m_selected = toPath(state.value(key("selected")));
    Navigator::Kept kept;
    kept.expanded = toStrings(state.value(key("expanded")));
    kept.collapsed = toStrings(state.value(key("collapsed")));
    for (const QJsonValue& each : state.value(key("marks")).toArray()) {
        const QJsonObject mark = each.toObject();
        const int slot = mark.value(key("slot")).toInt(-1);
        if (slot >= 0 && slot < kMostSlots) {
            kept.marks.emplace_back(toPath(mark.value(key("run"))), slot);
        }
    }
    m_navigator.setKept(std::move(kept));
}

QJsonObject SessionKeeper::collect() {
    QJsonArray columns;
    for (const int width : m_columns) {
        columns << width;
    }
    const QJsonObject window{{key("width"), m_size.width()},
                             {key("height"), m_size.height()},
                             {key("maximized"), m_window.isMaximized()},
                             {key("columns"), columns}};
    QJsonObject pages;
    for (Page* page : m_workspace.pages()) {
        if (const auto* keeps = dynamic_cast<const KeepsState*>(page)) {
            pages.insert(nameOf(*page), keeps->keptState());
        }
    }
    const Navigator::Kept kept = m_navigator.kept();
    QJsonArray marks;
    for (const auto& [run, slot] : kept.marks) {
        marks << QJsonObject{{key("run"), toJson(run)}, {key("slot"), slot}};
    }
    return {{key("window"), window},
            {key("inspector"), m_workspace.wantsInspector()},
            {key("tab"), nameOf(*m_workspace.currentPage())},
            {key("folders"), toJson(m_navigator.model()->experiments())},
            {key("selected"), toJson(m_selected)},
            {key("expanded"), QJsonArray::fromStringList(kept.expanded.mid(0, kMostKeys))},
            {key("collapsed"), QJsonArray::fromStringList(kept.collapsed.mid(0, kMostKeys))},
            {key("marks"), marks},
            {key("pages"), pages}};
}

/// Only what the user chose: a small window makes columns narrow, too.
void SessionKeeper::takeColumns() {
    const QList<int> widths = m_workspace.splitter()->sizes();
    const QList<int> before = std::exchange(m_columns, widths);
    for (qsizetype i = 0; i < widths.size(); ++i) {
        if (widths[i] == 0 && i < before.size()) {
            m_columns[i] = before[i];
        }
    }
    touch();
}

void SessionKeeper::follow() {
    m_window.installEventFilter(this);
    connect(m_workspace.splitter(), &QSplitter::splitterMoved, this, &SessionKeeper::takeColumns);
    connect(&m_workspace, &Workspace::tabChanged, this, &SessionKeeper::touch);
    connect(&m_workspace, &Workspace::inspectorShownChanged, this, &SessionKeeper::touch);
    connect(&m_navigator, &Navigator::keptChanged, this, &SessionKeeper::touch);
    connect(m_navigator.model(), &QAbstractItemModel::rowsInserted, this, &SessionKeeper::touch);
    connect(m_navigator.model(), &QAbstractItemModel::rowsRemoved, this, &SessionKeeper::touch);
    for (Page* page : m_workspace.pages()) {
        if (auto* keeps = dynamic_cast<KeepsState*>(page)) {
            keeps->setOnStateChanged([this] { touch(); });
        }
    }
}

bool SessionKeeper::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::WindowStateChange) {
        const bool ordinary = !m_window.isMaximized() && !m_window.isFullScreen();
        m_size = ordinary ? m_window.size() : m_size;
        touch();
    }
    return QObject::eventFilter(watched, event);
}

void SessionKeeper::setSelected(const std::filesystem::path& path) {
    if (path != m_selected) {
        m_selected = path;
        touch();
    }
}

void SessionKeeper::touch() {
    if (!m_stopped && !m_timer.isActive()) { // held keys do not delay it
        m_timer.start();
    }
}

void SessionKeeper::stop() {
    m_stopped = true;
    m_timer.stop();
}

void SessionKeeper::saveNow() {
    m_timer.stop();
    if (!m_stopped) {
        m_file.writeNow(collect());
    }
}

} // namespace cairn::ui
