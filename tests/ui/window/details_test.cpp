// SPDX-License-Identifier: GPL-3.0-or-later
// The small things that a user sees on every page: rows, splitters, tooltips, menus, fields, the
// first size of the window, and what is said when files are lost, moved or cannot be read.
#include "tests/ui/support/command_line.h"
#include "tests/ui/support/header_clicks.h"
#include "tests/ui/support/job_pages.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/models/row_view.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/runs/run_table_model.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/space/space_legend.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/text/language.h"
#include "ui/text/plain_text.h"
#include "ui/theme/appearance.h"
#include "ui/widgets/check_box.h"
#include "ui/widgets/dragged_files.h"
#include "ui/widgets/outlined.h"
#include "ui/widgets/search_field.h"
#include "ui/widgets/shown_choice.h"
#include "ui/widgets/text_field.h"

#include <QClipboard>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLibraryInfo>
#include <QMouseEvent>
#include <QScreen>
#include <QSpinBox>
#include <QSplitter>
#include <QStyleFactory>
#include <QToolTip>
#include <QTranslator>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <unistd.h>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

constexpr uid_t kNobody = 65534;

std::set<QRgb> coloursOf(const QImage& image) {
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            colours.insert(image.pixel(x, y));
        }
    }
    return colours;
}

} // namespace

class DetailsTest : public QObject {
    Q_OBJECT

    QTranslator m_plurals;
    std::unique_ptr<WindowFixture> m_fixture;

