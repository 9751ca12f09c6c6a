// SPDX-License-Identifier: GPL-3.0-or-later
// Every checkpoint of tests/data and of the sample experiment: the numbers on the pages are those
// that `cairn-cli --json` writes about the same files.
#include "core/formats/format.h"
#include "core/plan/request_words.h"
#include "tests/ui/support/verbs.h"
#include "ui/models/row_text.h"
#include "ui/models/row_view.h"
#include "ui/models/tensor_words.h"
#include "ui/models/value_model.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/pages/consolidate/deploy_plans.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/shards/shard_index.h"
#include "ui/pages/space/space_map.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/card.h"

#include <QAbstractButton>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLocale>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStyleFactory>
#include <QTest>
#include <QTranslator>

#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace cairn::ui {
namespace {

namespace fs = std::filesystem;
using test::verbDocument;

constexpr int kTimeoutMs = 60'000;
const fs::path kSources = CAIRN_SOURCE_DIR;

struct Sample {
    std::string name; ///< below the source folder
    CheckpointPtr checkpoint;
};

std::vector<Sample> findSamples() {
    const std::set<std::string> others{"decisions", "history", "signing"};
    std::vector<fs::path> paths;
    for (const auto& folder : fs::directory_iterator(kSources / "tests/data")) {
        if (!folder.is_directory() || others.contains(folder.path().filename().string())) {
            continue;
        }
        for (const auto& entry : fs::directory_iterator(folder.path())) {
            paths.push_back(entry.path());
        }
    }
    const fs::path experiment = kSources / "resources/sample/experiment";
    for (const char* run : {"tiny-llama-a", "tiny-llama-b", "tiny-mlp-jax"}) {
        for (const auto& entry : fs::directory_iterator(experiment / run)) {
            paths.push_back(entry.path());
        }
    }
    paths.push_back(experiment / "hf-export");
    paths.push_back(experiment / "tiny-gru-tf/ckpt-240");
    std::ranges::sort(paths);
    std::vector<Sample> samples;
    for (const fs::path& path : paths) { // generators and what they noted are no checkpoints
        if (auto opened = openCheckpoint(Location(path))) {
            samples.push_back({path.lexically_relative(kSources).string(), std::move(*opened)});
        }
    }
    return samples;
}

std::uint64_t naturalOf(const QJsonValue& value) {
    return static_cast<std::uint64_t>(value.toInteger());
}

/// A number, or the one that JSON cannot have and a sibling names.
double numberOf(const QJsonObject& object, const QString& name) {
    if (!object[name].isNull()) {
        return object[name].toDouble();
    }
    const QString kind = object[QStringLiteral("nonfinite")].toObject()[name].toString();
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    return kind == QStringLiteral("inf")    ? kInfinite
           : kind == QStringLiteral("-inf") ? -kInfinite
                                            : std::numeric_limits<double>::quiet_NaN();
}

/// The figures of the Summary page: caption and value.
std::map<QString, QString> figuresOf(const SummaryPage& page) {
    std::map<QString, QString> figures;
    for (const TextLabel* label : page.findChildren<TextLabel*>()) {
        const QString value = label->text();
        const QString name = label->accessibleName();
        if (label->isVisibleTo(&page) && !value.isEmpty() &&
            name.endsWith(QLatin1Char(' ') + value)) {
            figures[name.chopped(value.size() + 1)] = value;
        }
    }
    return figures;
}

/// Numbers and truth values of a document, by their dotted paths.
void flatten(const QJsonValue& value, const QString& path, std::map<QString, QJsonValue>& flat) {
    const auto join = [&](const QString& key) {
        return path.isEmpty() ? key : path + QLatin1Char('.') + key;
    };
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        if (object.contains(QStringLiteral("$tensor")) ||
            object.contains(QStringLiteral("$bytes"))) {
            return;
        }
        if (object.contains(QStringLiteral("$class"))) {
            flatten(object[QStringLiteral("$state")], path, flat);
            return;
        }
        for (auto each = object.begin(); each != object.end(); ++each) {
            if (each.key() != QStringLiteral("nonfinite")) {
                flatten(each.value(), join(each.key()), flat);
            }
        }
    } else if (value.isArray()) {
        const QJsonArray array = value.toArray();
        for (qsizetype i = 0; i < array.size(); ++i) {
            flatten(array[i], join(QString::number(i)), flat);
        }
    } else if (value.isDouble() || value.isBool()) {
        flat[path] = value;
    }
}

