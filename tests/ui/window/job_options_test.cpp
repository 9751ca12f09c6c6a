// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the table of fields has for a kind of job that the page makes, a control of the page
// sets it. A new row of the table needs nothing here: it gets a control by itself.
#include "core/plan/request_fields.h"
#include "tests/ui/support/job_pages.h"
#include "ui/pages/consolidate/choice_button.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/field_control.h"
#include "ui/pages/consolidate/more_options.h"
#include "ui/pages/consolidate/strip_roles.h"
#include "ui/pages/consolidate/written_formats.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/check_box.h"
#include "ui/widgets/device_button.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>

#include <array>
#include <functional>
#include <map>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

constexpr std::array kKinds{JobKind::Consolidate, JobKind::Average, JobKind::Reshard};

/// By its name for screen readers.
template <class Widget> Widget* named(const QWidget& parent, const QString& name) {
    for (Widget* found : parent.findChildren<Widget*>()) {
        if (found->accessibleName() == name) {
            return found;
        }
    }
    return nullptr;
}

} // namespace

class JobOptionsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> m_fixture;

    MainWindow& window() { return *m_fixture->window; }
    ConsolidatePage& page() { return *window().pages().consolidate; }
    MoreOptions& more() { return *page().findChild<MoreOptions*>(); }
    Deployment& deployment() { return window().deployment(); }
    std::filesystem::path step(const char* name) {
        return m_fixture->experiment() / "tiny-llama-a" / name;
    }

    void planned() {
        QTRY_VERIFY_WITH_TIMEOUT(!more().isTyping() && !deployment().isPlanning(), kTimeoutMs);
    }

    /// The page with a job of this kind and nothing else chosen.
    void begin(JobKind kind) {
        deployment().change([&](JobChoices& choices) {
            choices = JobChoices();
            choices.request.sources = {step("step-400")};
            if (kind == JobKind::Average) {
                choices.request.sources.insert(choices.request.sources.begin(), step("step-200"));
            } else if (kind == JobKind::Reshard) {
                chooseFormat(choices, formatOfRanks()->id);
                choices.request.sharding.axes = {{2, 0}};
            }
        });
        planned();
    }

    JobRequest request() {
        JobChoices choices = deployment().choices();
        if (choices.automatic) {
            chooseBundle(choices);
        }
        const Location& output = choices.request.output;
        return requestOf(choices, output.empty() ? "/out" : output.path()).value_or(JobRequest());
    }

    bool write(const char* line, const char* text) {
        auto* edit = named<QLineEdit>(more(), QString::fromLatin1(line));
        if (edit == nullptr || !edit->isVisible()) {
            return false;
        }
        edit->setText(QString::fromLatin1(text));
        return true;
    }
    bool count(const char* field, int value) {
        auto* spin = named<QSpinBox>(more(), QString::fromLatin1(field));
        if (spin == nullptr || !spin->isVisible()) {
            return false;
        }
        spin->setValue(value);
        return true;
    }
    bool entry(const char* menuButton, const QString& text) {
        auto* button = named<Button>(page(), QString::fromLatin1(menuButton));
        return button != nullptr && button->isVisible() && button->isEnabled() &&
               choose(button, text);
    }
    bool tick(const char* text) {
        for (CheckBox* box : page().findChildren<CheckBox*>()) {
            if (box->isVisible() && box->isEnabled() &&
                box->text().startsWith(QString::fromLatin1(text))) {
                box->click();
                return true;
            }
        }
        return false;
    }
    /// Presses the button and chooses the path in its dialog.
    bool pick(const char* pressed, const std::filesystem::path& path) {
        if (!press(page(), QString::fromUtf8(pressed))) {
            return false;
        }
        auto* dialog = window().findChild<QFileDialog*>();
        if (dialog == nullptr) {
            return false;
        }
        Q_EMIT dialog->fileSelected(QString::fromStdString(path.string()));
        delete dialog;
        return true;
    }

    /// How the controls that were made by hand are used.
    std::map<std::string_view, std::function<bool()>> own() {
        const auto format = [this](std::string_view id) {
            return entry("Output format", text::formatName(id));
        };
        return {
            {"output", [this] { return pick("Output…", m_fixture->folder() / "elsewhere"); }},
            {"to", [format] { return format("gguf") && format("dcp"); }},
            {"only", [this] { return entry("Tensors to write", QStringLiteral("Everything")); }},
            {"dtype", [this] { return entry("Dtype in the output", QStringLiteral("q8_0")); }},
            {"keep-fp32",
             [this] { return write("Tensors that are float32 in the output", "*norm*"); }},
            {"strip", [this] { return tick("weights"); }},
            {"bundle",
             [this, format] {
                 return format("npz") &&
                        entry("Output format", QStringLiteral("Hugging Face folder"));
             }},
            {"cast-all",
             [this] {
                 return entry("Dtype in the output", QStringLiteral("float16")) &&
                        tick("Norms and buffers too");
             }},
            {"dequantize",
             [this] { // of a checkpoint with quantised weights
                 more().setChoices(deployment().choices(), true, {});
                 return tick("Dequantize");
             }},
            {"rename",
             [this] {
                 return entry("Names in the output", QStringLiteral("without wrapper prefixes"));
             }},
            {"adapter", [this] { return pick("Add Adapter…", m_fixture->folder()); }},
            {"like", [this] { return pick("Config from…", m_fixture->folder()); }},
            {"weights", [this] { return write("Weight of each checkpoint", "1, 2"); }},
            {"ranks", [this] { return count("Ranks", 4); }},
            {"grid", [this] { return count("Ranks", 4) && count("Ranks of the second axis", 2); }},
            {"dim", [this] { return count("Dimension split across ranks", 1); }},
            {"per-layer",
             [this] { return entry("File size", QStringLiteral("One file per layer")); }},
            {"max-shard-size",
             [this] { return entry("File size", QStringLiteral("≤ 5 GB per file")); }},
            {"device", [this] { return entry("Compute device", QStringLiteral("CPU")); }},
        };
    }

    /// Uses the control that was made from the table.
    bool useMade(std::string_view name) {
        auto* control = page().findChild<FieldControl*>(text::fromCore(name));
        if (control == nullptr || !control->isVisible()) {
            return false;
        }
        if (auto* box = control->findChild<QCheckBox*>()) {
            box->click();
        } else if (auto* menu = control->findChild<ChoiceButton*>()) {
            menu->menu()->actions().at(1)->trigger(); // after the default
        } else if (auto* line = control->findChild<QLineEdit*>()) {
            line->setText(QStringLiteral("/some/text"));
        } else {
            return false;
        }
        return true;
    }