    MainWindow& window() { return *m_fixture->window; }
    Workspace& workspace() { return *window().workspace(); }
    void showPage(const Page* page) {
        workspace().showPage(page);
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled(), kTimeoutMs);
    }
    QTreeView* tensorRows() {
        showPage(window().pages().tensors);
        return qobject_cast<QTreeView*>(window().pages().tensors->filterTarget());
    }
    void everyPage(const std::function<void(const QString& page)>& look) {
        for (int tab = 0; tab < static_cast<int>(workspace().pages().size()); ++tab) {
            if (workspace().isTabEnabled(tab)) {
                workspace().setCurrentTab(tab);
                QTRY_VERIFY_WITH_TIMEOUT(window().isSettled(), kTimeoutMs);
                look(QString::fromUtf8(workspace().currentPage()->info().id));
            }
        }
    }

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        theme::setScheme(theme::Scheme::Light);
        QVERIFY(m_plurals.load(QStringLiteral(":/i18n/cairn_en.qm")));
        QVERIFY(QApplication::installTranslator(&m_plurals));
    }
    void init() { m_fixture = std::make_unique<WindowFixture>(); }
    void cleanup() {
        m_fixture.reset();
        theme::setScheme(theme::Scheme::Light);
    }

    void theFirstWindowFitsItsScreen() {
        const QSize screen = window().screen()->availableSize();
        QVERIFY2(window().width() <= std::max(screen.width(), window().minimumWidth()) &&
                     window().height() < screen.height(),
                 qPrintable(QStringLiteral("%1x%2").arg(window().width()).arg(window().height())));
    }

    void selectedRowsAreFlat() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        QTreeView* rows = tensorRows();
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled(), kTimeoutMs);
        rows->setCurrentIndex(rows->model()->index(0, 0));
        QTest::qWait(50);
        const QRect cell = rows->visualRect(rows->currentIndex());
        const QImage picture = rows->viewport()->grab(cell).toImage();
        std::set<QRgb> edge; // without its text
        for (int y = 0; y < picture.height(); ++y) {
            edge.insert(picture.pixel(picture.width() - 3, y));
        }
        QCOMPARE(edge.size(), std::size_t{1});
        QVERIFY(*edge.begin() != rows->palette().color(QPalette::Base).rgb());
    }

    void splittersHaveNoFocusBar() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        for (QSplitter* splitter : window().findChildren<QSplitter*>()) {
            for (int i = 1; i < splitter->count(); ++i) {
                QSplitterHandle* handle = splitter->handle(i);
                if (!handle->isVisible()) {
                    continue;
                }
                handle->setFocus();
                QTest::mouseClick(handle, Qt::LeftButton);
                const std::set<QRgb> colours = coloursOf(handle->grab().toImage());
                QVERIFY2(colours.size() <= 2 &&
                             colours.contains(theme::hairline(handle->palette()).rgb()),
                         handle->parentWidget()->metaObject()->className());
            }
        }
    }

    void tooltipsHaveTheColoursOfCards() {
        for (const theme::Scheme scheme : {theme::Scheme::Dark, theme::Scheme::Light}) {
            theme::setScheme(scheme);
            QTest::qWait(20);
            const QPalette tips = QToolTip::palette();
            QCOMPARE(tips.color(QPalette::ToolTipBase), theme::cardGround(window().palette()));
            QVERIFY(theme::contrast(tips.color(QPalette::ToolTipBase),
                                    tips.color(QPalette::ToolTipText)) > 7);
        }
    }

    void placeholdersCanBeRead() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        for (const theme::Scheme scheme : {theme::Scheme::Dark, theme::Scheme::Light}) {
            theme::setScheme(scheme);
            QTest::qWait(20);
            for (const QLineEdit* field : window().findChildren<QLineEdit*>()) {
                const QPalette& ground = field->parentWidget()->palette();
                const double contrast =
                    theme::contrast(field->palette().color(QPalette::PlaceholderText),
                                    ground.color(QPalette::Base));
                QVERIFY2(contrast >= 4.5,
                         qPrintable(
                             QStringLiteral("%1: %2").arg(field->accessibleName()).arg(contrast)));
            }
        }
    }

    void fieldsHaveOneStyle() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        everyPage([this](const QString& page) {
            for (const QCheckBox* box : window().findChildren<QCheckBox*>()) {
                QVERIFY2(qobject_cast<const CheckBox*>(box) != nullptr,
                         qPrintable(page + box->text()));
            }
            for (const QSpinBox* box : window().findChildren<QSpinBox*>()) {
                QVERIFY2(dynamic_cast<const Outlined<QSpinBox>*>(box) != nullptr,
                         qPrintable(page + box->accessibleName()));
            }
            for (const QDoubleSpinBox* box : window().findChildren<QDoubleSpinBox*>()) {
                QVERIFY2(dynamic_cast<const Outlined<QDoubleSpinBox>*>(box) != nullptr,
                         qPrintable(page + box->accessibleName()));
            }
            for (const QLineEdit* field : window().findChildren<QLineEdit*>()) {
                const bool isOfSpin =
                    qobject_cast<const QAbstractSpinBox*>(field->parentWidget()) != nullptr;
                QVERIFY2(isOfSpin || !field->isVisible() ||
                             qobject_cast<const TextField*>(field) != nullptr,
                         qPrintable(page + field->accessibleName()));
            }
        });
    }

    void menusMarkTheCurrentChoice() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        int menus = 0;
        everyPage([&](const QString& page) {
            for (Button* each : workspace().currentPage()->findChildren<Button*>()) {
                if (!marksChoice(*each) || each->isHidden() || each->text().isEmpty()) {
                    continue;
                }
                each->menu()->popup({0, 0});
                int marked = 0;
                for (const QAction* action : each->menu()->actions()) {
                    marked += action->isChecked() ? 1 : 0;
                }
                each->menu()->close();
                ++menus;
                QVERIFY2(marked == 1, qPrintable(page + QStringLiteral(": ") + each->text()));
            }
        });
        QVERIFY2(menus > 5, qPrintable(QString::number(menus)));
    }

    void theFirstClickOnSizeShowsTheLargest() {
        window().resize(1440, 900);
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        QTreeView* rows = tensorRows();
        QTRY_VERIFY_WITH_TIMEOUT(rows->model()->rowCount() > 0, kTimeoutMs);
        QTest::qWait(50); // the columns have their places
        for (int column = 0; column < rows->model()->columnCount(); ++column) {
            if (rows->model()->headerData(column, Qt::Horizontal) == QStringLiteral("Size")) {
                clickHeader(*rows, column);
                QTRY_COMPARE(rows->header()->sortIndicatorSection(), column);
                QCOMPARE(rows->header()->sortIndicatorOrder(), Qt::DescendingOrder);
            }
        }
        QVERIFY(rows->header()->sortIndicatorSection() > 0);
    }

    void endOfAListIsNotTheNewestCheckpoint() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-100"));
        QTreeView* rows = tensorRows();
        rows->expandAll();
        rows->setFocus();
        rows->setCurrentIndex(rows->model()->index(0, 0));
        for (const auto& modifiers : {Qt::ControlModifier, Qt::NoModifier}) {
            const auto isLast = [&] { // more rows may have come since
                rows->expandAll();
                QTest::keyClick(rows, Qt::Key_End, modifiers);
                const QModelIndex last = rows->currentIndex();
                return last.isValid() && !rows->indexBelow(last).isValid() &&
                       rows->selectionModel()->selectedRows() == QModelIndexList{last};
            };
            QTRY_VERIFY_WITH_TIMEOUT(window().isSettled() && isLast(), kTimeoutMs);
            QTest::keyClick(rows, Qt::Key_Home, modifiers);
            QCOMPARE(rows->selectionModel()->selectedRows(),
                     QModelIndexList{rows->model()->index(0, 0)});
        }
        QCOMPARE(window().checkpoint()->path().filename().string(), std::string("step-100"));
    }

    void namesKeepTheirCase() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        window().resize(1440, 900);
        const auto isAsWritten = [this](const QString& name) {
            const auto labels = window().findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) {
                return label->isVisible() && label->text() == name &&
                       label->font().capitalization() == QFont::MixedCase;
            });
        };
        showPage(window().pages().history);
        QTRY_VERIFY_WITH_TIMEOUT(isAsWritten(QStringLiteral("best_eval_loss")), kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(
            window().pages().history->sidePanel()->findChildren<QLabel*>().size() > 10, kTimeoutMs);
        int named = 0;
        for (const QLabel* label : window().pages().history->sidePanel()->findChildren<QLabel*>()) {
            if (label->text() == QStringLiteral("eval_loss")) {
                ++named;
                QCOMPARE(label->font().capitalization(), QFont::MixedCase);
            }
        }
        QVERIFY(named > 0);
        showPage(window().pages().consolidate);
        QTRY_VERIFY_WITH_TIMEOUT(isAsWritten(QStringLiteral("Deploy tiny-llama-a, step-400")),
                                 kTimeoutMs);
    }

    void theMapHasRoomAndItsLegendItsColours() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        SpacePage* space = window().pages().space;
        window().resize(880, 560);
        showPage(space);
        TreemapView* map = space->view();
        QTRY_VERIFY_WITH_TIMEOUT(space->isSettled() && map->itemCount() > 2, kTimeoutMs);
        QVERIFY2(map->height() >= 250, qPrintable(QString::number(map->height())));
        picture(window(), QStringLiteral("details-map"), {880, 560});
        window().resize(1440, 900);
        QTest::qWait(80);
        const std::set<QRgb> legend = coloursOf(space->findChild<SpaceLegend*>()->grab().toImage());
        const QImage drawn = map->grab().toImage();
        std::set<QRgb> tiles;
        for (const MapTile& tile : map->tiles()) {
            const QPoint corner = tile.rect.toRect().bottomRight() - QPoint(4, 4);
            if (tile.isLeaf && tile.rect.width() > 30 && tile.rect.height() > 30 &&
                !map->isHatched(tile.node)) {
                tiles.insert(drawn.pixel(corner));
            }
        }
        QVERIFY(tiles.size() >= 2);
        for (const QRgb colour : tiles) {
            const bool isKnown = std::ranges::any_of(legend, [&](QRgb known) {
                return std::abs(QColor(known).hue() - QColor(colour).hue()) <= 3 &&
                       QColor(known).saturation() >= QColor(colour).saturation();
            }); // neighbours are told apart by a paler shade
            QVERIFY2(isKnown, qPrintable(QColor(colour).name()));
        }
    }

    void keysAreSpelledInTheLanguage() {
        QTranslator german;
        QVERIFY(german.load(QStringLiteral("qtbase_de"),
                            QLibraryInfo::path(QLibraryInfo::TranslationsPath)));
        QApplication::installTranslator(&german);
        const SearchField field(QString(), QKeySequence(Qt::CTRL | Qt::Key_F));
        QApplication::removeTranslator(&german);
        QCOMPARE(field.shortcutText(), QStringLiteral("Strg+F"));
    }

    void anArabicDesktopHasOneKindOfDigits() {
        const QLocale before;
        QLocale::setDefault(QLocale(QStringLiteral("ar_EG")));
        QCOMPARE(QLocale().toString(400), QStringLiteral("٤٠٠"));
        QCoreApplication& application = *QCoreApplication::instance();
        const Qt::LayoutDirection direction = QGuiApplication::layoutDirection();
        text::installLanguage(application, QLocale(QStringLiteral("ar_EG")));
        QGuiApplication::setLayoutDirection(direction);
        const QStringList numbers{QLocale().toString(400), text::count(400), text::number(3.125),
                                  text::bytes(4000)};
        QLocale::setDefault(before);
        for (const QString& number : numbers) {
            for (const QChar letter : number) {
                QVERIFY2(!letter.isDigit() || letter.unicode() < 128, qPrintable(number));
            }
        }
    }

    void aRunIsComparedFromASelectedCheckpoint() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        Navigator* navigator = window().navigator();
        const QModelIndex run =
            navigator->model()->findRun(m_fixture->experiment() / "tiny-llama-b");
        navigator->view()->scrollTo(run);
        QTest::mouseClick(navigator->view()->viewport(), Qt::LeftButton, Qt::ControlModifier,
                          navigator->view()->visualRect(run).center());
        QAction* compare = window().actions().compareRuns;
        QTRY_VERIFY_WITH_TIMEOUT(compare->isEnabled(), kTimeoutMs);
        compare->trigger();
        ComparePage* page = window().pages().compare;
        QCOMPARE(workspace().currentPage(), static_cast<Page*>(page));
        QTRY_VERIFY_WITH_TIMEOUT(page->isComparing(), kTimeoutMs);
        std::set<QString> names{page->runOf(0)->name, page->runOf(1)->name};
        QVERIFY(names == std::set<QString>(
                             {QStringLiteral("tiny-llama-a"), QStringLiteral("tiny-llama-b")}));
    }

    void aDeletedCheckpointIsSaidOnEveryPage() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-200"));
        const auto path = m_fixture->experiment() / "tiny-llama-a/step-200";
        std::filesystem::rename(path, m_fixture->folder() / "elsewhere");
        window().navigator()->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(window().messages()->isVisible(), kTimeoutMs);
        int pages = 0;
        everyPage([&](const QString& page) {
            ++pages;
            QVERIFY2(window().messages()->isVisible() &&
                         window().messages()->title() ==
                             QStringLiteral("step-200 does not exist any more"),
                     qPrintable(page));
        });
        QVERIFY(pages > 6);
    }

    void aLostShardIsLocated() {
        const auto broken = m_fixture->experiment() / "tiny-llama-a/step-400";
        const auto shard = broken / "__2_0.distcp";
        const auto elsewhere = m_fixture->folder() / "moved" / shard.filename();
        std::filesystem::create_directories(elsewhere.parent_path());
        std::filesystem::rename(shard, elsewhere);
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        showPage(window().pages().consolidate);
        QVERIFY(window().checkpoint()->completeness() == Completeness::Incomplete);
        QVERIFY(press(*window().pages().consolidate, QStringLiteral("Locate…")));
        auto* dialog = window().findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        Q_EMIT dialog->fileSelected(QString::fromStdString(elsewhere.string()));
        delete dialog;
        QTRY_VERIFY_WITH_TIMEOUT(window().checkpoint() && window().checkpoint()->completeness() ==
                                                              Completeness::Complete,
                                 kTimeoutMs);
        QVERIFY(std::filesystem::exists(shard) && std::filesystem::exists(elsewhere));
    }

    void aTensorIsDraggedOutAsAFile() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        QTreeView* rows = tensorRows();
        rows->expandAll();
        QModelIndex leaf = rows->model()->index(0, 0);
        while (rows->model()->hasChildren(leaf)) {
            leaf = rows->model()->index(0, 0, leaf);
        }
        QVERIFY(rows->dragEnabled() && rows->model()->flags(leaf).testFlag(Qt::ItemIsDragEnabled));
        const std::unique_ptr<QMimeData> data(rows->model()->mimeData({leaf}));
        QVERIFY(data->hasUrls());
        QCOMPARE(data->urls().size(), 1);
        QFile file(data->urls().front().toLocalFile());
        QVERIFY2(file.fileName().endsWith(QStringLiteral(".npy")), qPrintable(file.fileName()));
        QVERIFY(file.open(QFile::ReadOnly));
        const auto exported = m_fixture->folder() / "exported.npy"; // by the command line
        QVERIFY(!outputOf(QStringLiteral(CAIRN_CLI_FOLDER "/cairn-cli"),
                          {QStringLiteral("export"), inText(window().checkpoint()->path()),
                           QStringLiteral("--tensor"), data->text(), QStringLiteral("-o"),
                           inText(exported)})
                     .isEmpty());
        QFile same(inText(exported));
        QVERIFY(same.open(QFile::ReadOnly));
        QVERIFY(file.readAll() == same.readAll());
    }

    void aChartIsDraggedOutAsAPicture() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        window().resize(1440, 900);
        HistoryPage* page = window().pages().history;
        showPage(page);
        QTRY_VERIFY_WITH_TIMEOUT(page->grid()->alive() > 1, kTimeoutMs);
        CurveChart* chart = page->grid()->chart(page->grid()->shownNames().front());
        QVERIFY(chart != nullptr);
        std::unique_ptr<QMimeData> dropped;
        setDragReceiver([&dropped](QMimeData* data) { dropped.reset(data); });
        const QPointF head(60, 14);
        const auto send = [&](QEvent::Type type, const QPointF& at) {
            QMouseEvent event(type, at, chart->mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
            QApplication::sendEvent(chart, &event);
        };
        send(QEvent::MouseButtonPress, head);
        send(QEvent::MouseMove, head + QPointF(2, 0)); // not yet
        QVERIFY(dropped == nullptr);
        send(QEvent::MouseMove, head + QPointF(40, 40));
        setDragReceiver({});
        QVERIFY(dropped != nullptr && dropped->hasImage() && dropped->hasUrls());
        const QString file = dropped->urls().front().toLocalFile();
        const QImage picture(file);
        QVERIFY2(picture.width() > 400, qPrintable(file));
        QVERIFY(file.endsWith(QStringLiteral(".png")));
    }

    void hiddenChartsStayHidden() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        HistoryPage* page = window().pages().history;
        showPage(page);
        QTRY_VERIFY_WITH_TIMEOUT(page->grid()->shownNames().size() > 2, kTimeoutMs);
        const std::size_t all = page->grid()->shownNames().size();
        const QString name = page->grid()->shownNames().back();
        page->grid()->setHidden({name});
        const QJsonObject kept = page->keptState();
        page->grid()->setHidden({});
        QCOMPARE(page->grid()->shownNames().size(), all);
        page->restoreState(QJsonDocument::fromJson(QJsonDocument(kept).toJson()).object());
        QCOMPARE(page->grid()->shownNames().size(), all - 1);
        QVERIFY(page->grid()->hidden().contains(name));
    }

    void sourcesAreNamedInWords() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        showPage(window().pages().history);
        QTRY_VERIFY_WITH_TIMEOUT(
            showsText(*window().pages().history, QStringLiteral("recorded in the checkpoints")),
            kTimeoutMs);
        for (const Card* card : window().pages().history->findChildren<Card*>()) {
            for (const QLabel* label : card->findChildren<QLabel*>()) {
                QVERIFY2(!label->text().contains(QStringLiteral("checkpoint_values")) &&
                             !label->text().contains(inText(m_fixture->folder())),
                         qPrintable(label->text()));
            }
        }
    }

    void theTableOfRunsIsAReport() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        RunsPage* page = window().pages().runs;
        showPage(page);
        QTRY_VERIFY_WITH_TIMEOUT(page->data() != nullptr && page->isSettled(), kTimeoutMs);
        page->setFilter(QStringLiteral("llama"));
        QTRY_VERIFY_WITH_TIMEOUT(page->isSettled() && page->model()->rowCount() == 2, kTimeoutMs);
        QVERIFY(window().actions().copyReport->isEnabled());
        QGuiApplication::clipboard()->clear();
        window().actions().copyReport->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(
            QGuiApplication::clipboard()->text().contains(QStringLiteral("| tiny-llama-a |")),
            kTimeoutMs);
        const QString report = QGuiApplication::clipboard()->text();
        QVERIFY2(report.contains(QStringLiteral("| tiny-llama-b |")) &&
                     !report.contains(QStringLiteral("tiny-mlp-jax")),
                 qPrintable(report));
        // The runs that stay while a word is typed are not those of the filter.
        QLineEdit* field = page->filterField();
        field->setFocus();
        field->clear();
        QTRY_VERIFY_WITH_TIMEOUT(page->isSettled() && page->model()->rowCount() > 2, kTimeoutMs);
        QTest::keyClicks(field, QStringLiteral("eval_l"));
        QTRY_VERIFY_WITH_TIMEOUT(page->isSettled() && !page->problem().isEmpty(), kTimeoutMs);
        QVERIFY(page->model()->rowCount() > 2);
        QGuiApplication::clipboard()->clear();
        window().actions().copyReport->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!QGuiApplication::clipboard()->text().isEmpty(), kTimeoutMs);
        QVERIFY2(!QGuiApplication::clipboard()->text().contains(QStringLiteral("| tiny-llama")),
                 qPrintable(QGuiApplication::clipboard()->text()));
    }

    void aFolderThatCannotBeReadIsNotEmpty() {
        const bool isRoot = geteuid() == 0; // who may read everything
        const auto closed = m_fixture->folder() / "closed";
        std::filesystem::create_directories(closed / "run" / "step-1");
        std::filesystem::permissions(closed / "run", std::filesystem::perms::none);
        std::filesystem::permissions(m_fixture->folder(), std::filesystem::perms::all);
        QVERIFY(!isRoot || seteuid(kNobody) == 0);
        window().openPaths({closed});
        const bool settled = waitUntil([this] { return window().isSettled(); }, kTimeoutMs);
        QTest::qWait(200);
        QVERIFY(!isRoot || seteuid(0) == 0);
        std::filesystem::permissions(closed / "run", std::filesystem::perms::owner_all);
        QVERIFY(settled);
        bool isDenied = false;
        for (const QLabel* label : window().findChildren<QLabel*>()) {
            if (label->isVisible()) {
                QVERIFY2(!label->text().contains(QStringLiteral("No checkpoint was found")),
                         qPrintable(label->text()));
                isDenied =
                    isDenied ||
                    label->text().contains(QStringLiteral("ermission"), Qt::CaseInsensitive) ||
                    label->text().contains(QStringLiteral("cannot be read"));
            }
        }
        QVERIFY(isDenied);
        picture(window(), QStringLiteral("details-denied"));
    }
};

QTEST_MAIN(DetailsTest)
#include "details_test.moc"
