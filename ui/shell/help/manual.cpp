// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help/manual.h"

#include "ui/shell/preferences/shortcut_set.h"
#include "ui/text/words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/hairline_splitter.h"
#include "ui/widgets/quiet_views.h"
#include "ui/widgets/text_field.h"

#include <QAction>
#include <QFile>
#include <QKeyEvent>
#include <QListWidget>
#include <QMenu>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextTable>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace cairn::ui {
namespace {

constexpr auto kNames = std::to_array<const char*>(
    {"browse", "compare", "consolidate", "space", "tools", "keys", "trust", "command-line"});
const QString kShortcuts = QStringLiteral("<!-- shortcuts -->");
constexpr int kNameRole = Qt::UserRole + 1;

/// In the window's language if there is a translation. The catalogue names its folder: the locale
/// may have another language than the window (LANGUAGE).
QString contentOf(const QString& name) {
    const QString language = Manual::tr("en", "the folder of the manual in this language");
    for (const QString& folder : {language, QStringLiteral("en")}) {
        QFile file(QStringLiteral(":/manual/%1/%2.md").arg(folder, name));
        if (file.open(QIODevice::ReadOnly)) {
            return QString::fromUtf8(file.readAll());
        }
    }
    return {};
}

QString plain(QString text) {
    return text.remove(QLatin1Char('&')).replace(QLatin1Char('|'), QLatin1String("\\|"));
}

/// Air above headings, tables with thin lines, and links in a colour that is readable on the
/// ground.
void styleDocument(QTextDocument& document, const QPalette& palette) {
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorderCollapse(true);
            format.setBorder(1);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderBrush(theme::hairline(palette));
            format.setCellPadding(theme::kGrid / 2.0);
            format.setCellSpacing(0);
            format.setTopMargin(theme::kGrid);
            table->setFormat(format);
        }
    }
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 1) {
            QTextBlockFormat format;
            format.setTopMargin(2 * theme::kGrid);
            cursor.setPosition(block.position());
            cursor.mergeBlockFormat(format);
        }
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            const QTextFragment text = part.fragment();
            if (text.charFormat().isAnchor()) {
                cursor.setPosition(text.position());
                cursor.setPosition(text.position() + text.length(), QTextCursor::KeepAnchor);
                QTextCharFormat format;
                format.setForeground(theme::color(theme::Tone::Accent, palette));
                cursor.mergeCharFormat(format);
            }
        }
    }
}

} // namespace

Manual::Manual(QList<QAction*> actions, QWidget* parent)
    : QWidget(parent, Qt::Window), m_actions(std::move(actions)), m_search(new TextField),
      m_list(new QuietView<QListWidget>), m_nothing(plainLabel({})), m_text(new QTextBrowser) {
    setWindowTitle(tr("Cairn Manual"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* splitter = new HairlineSplitter(Qt::Horizontal);
    layout->addWidget(splitter);
    auto* left = new QWidget;
    left->setAutoFillBackground(true);
    left->setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(theme::kGrid, theme::kGrid, theme::kGrid, theme::kGrid);
    column->setSpacing(theme::kGrid);
    m_search->setPlaceholderText(tr("Search the manual…"));
    m_search->setAccessibleName(tr("Search the manual"));
    m_search->setMinimumHeight(theme::kControlHeight);
    m_search->setClearButtonEnabled(true);
    m_nothing->setWordWrap(true);
    m_nothing->hide();
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("Pages of the manual"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(m_search);
    column->addWidget(m_nothing);
    column->addWidget(m_list, 1);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setAccessibleName(tr("Text of the manual"));
    m_text->setOpenLinks(false);
    m_text->document()->setDocumentMargin(3 * theme::kGrid);
    splitter->addWidget(left);
    splitter->addWidget(m_text);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({240, 620});
    resize(860, 640);
    load();
    fillList();
    connect(m_search, &QLineEdit::textChanged, this, &Manual::fillList);
    connect(m_search, &QLineEdit::returnPressed, this, &Manual::findNext);
    connect(m_list, &QListWidget::currentRowChanged, this, &Manual::showCurrent);
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        m_search->clear();
        showPage(link.fileName().section(QLatin1Char('.'), 0, 0));
    });
}

void Manual::load() {
    m_pages.clear();
    for (const char* name : kNames) {
        const QString key = QString::fromLatin1(name);
        const QString text = contentOf(key);
        const QString head = text.section(QLatin1Char('\n'), 0, 0);
        m_pages.append({key, head.mid(2), withShortcuts(text)});
    }
}

void Manual::reload() {
    load();
    showCurrent();
}

QString Manual::withShortcuts(const QString& text) const {
    if (!text.contains(kShortcuts)) {
        return text;
    }
    QString table = tr("| Menu | Action | Keys |") + QLatin1String("\n| --- | --- | --- |\n");
    for (const QAction* action : m_actions) {
        const QString keys = ShortcutSet::text(action->shortcuts());
        QString menuTitle;
        for (const QObject* each : action->associatedObjects()) {
            if (const auto* menu = qobject_cast<const QMenu*>(each)) {
                menuTitle = menuTitle.isEmpty() ? menu->title() : menuTitle;
            }
        }
        if (!keys.isEmpty()) {
            table += QStringLiteral("| %1 | %2 | `%3` |\n")
                         .arg(plain(menuTitle), plain(action->text()), plain(keys));
        }
    }
    return QString(text).replace(kShortcuts, table);
}

void Manual::fillList() {
    const QString before = current();
    const QStringList words = text::wordsOf(m_search->text());
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (const Page& page : m_pages) {
            if (text::containsWords(page.text, words)) {
                auto* item = new QListWidgetItem(page.title, m_list);
                item->setData(kNameRole, page.name);
                item->setSizeHint({0, fontMetrics().height() + theme::kGrid + 4});
                if (page.name == before) {
                    m_list->setCurrentItem(item);
                }
            }
        }
        if (m_list->currentRow() < 0) {
            m_list->setCurrentRow(0);
        }
    }
    const bool nothing = m_list->count() == 0;
    m_nothing->setVisible(nothing);
    m_nothing->setText(nothing ? tr("No page contains “%1”").arg(m_search->text()) : QString());
    showCurrent();
}

QString Manual::current() const {
    const QListWidgetItem* item = m_list->currentItem();
    return item != nullptr ? item->data(kNameRole).toString() : QString();
}

void Manual::showCurrent() {
    const QString name = current();
    const auto page = std::ranges::find(m_pages, name, &Page::name);
    m_text->setMarkdown(page != m_pages.end() ? page->text : QString());
    styleDocument(*m_text->document(), palette());
    const QStringList words = text::wordsOf(m_search->text());
    if (!words.isEmpty()) {
        m_text->find(words.front());
    }
}

void Manual::findNext() {
    const QStringList words = text::wordsOf(m_search->text());
    if (!words.isEmpty() && !m_text->find(words.front())) { // from the beginning again
        m_text->moveCursor(QTextCursor::Start);
        m_text->find(words.front());
    }
}

void Manual::showPage(const QString& name) {
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->data(kNameRole).toString() == name) {
            m_list->setCurrentRow(row);
        }
    }
    show();
    raise();
    activateWindow();
    m_text->setFocus();
}

void Manual::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        showCurrent(); // the colours of links and code are in the document
    }
}

void Manual::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Find)) {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    } else if (event->key() == Qt::Key_Escape) {
        close();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace cairn::ui