private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        window().resize(1440, 900);
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        window().actions().showJobs->trigger();
        planned();
        QVERIFY(press(page(), QStringLiteral("More Options")));
    }
    void cleanup() { m_fixture.reset(); }

    void everyOptionOfEveryKindHasAControl() {
        const auto made = own();
        for (const JobKind kind : kKinds) {
            for (const RequestField& field : requestFields()) {
                if (!field.kinds.contains(kind)) {
                    continue;
                }
                const std::string where =
                    std::string(jobKindName(kind)) + " --" + std::string(field.name);
                begin(kind);
                const std::string before = field.get(request());
                const auto hand = made.find(field.name);
                QCOMPARE(hand != made.end(), MoreOptions::hasOwnControl(field.name));
                QVERIFY2(hand != made.end() ? hand->second() : useMade(field.name), where.c_str());
                planned();
                const JobRequest after = request();
                QVERIFY2(!field.get(after).empty(), where.c_str());
                QVERIFY2(field.get(after) != before || field.name == "to" || field.name == "bundle",
                         where.c_str());
                QVERIFY2(after.kind == kind, where.c_str());
            }
        }
    }

    void everyWritableFormatIsInTheMenu() {
        const auto* formats = named<Button>(page(), QStringLiteral("Output format"));
        QVERIFY(formats != nullptr);
        QStringList offered;
        for (const QAction* action : formats->menu()->actions()) {
            offered << action->text();
        }
        QCOMPARE(offered.mid(0, 2),
                 QStringList({QStringLiteral("Automatic"), QStringLiteral("Hugging Face folder")}));
        qsizetype whole = 0;
        for (const FormatInfo* format : builtinFormats()) {
            if (format->layout != nullptr && !format->writes.oneTensor) {
                QVERIFY(offered.contains(text::formatName(format->id)));
                ++whole;
            }
        }
        QCOMPARE(offered.size(), 2 + whole);
    }

    void blocksAreWrittenAsGguf() {
        begin(JobKind::Consolidate);
        QVERIFY(entry("Dtype in the output", QStringLiteral("q8_0")));
        planned();
        QVERIFY(deployment().command().contains(QStringLiteral("--to gguf")));
        QVERIFY(!deployment().isRunnable()); // llama.cpp has no such tokenizer
        QVERIFY(entry("named as in", QStringLiteral("as stored")));
        planned();
        QVERIFY2(deployment().isRunnable(), qPrintable(deployment().forecastTip()));
        QVERIFY(deployment().command().contains(QStringLiteral("--names keep")));
        QCOMPARE(deployment().planned()->plan.output.extension().string(), std::string(".gguf"));
        page().startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(window().jobs().active() == 0 && window().isSettled(), kTimeoutMs);
        QTRY_VERIFY(findStrip(page(), QStringLiteral("every byte compared")));
    }

    void anInvalidTextIsShownAtItsControl() {
        begin(JobKind::Consolidate);
        deployment().change([](JobChoices& choices) { chooseText(choices, "require", "nothing"); });
        QVERIFY(showsText(*more().findChild<FieldControl*>(QStringLiteral("require")),
                          QStringLiteral("Unknown requirement")));
        planned();
        QVERIFY(deployment().planError());
        deployment().change([](JobChoices& choices) { chooseText(choices, "require", {}); });
        QVERIFY(!showsText(*more().findChild<FieldControl*>(QStringLiteral("require")),
                           QStringLiteral("Unknown requirement")));
    }

    void allOptionsFitInEveryWindow() {
        for (const JobKind kind : kKinds) {
            begin(kind);
            for (const QSize size : {QSize(880, 560), QSize(1440, 900)}) {
                window().resize(size);
                QTest::qWait(80);
                const auto* scroll = page().findChild<QScrollArea*>();
                QTRY_COMPARE(scroll->horizontalScrollBar()->maximum(), 0);
                QTRY_COMPARE(clippedText(*scroll), QString());
                const auto name = QString::fromLatin1(jobKindName(kind).data());
                picture(window(), QStringLiteral("options-%1-%2").arg(name).arg(size.width()),
                        size);
                scroll->verticalScrollBar()->setValue(more().geometry().bottom());
                picture(window(), QStringLiteral("options-%1-%2-end").arg(name).arg(size.width()),
                        size);
                scroll->verticalScrollBar()->setValue(0);
            }
        }
    }
};

QTEST_MAIN(JobOptionsTest)
#include "job_options_test.moc"
