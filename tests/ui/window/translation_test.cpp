// SPDX-License-Identifier: GPL-3.0-or-later
// The window in a pseudo-language: no text that is not translated, none that is cut.
#include "tests/ui/support/pseudo_language.h"
#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/models/value_model.h"
#include "ui/shell/frame/flat_tab_bar.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/workspace.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMutex>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>

#include <fstream>
#include <functional>
#include <iterator>
#include <set>

using namespace cairn;
using namespace cairn::ui;
using test::kTimeoutMs;
using test::PseudoLanguage;
using test::WindowFixture;

namespace {

/// Words of formats, units and Python, which are the same in every language.
const std::set<QString>& commonWords() {
    static const std::set<QString> words = {
        QStringLiteral("cairn"),       QStringLiteral("cli"),         QStringLiteral("experiment"),
        QStringLiteral("safetensors"), QStringLiteral("torch"),       QStringLiteral("numpy"),
        QStringLiteral("nan"),         QStringLiteral("inf"),         QStringLiteral("none"),
        QStringLiteral("true"),        QStringLiteral("false"),       QStringLiteral("dict"),
        QStringLiteral("list"),        QStringLiteral("tuple"),       QStringLiteral("str"),
        QStringLiteral("int"),         QStringLiteral("float"),       QStringLiteral("bool"),
        QStringLiteral("ctrl"),        QStringLiteral("shift"),       QStringLiteral("del"),
        QStringLiteral("bfloat"),      QStringLiteral("tmp"),         QStringLiteral("copy"),
        QStringLiteral("consolidate"), QStringLiteral("bundle"),      QStringLiteral("only"),
        QStringLiteral("weights"),     QStringLiteral("readme"),      QStringLiteral("manifest"),
        QStringLiteral("deploy"),      QStringLiteral("json"),        QStringLiteral("from"),
        QStringLiteral("import"),      QStringLiteral("pyfloat"),     QStringLiteral("test"),
        QStringLiteral("dcp"),         QStringLiteral("huggingface"), QStringLiteral("cuda"),
        QStringLiteral("cpu"),         QStringLiteral("hugging"),     QStringLiteral("face"),
        QStringLiteral("llama"),       QStringLiteral("cpp"),         QStringLiteral("megatron"),
        QStringLiteral("torchtune"),   QStringLiteral("litgpt")};
    return words;
}

/// Every word of the names and values of the sample experiment.
std::set<QString> wordsOf(const std::filesystem::path& folder) {
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{3,}"));
    std::set<QString> found = commonWords();
    const auto take = [&](const QString& text) {
        for (auto each = word.globalMatch(text); each.hasNext();) {
            found.insert(each.next().captured().toLower());
        }
    };
    for (const auto& each : std::filesystem::recursive_directory_iterator(folder)) {
        take(QString::fromStdString(each.path().string()));
        if (each.is_regular_file() && each.path().extension() != ".md") {
            std::ifstream stream(each.path(), std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
            take(QString::fromLatin1(bytes.data(), static_cast<qsizetype>(bytes.size())));
        }
    }
    return found;
}

struct Shown {
    QString text;
    QString where;
};

/// Everything that a person reads, or hears, of the window as it is.
class Texts {
public:
    explicit Texts(const QWidget& window) {
        for (const QWidget* each : window.findChildren<QWidget*>()) {
            if (each->isVisible()) {
                add(*each);
            }
        }
    }
    const std::vector<Shown>& all() const { return m_all; }

private:
    void put(const QString& text, const QWidget& widget, const char* what) {
        static const QRegularExpression tags(QStringLiteral("<[^>]*>"));
        QString plain = text;
        if (plain.startsWith(QLatin1String("<qt>"))) {
            plain.replace(tags, QStringLiteral(" "));
        }
        if (!plain.trimmed().isEmpty()) {
            m_all.push_back({plain, QString::fromLatin1(widget.metaObject()->className()) +
                                        QLatin1Char(' ') + QLatin1String(what)});
        }
    }

    void add(const QWidget& widget) {
        put(widget.toolTip(), widget, "tooltip");
        put(widget.accessibleName(), widget, "accessible name");
        put(widget.accessibleDescription(), widget, "accessible description");
        if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
            put(label->text(), widget, "text");
        } else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
            put(button->text(), widget, "text");
        } else if (const auto* field = qobject_cast<const QLineEdit*>(&widget)) {
            put(field->placeholderText(), widget, "placeholder");
        } else if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) {
            for (int i = 0; i < tabs->count(); ++i) {
                put(tabs->tabText(i), widget, "tab");
            }
        } else if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget)) {
            if (view->model() != nullptr && qobject_cast<const QHeaderView*>(view) == nullptr) {
                if (qobject_cast<const ValueModel*>(view->model()) == nullptr) { // a file's data
                    addRows(*view, {}, 0);
                }
                for (int i = 0; i < view->model()->columnCount(); ++i) {
                    put(view->model()->headerData(i, Qt::Horizontal).toString(), widget, "header");
                }
            }
        }
    }

    void addRows(const QAbstractItemView& view, const QModelIndex& parent, int depth) {
        const QAbstractItemModel& model = *view.model();
        for (int row = 0; row < std::min(30, model.rowCount(parent)) && depth < 4; ++row) {
            for (int column = 0; column < model.columnCount(parent); ++column) {
                const QModelIndex index = model.index(row, column, parent);
                for (const int role :
                     {static_cast<int>(Qt::DisplayRole), static_cast<int>(Qt::ToolTipRole),
                      static_cast<int>(Qt::AccessibleTextRole)}) {
                    put(index.data(role).toString(), view, "cell");
                }
            }
            addRows(view, model.index(row, 0, parent), depth + 1);
        }
    }

    std::vector<Shown> m_all;
};

