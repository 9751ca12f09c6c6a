// SPDX-License-Identifier: GPL-3.0-or-later
// The user's choices become a request, its words, and a name for the output.
#include "core/plan/request_fields.h"
#include "core/plan/request_words.h"
#include "ui/pages/consolidate/command_text.h"
#include "ui/pages/consolidate/job_choices.h"
#include "ui/pages/consolidate/written_formats.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <set>

using namespace cairn;
using ui::JobChoices;

namespace {

JobChoices choicesFor(const std::filesystem::path& checkpoint) {
    JobChoices choices;
    choices.request.sources = {checkpoint};
    return choices;
}

JobChoices inFormat(const std::filesystem::path& checkpoint, std::string_view format) {
    JobChoices choices = choicesFor(checkpoint);
    ui::chooseFormat(choices, format);
    return choices;
}

QString commandOf(const JobChoices& choices, const char* output) {
    const auto request = ui::requestOf(choices, output);
    return request ? ui::commandText(*request) : QString::fromStdString(describe(request.error()));
}

} // namespace

class JobChoicesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesTheOutputAfterRunAndCheckpoint() {
        const QTemporaryDir folder;
        const std::filesystem::path run =
            std::filesystem::path(folder.path().toStdString()) / "llama-a";
        JobChoices bundle = choicesFor(run / "step-400");
        ui::chooseBundle(bundle);
        QCOMPARE(ui::outputOf(bundle, run), run / "deploy/llama-a-step-400");
        QCOMPARE(ui::outputOf(inFormat(run / "last.ckpt", "safetensors"), run),
                 run / "deploy/llama-a-last.safetensors");
        QCOMPARE(ui::outputOf(inFormat(run / "last.ckpt", "torch"), run),
                 run / "deploy/llama-a-last.pt");
        QCOMPARE(ui::outputOf(inFormat(run / "last.ckpt", "gguf"), run),
                 run / "deploy/llama-a-last.gguf");
    }

    void neverNamesAnExistingFile() {
        const QTemporaryDir folder;
        const std::filesystem::path run = std::filesystem::path(folder.path().toStdString()) / "a";
        std::filesystem::create_directories(run / "deploy");
        std::ofstream(run / "deploy/a-x.pt") << "taken";
        QCOMPARE(ui::outputOf(inFormat(run / "x.pt", "torch"), run), run / "deploy/a-x-2.pt");
    }

    void quotesForTheShell() {
        QCOMPARE(ui::shellQuoted(QStringLiteral("/a/b=1.pt")), QStringLiteral("/a/b=1.pt"));
        QCOMPARE(ui::shellQuoted(QStringLiteral("a b's")), QStringLiteral("'a b'\\''s'"));
        QCOMPARE(ui::shellQuoted(QStringLiteral("$(x)")), QStringLiteral("'$(x)'"));
    }

    void commandNamesEveryChoice() {
        JobChoices choices = choicesFor("/r/step-1");
        ui::chooseBundle(choices);
        choices.request.maxShardBytes = 5'000'000'000;
        const QString command = commandOf(choices, "/r/out");
        for (const char* part : {"cairn-cli consolidate /r/step-1", "-o /r/out", "--to safetensors",
                                 "--only weights", "--max-shard-size 5GB", "--bundle"}) {
            QVERIFY2(command.contains(QString::fromLatin1(part)), qPrintable(command));
        }
    }

    void stripsOnlyRolesThatAreTaken() {
        JobChoices choices = inFormat("/r/step-1", "torch");
        choices.request.only.without = {Role::Buffer, Role::Optimizer, Role::Rng};
        const auto words = [&choices] { return commandOf(choices, "/r/out.pt"); };
        // Weights only: the optimizer is not included anyway.
        QVERIFY2(words().contains(QStringLiteral("--strip buffer")) &&
                     !words().contains(QStringLiteral("optimizer")),
                 qPrintable(words()));
        ui::chooseEverything(choices, true);
        QVERIFY2(words().contains(QStringLiteral("--strip buffer,optimizer,rng")),
                 qPrintable(words()));
        ui::chooseEverything(choices, false);
        ui::chooseText(choices, "only", "*.bias");
        QVERIFY(words().contains(QStringLiteral("--strip buffer,optimizer,rng")));
        QVERIFY(words().contains(QStringLiteral("--only '*.bias'")));
        choices.request.only.without.clear();
        QVERIFY(!words().contains(QStringLiteral("--strip")));
        ui::chooseText(choices, "only", {}); // the choice before is there again
        QVERIFY(words().contains(QStringLiteral("--only weights")));
    }

    void pythonQuotesThePath() {
        const auto request = ui::requestOf(inFormat("/r/step-1", "torch"), "/a\"b.pt");
        QVERIFY(request);
        QVERIFY(ui::pythonSnippet(*request, false).contains(QStringLiteral("\"/a\\\"b.pt\"")));
    }

    /// What a request has that its words have not would be lost in a command, and after a restart.
    void everyRequestIsItsWords() {
        for (const FormatInfo* format : ui::offeredFormats()) {
            for (const std::size_t members : {1, 2}) {
                for (const bool bundle : {false, true}) {
                    JobChoices choices = inFormat("/r/step-1", format->id);
                    choices.request.bundle = bundle;
                    choices.request.sources.resize(members, "/r/step-2");
                    choices.request.sharding = {{{4, 0}, {2, -1}}, true};
                    choices.request.maxShardBytes = 5'000'000;
                    choices.request.like = "/base";
                    choices.request.dtype = "bf16";
                    choices.request.castAll = true;
                    choices.request.dequantize = true;
                    choices.request.device = "cpu";
                    choices.request.only.without = {Role::Buffer, Role::Rng};
                    for (const char* field : {"force", "require", "provenance", "bom"}) {
                        ui::chooseText(choices, field, "loadable");
                    }
                    ui::chooseText(choices, "keep-fp32", " a ; b;");
                    const auto request = ui::requestOf(choices, "/out");
                    QVERIFY2(request, request ? "" : describe(request.error()).c_str());
                    const auto words = requestWords(*request);
                    const auto again = requestOfWords(words);
                    QVERIFY2(again && *again == *request, qPrintable(ui::commandText(words)));
                    QVERIFY(request->keepFp32 == std::vector<std::string>({"a", "b"}));
                }
            }
        }
    }

    void invalidTextsAreRefusedWithTheirOption() {
        JobChoices choices = inFormat("/r/step-1", "torch");
        QVERIFY(ui::checkText(choices, "rename"));
        ui::chooseText(choices, "rename", "(");
        const auto request = ui::requestOf(choices, "/out.pt");
        QVERIFY(!request && request.error().code == ErrorCode::InvalidArgument);
        QVERIFY(!request.error().where.field.empty());
        QVERIFY(!ui::checkText(choices, "rename"));
        QVERIFY(ui::checkText(choices, "family"));
    }

    void everyWritableFormatIsOfferedOnce() {
        std::set<std::string_view> offered;
        for (const FormatInfo* format : ui::offeredFormats()) {
            QVERIFY(offered.insert(format->id).second);
        }
        for (const FormatInfo* format : builtinFormats()) {
            const bool whole = format->layout != nullptr && format->id != "npy"; // of one tensor
            QVERIFY2(offered.contains(format->id) == whole, std::string(format->id).c_str());
        }
        QCOMPARE(ui::usualFormat().id, std::string_view("safetensors"));
        QCOMPARE(ui::formatOfRanks()->id, std::string_view("dcp"));
        QCOMPARE(ui::formatWithBlocks()->id, std::string_view("gguf"));
        QVERIFY(ui::limitsFileSize(ui::usualFormat()));
        QVERIFY(!ui::limitsFileSize(*findFormat("npz")));
        QVERIFY(!ui::limitsFileSize(*findFormat("torch")));
    }
};

QTEST_GUILESS_MAIN(JobChoicesTest)
#include "job_choices_test.moc"