/// The same from the rows of the Metadata page. Tensors, which the page shows as such: null.
void flatten(const ValueModel& model, const QModelIndex& parent,
             std::map<QString, std::optional<QString>>& flat) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        if (model.hasChildren(index)) {
            flatten(model, index, flat);
        } else {
            const bool isTensor = model.tensorAt(index).has_value();
            flat[model.pathAt(index)] =
                isTensor ? std::nullopt : std::optional(model.fullValueAt(index));
        }
    }
}

bool isSame(const QString& shown, const QJsonValue& written) {
    if (written.isBool()) {
        return shown == (written.toBool() ? QStringLiteral("True") : QStringLiteral("False"));
    }
    bool isNumber = false;
    const double number = shown.toDouble(&isNumber);
    return isNumber && number == written.toDouble();
}

} // namespace

class CheckpointFacesTest : public QObject {
    Q_OBJECT

    QTranslator m_plurals;
    std::vector<Sample> m_samples;

    static std::string pathOf(const Sample& sample) { return sample.checkpoint->path().string(); }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_plurals.load(QStringLiteral(":/i18n/cairn_en.qm")));
        QVERIFY(QApplication::installTranslator(&m_plurals));
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        m_samples = findSamples();
        QVERIFY2(m_samples.size() > 140, qPrintable(QString::number(m_samples.size())));
    }

    void theFiguresOfTheSummary() {
        SummaryPage page;
        page.resize(1100, 900);
        page.QWidget::show();
        std::map<QString, int> compared;
        for (const Sample& sample : m_samples) {
            const QJsonObject info = verbDocument("info", {pathOf(sample)});
            QVERIFY2(!info.isEmpty(), sample.name.c_str());
            page.clear();
            page.showCheckpoint(sample.checkpoint);
            QTRY_VERIFY2_WITH_TIMEOUT(figuresOf(page).contains(QStringLiteral("State")),
                                      sample.name.c_str(), kTimeoutMs);
            std::map<QString, QString> expected;
            if (info.contains(QStringLiteral("step"))) {
                expected[QStringLiteral("Step")] = QLocale().toString(
                    static_cast<qlonglong>(info[QStringLiteral("step")].toInteger()));
            }
            if (info.contains(QStringLiteral("epoch"))) {
                expected[QStringLiteral("Epoch")] =
                    text::number(info[QStringLiteral("epoch")].toDouble());
            }
            const QJsonObject headline = info[QStringLiteral("headline")].toObject();
            const std::map<QString, QString> shown = figuresOf(page);
            std::size_t numbers = 0;
            for (const QString& name : headline.keys()) {
                const QString caption = QString(name).replace(QLatin1Char('_'), QLatin1Char(' '));
                if (name != QStringLiteral("nonfinite") && shown.contains(caption)) {
                    expected[caption] = text::number(numberOf(headline, name));
                    ++numbers;
                }
            }
            const auto all = static_cast<std::size_t>(
                headline.size() - (headline.contains(QStringLiteral("nonfinite")) ? 1 : 0));
            QCOMPARE(numbers, std::min<std::size_t>(2, all)); // the page has two of them
            const QString state = info[QStringLiteral("complete")].toString();
            expected[QStringLiteral("State")] = state == QStringLiteral("unknown")
                                                    ? words::completeness(Completeness::Unknown)
                                                    : state;
            for (auto each : shown) {
                const auto known = expected.find(each.first);
                if (known != expected.end()) {
                    QVERIFY2(each.second == known->second,
                             qPrintable(QString::fromStdString(sample.name) + QLatin1Char(' ') +
                                        each.first + QLatin1Char(' ') + each.second +
                                        QStringLiteral(" is ") + known->second));
                    ++compared[each.first];
                }
            }
            for (const auto& [caption, value] : expected) {
                QVERIFY2(shown.contains(caption),
                         qPrintable(QString::fromStdString(sample.name) + caption));
            }
            QCOMPARE(shown.contains(QStringLiteral("Step")),
                     expected.contains(QStringLiteral("Step")));
            const QJsonObject totals = info[QStringLiteral("totals")].toObject();
            const QString line =
                SummaryPage::tr("%Ln tensors", nullptr, totals[QStringLiteral("tensors")].toInt()) +
                QStringLiteral(" · ") + text::bytes(naturalOf(totals[QStringLiteral("bytes")]));
            const auto labels = page.findChildren<QLabel*>();
            QVERIFY2(std::ranges::any_of(labels, [&](auto* each) { return each->text() == line; }),
                     qPrintable(QString::fromStdString(sample.name) + line));
        }
        QVERIFY(compared[QStringLiteral("Step")] > 20 && compared[QStringLiteral("loss")] > 5);
        QCOMPARE(compared[QStringLiteral("State")], static_cast<int>(m_samples.size()));
    }

    void theRowsOfTheTensors() {
        TensorsPage page;
        page.resize(1100, 700);
        page.show();
        for (auto* each : page.findChildren<QAbstractButton*>()) {
            if (each->text() == QStringLiteral("List")) {
                QTest::mouseClick(each, Qt::LeftButton);
            }
        }
        auto* view = page.findChild<RowView*>();
        std::size_t compared = 0;
        for (const Sample& sample : m_samples) {
            const QJsonArray listed =
                verbDocument("ls", {pathOf(sample)})[QStringLiteral("tensors")].toArray();
            const QJsonArray placed =
                verbDocument("placement", {pathOf(sample)})[QStringLiteral("tensors")].toArray();
            QCOMPARE(placed.size(), listed.size());
            if (listed.isEmpty()) {
                continue;
            }
            QSignalSpy settled(&page, &TensorsPage::settled);
            page.showCheckpoint(sample.checkpoint);
            QVERIFY(settled.wait(kTimeoutMs));
            QCOMPARE(view->model()->rowCount(), static_cast<int>(listed.size()));
            RowTextRequest request;
            request.rows =
                RowRanges(QItemSelection(view->model()->index(0, 0),
                                         view->model()->index(view->model()->rowCount() - 1, 0)));
            for (int column = 0; column < kTensorColumns; ++column) {
                request.columns.push_back(column);
            }
            std::map<QString, QStringList> rows;
            for (const QString& line :
                 rowsAsText(*view->model(), request).value().plain.split(QLatin1Char('\n'))) {
                const QStringList cells = line.split(QLatin1Char('\t'));
                rows[cells.front()] = cells;
            }
            const auto cellOf = [](const QStringList& cells, TensorColumn column) {
                return cells.value(static_cast<int>(column));
            };
            for (qsizetype i = 0; i < listed.size(); ++i) {
                const QJsonObject each = listed[i].toObject();
                const QString name =
                    text::fromCore(each[QStringLiteral("name")].toString().toStdString());
                QVERIFY2(rows.contains(name), qPrintable(name));
                const QStringList& cells = rows[name];
                QString extents;
                for (const QJsonValue& extent : each[QStringLiteral("shape")].toArray()) {
                    extents += QString::number(extent.toInteger()) + QLatin1Char(' ');
                }
                QString shown;
                static const QRegularExpression kNumber(QStringLiteral("\\d+"));
                for (auto match = kNumber.globalMatch(cellOf(cells, TensorColumn::Shape));
                     match.hasNext();) {
                    shown += match.next().captured() + QLatin1Char(' ');
                }
                QCOMPARE(shown, extents);
                QCOMPARE(cellOf(cells, TensorColumn::Dtype),
                         each[QStringLiteral("dtype")].toString());
                QCOMPARE(cellOf(cells, TensorColumn::Bytes),
                         QString::number(each[QStringLiteral("bytes")].toInteger()));
                QCOMPARE(cellOf(cells, TensorColumn::Pieces),
                         QString::number(
                             placed[i].toObject()[QStringLiteral("pieces")].toArray().size()));
                ++compared;
            }
        }
        QVERIFY2(compared > 2000, qPrintable(QString::number(compared)));
    }

    void theBarsOfTheShards() {
        std::size_t compared = 0;
        for (const Sample& sample : m_samples) {
            const QJsonObject listing = verbDocument("ls", {pathOf(sample)});
            const QJsonArray files = listing[QStringLiteral("files")].toArray();
            std::map<int, std::uint32_t> tensors;
            for (const QJsonValue& each : listing[QStringLiteral("tensors")].toArray()) {
                const QJsonObject tensor = each.toObject();
                if (!tensor.contains(QStringLiteral("alias_of"))) {
                    for (const QJsonValue& file : tensor[QStringLiteral("files")].toArray()) {
                        ++tensors[file.toInt()];
                    }
                }
            }
            const auto index = ShardIndex::make(sample.checkpoint, {});
            QVERIFY(index);
            QCOMPARE(static_cast<qsizetype>((*index)->files.size()), files.size());
            for (const ShardIndex::File& file : (*index)->files) {
                const QJsonObject each = files[file.file].toObject();
                if (!file.missing) {
                    QCOMPARE(file.bytes, naturalOf(each[QStringLiteral("bytes")]));
                }
                QVERIFY2(file.tensors == tensors[static_cast<int>(file.file)],
                         qPrintable(QString::fromStdString(sample.name) + QLatin1Char(' ') +
                                    each[QStringLiteral("path")].toString()));
                ++compared;
            }
        }
        QVERIFY2(compared > 200, qPrintable(QString::number(compared)));
    }

    void theTilesOfTheMap() {
        for (const Sample& sample : m_samples) {
            const QJsonObject listing = verbDocument("ls", {pathOf(sample)});
            const auto map = SpaceMap::make(sample.checkpoint, {});
            QVERIFY(map);
            QCOMPARE(
                (*map)->root().bytes,
                naturalOf(listing[QStringLiteral("totals")].toObject()[QStringLiteral("bytes")]));
            const std::vector<std::uint32_t> largest = (*map)->largestBelow(0);
            const QJsonArray tensors = listing[QStringLiteral("tensors")].toArray();
            std::vector<std::uint64_t> sizes;
            for (const QJsonValue& each : tensors) {
                const bool isTied = each.toObject().contains(QStringLiteral("alias_of"));
                sizes.push_back(isTied ? 0 : naturalOf(each.toObject()[QStringLiteral("bytes")]));
            }
            std::ranges::sort(sizes, std::ranges::greater());
            QCOMPARE(largest.size(), std::min(SpaceMap::kLargest, sizes.size()));
            for (std::size_t i = 0; i < largest.size(); ++i) {
                const TensorEntry& tensor = sample.checkpoint->tensors()[largest[i]];
                QCOMPARE(tensor.aliasOf ? 0 : tensor.bytes(), sizes[i]);
            }
        }
    }

    void theValuesOfTheMetadata() {
        MetadataPage page;
        page.resize(800, 600);
        page.show();
        auto* view = page.findChild<RowView*>();
        const auto* model = qobject_cast<const ValueModel*>(view->model());
        QVERIFY(model != nullptr);
        std::size_t compared = 0;
        for (const Sample& sample : m_samples) {
            const QJsonObject info = verbDocument("info", {pathOf(sample)});
            std::map<QString, QJsonValue> written;
            flatten(info[QStringLiteral("values")], {}, written);
            if (written.empty()) {
                continue;
            }
            QSignalSpy settled(&page, &MetadataPage::settled);
            page.showCheckpoint(sample.checkpoint);
            QVERIFY(settled.wait(kTimeoutMs));
            std::map<QString, std::optional<QString>> shown;
            flatten(*model, {}, shown);
            for (const auto& [path, value] : written) {
                const auto found = shown.find(path);
                QVERIFY2(found != shown.end(),
                         qPrintable(QString::fromStdString(sample.name) + QLatin1Char(' ') + path));
                if (found->second) { // a number that is a tensor is shown as one
                    QVERIFY2(isSame(*found->second, value),
                             qPrintable(QString::fromStdString(sample.name) + QLatin1Char(' ') +
                                        path + QLatin1Char(' ') + *found->second));
                    ++compared;
                }
            }
        }
        QVERIFY2(compared > 2000, qPrintable(QString::number(compared)));
    }

    /// The plan of the default button, and the command that the page shows for it.
    void theForecastOfTheDeployment() {
        int compared = 0;
        for (const Sample& sample : m_samples) {
            const fs::path run = sample.checkpoint->path().parent_path();
            JobChoices choices;
            choices.request.sources = {sample.checkpoint->path()};
            const auto planned = planFor(sample.checkpoint, choices, run, {}, {});
            if (!planned) {
                continue; // the page has the reason
            }
            std::vector<std::string> words;
            std::vector<std::pair<std::string, std::string>> options;
            for (const std::string& word : requestWords(absoluteRequest(planned->request))) {
                const std::size_t equal = word.find('=');
                if (!word.starts_with("--")) {
                    words.push_back(word);
                } else {
                    options.emplace_back(word.substr(2, equal - 2),
                                         equal == std::string::npos ? "" : word.substr(equal + 1));
                }
            }
            const QJsonObject plan = verbDocument("plan", words, options);
            QVERIFY2(!plan.isEmpty(), sample.name.c_str());
            const QJsonObject output = plan[QStringLiteral("output")].toObject();
            QCOMPARE(planned->plan.forecast.bytes, naturalOf(output[QStringLiteral("bytes")]));
            QCOMPARE(planned->plan.forecast.files, naturalOf(output[QStringLiteral("files")]));
            QCOMPARE(planned->plan.forecast.memoryBytes,
                     naturalOf(plan[QStringLiteral("memory_bytes")]));
            QCOMPARE(planned->plan.runnable(), plan[QStringLiteral("runnable")].toBool());
            QCOMPARE(QString::fromStdString(planned->digest),
                     plan[QStringLiteral("digest")].toString());
            ++compared;
        }
        QVERIFY2(compared > 100, qPrintable(QString::number(compared)));
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::CheckpointFacesTest)
#include "checkpoint_faces_test.moc"