/// Labels, buttons and pages that have less room than their text needs, and no tooltip with it.
QStringList cutTexts(const QWidget& window) {
    QStringList found;
    for (const QWidget* each : window.findChildren<QWidget*>()) {
        const auto* label = qobject_cast<const QLabel*>(each);
        const auto* button = qobject_cast<const QAbstractButton*>(each);
        const auto* area = qobject_cast<const QScrollArea*>(each);
        if (!each->isVisible() || each->visibleRegion().isEmpty()) {
            continue;
        }
        const QString name = QString::fromLatin1(each->metaObject()->className());
        if (label != nullptr && !label->text().isEmpty() && label->toolTip().isEmpty()) {
            const bool cut = label->wordWrap()
                                 ? label->heightForWidth(label->width()) > label->height() + 1
                                 : label->sizeHint().width() > label->width() + 1;
            if (cut) {
                found << name + QStringLiteral(" is cut: ") + label->text();
            }
        }
        if (button != nullptr && !button->text().isEmpty() &&
            button->sizeHint().width() > button->width() + 1) {
            found << name + QStringLiteral(" is cut: ") + button->text();
        }
        const bool hasText = (label != nullptr && !label->text().isEmpty()) ||
                             (button != nullptr && !button->text().isEmpty());
        if (hasText && each->visibleRegion().boundingRect().width() < each->width() - 1) {
            found << name + QStringLiteral(" is outside its place: ") + each->accessibleName();
        }
        if (area != nullptr && area->horizontalScrollBar()->maximum() > 0) {
            found << name + QStringLiteral(" is wider than its place by ") +
                         QString::number(area->horizontalScrollBar()->maximum());
        }
    }
    return found;
}

QStringList untranslated(const std::vector<Shown>& texts, const std::set<QString>& known) {
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{3,}"));
    QStringList found;
    for (const Shown& each : texts) {
        const QString rest = PseudoLanguage::untranslated(each.text);
        for (auto match = word.globalMatch(rest); match.hasNext();) {
            if (!known.contains(match.next().captured().toLower())) {
                found << each.where + QStringLiteral(": ") + each.text;
                break;
            }
        }
    }
    found.removeDuplicates();
    return found;
}

/// Notes the texts of the window that it does not find: a context that differs from the class that
/// asks shows only when the program runs.
class WatchedCatalogue final : public QTranslator {
public:
    QString translate(const char* context, const char* source, const char* comment,
                      int count) const override {
        const QString found = QTranslator::translate(context, source, comment, count);
        if (found.isEmpty() && QLatin1String(context).startsWith(QLatin1String("cairn::ui"))) {
            const QMutexLocker lock(&m_mutex); // workers translate too
            m_missing << QLatin1String(context) + QStringLiteral(": ") + QString::fromUtf8(source);
        }
        return found;
    }
    QStringList missing() const {
        QStringList once = m_missing;
        once.removeDuplicates();
        return once;
    }

private:
    mutable QMutex m_mutex;
    mutable QStringList m_missing;
};

/// Entries of one menu with the same key.
QStringList sharedKeys(const QList<QAction*>& actions) {
    QHash<QChar, QString> keys;
    QStringList found;
    for (const QAction* each : actions) {
        const QString text = each->text();
        const auto at = text.indexOf(QLatin1Char('&'));
        if (at < 0 || at + 1 >= text.size()) {
            continue;
        }
        const QChar key = text[at + 1].toLower();
        if (keys.contains(key)) {
            found << keys[key] + QStringLiteral(" / ") + text;
        }
        keys[key] = text;
    }
    return found;
}

} // namespace

class TranslationTest : public QObject {
    Q_OBJECT

    PseudoLanguage m_language;

    /// Each page that the selection has, at each size.
    static void walk(MainWindow& window, const std::function<void(const QString&)>& visit) {
        for (const QSize size : {QSize(1440, 900), QSize(880, 560)}) {
            window.resize(size);
            for (int tab = 0; tab < window.actions().tabs.size(); ++tab) {
                if (!window.workspace()->isTabEnabled(tab)) {
                    continue;
                }
                window.workspace()->setCurrentTab(tab);
                QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kTimeoutMs);
                QTest::qWait(100); // layouts, and the first results of a page's worker
                const QString name = QStringLiteral("%1-%2").arg(tab).arg(size.width());
                visit(name);
            }
        }
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(QCoreApplication::installTranslator(&m_language)); }

    void everyTextIsTranslatedAndWhole_data() {
        QTest::addColumn<QString>("place");
        for (const char* place :
             {"tiny-llama-a/step-400", "tiny-llama-a/step-300", "tiny-llama-a", "hf-export"}) {
            QTest::newRow(place) << QString::fromLatin1(place);
        }
    }
    void everyTextIsTranslatedAndWhole() {
        QFETCH(const QString, place);
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        const std::set<QString> known = wordsOf(fixture.experiment());
        const bool isRun = place == QLatin1String("tiny-llama-a");
        QVERIFY(fixture.open((isRun ? place + QStringLiteral("/step-400") : place).toStdString()));
        if (isRun) {
            window.navigator()->view()->setCurrentIndex(
                window.navigator()->model()->findRun(fixture.experiment() / place.toStdString()));
        }
        QStringList plain;
        QStringList cut;
        const QString slug = QString(place).replace(QLatin1Char('/'), QLatin1Char('-'));
        walk(window, [&](const QString& name) {
            plain += untranslated(Texts(window).all(), known);
            // What a worker has just found out is laid out in the next turns of the event loop.
            (void)QTest::qWaitFor([&] { return cutTexts(window).isEmpty(); }, 2000);
            for (const QString& each : cutTexts(window)) {
                cut << name + QStringLiteral(": ") + each;
            }
            if (!test::screenshotFolder().isEmpty()) {
                test::saveScreenshots(window, QStringLiteral("pseudo-%1-%2").arg(slug, name));
            }
        });
        plain.removeDuplicates();
        QVERIFY2(plain.isEmpty(), qPrintable(QLatin1Char('\n') + plain.join(QLatin1Char('\n'))));
        QVERIFY2(cut.isEmpty(), qPrintable(QLatin1Char('\n') + cut.join(QLatin1Char('\n'))));
    }

    void dialogsAreTranslatedAndWhole() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        const std::set<QString> known = wordsOf(fixture.experiment());
        const Actions& actions = window.actions();
        for (QAction* action :
             {actions.preferences, actions.palette, actions.reportProblem, actions.about}) {
            action->trigger();
            QTest::qWait(200);
            for (QWidget* each : QApplication::topLevelWidgets()) {
                if (each == &window || !each->isVisible()) {
                    continue;
                }
                if (each->layout() != nullptr) { // the screen of the test is small
                    each->resize(each->width(),
                                 std::max(each->height(),
                                          each->layout()->totalHeightForWidth(each->width())));
                    QTest::qWait(50);
                }
                const QString name = action->objectName() + QStringLiteral(": ");
                QCOMPARE(name + untranslated(Texts(*each).all(), known).join(QLatin1Char('\n')),
                         name);
                QCOMPARE(name + cutTexts(*each).join(QLatin1Char('\n')), name);
                if (!test::screenshotFolder().isEmpty()) {
                    test::saveScreenshots(*each, QStringLiteral("pseudo-") + action->objectName());
                }
                each->close();
            }
        }
    }

    void germanIsCompleteAndFits() {
        QCoreApplication::removeTranslator(&m_language);
        WatchedCatalogue german;
        QVERIFY(german.load(QStringLiteral(":/i18n/cairn_de.qm")));
        QVERIFY(QCoreApplication::installTranslator(&german));
        QStringList cut;
        {
            WindowFixture fixture;
            QVERIFY(fixture.open("tiny-llama-a/step-400"));
            walk(*fixture.window, [&](const QString& name) {
                // As above: of the worker's results, too.
                (void)QTest::qWaitFor([&] { return cutTexts(*fixture.window).isEmpty(); }, 2000);
                for (const QString& each : cutTexts(*fixture.window)) {
                    cut << name + QStringLiteral(": ") + each;
                }
                const auto* tabs = fixture.window->findChild<FlatTabBar*>();
                if (tabs->tabRect(tabs->count() - 1).right() >= tabs->width()) {
                    cut << name + QStringLiteral(": the last tab is cut");
                }
                if (!test::screenshotFolder().isEmpty()) {
                    test::saveScreenshots(*fixture.window, QStringLiteral("german-") + name);
                }
            });
        }
        QCoreApplication::removeTranslator(&german);
        QVERIFY(QCoreApplication::installTranslator(&m_language));
        QCOMPARE(german.missing().join(QLatin1Char('\n')), QString());
        QVERIFY2(cut.isEmpty(), qPrintable(QLatin1Char('\n') + cut.join(QLatin1Char('\n'))));
    }

    void everyActionIsTranslated() {
        WindowFixture fixture;
        const std::set<QString> known = commonWords();
        static const QRegularExpression identifier(QStringLiteral("^[a-z0-9]+(_[a-z0-9]+)+$"));
        std::vector<Shown> texts;
        for (const QAction* each : fixture.window->findChildren<QAction*>()) {
            if (!each->isSeparator() && !identifier.match(each->text()).hasMatch()) {
                texts.push_back({each->text(), QStringLiteral("action")});
                texts.push_back({each->statusTip(), QStringLiteral("status tip")});
                texts.push_back({each->toolTip(), QStringLiteral("tooltip")});
            }
        }
        const QStringList found = untranslated(texts, known);
        QVERIFY2(found.isEmpty(), qPrintable(QLatin1Char('\n') + found.join(QLatin1Char('\n'))));
    }

    void germanMenusHaveTheirOwnKeys() {
        QCoreApplication::removeTranslator(&m_language);
        QTranslator german;
        QVERIFY(german.load(QStringLiteral(":/i18n/cairn_de.qm")));
        QVERIFY(QCoreApplication::installTranslator(&german));
        {
            const WindowFixture fixture;
            for (const QAction* title : fixture.window->menuBar()->actions()) {
                QCOMPARE(sharedKeys(title->menu()->actions()).join(QLatin1Char(',')), QString());
            }
            QCOMPARE(sharedKeys(fixture.window->menuBar()->actions()).join(QLatin1Char(',')),
                     QString());
        }
        QCoreApplication::removeTranslator(&german);
        QVERIFY(QCoreApplication::installTranslator(&m_language));
    }
};

QTEST_MAIN(TranslationTest)
#include "translation_test.moc"
