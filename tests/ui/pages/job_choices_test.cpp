// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/jobs/request/job_command.h"
#include "ui/pages/consolidate/recipe.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace cairn;
using ui::Recipe;

class RecipeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesTheOutputAfterRunAndCheckpoint() {
        const QTemporaryDir folder;
        const std::filesystem::path run =
            std::filesystem::path(folder.path().toStdString()) / "llama-a";
        QCOMPARE(ui::defaultOutput(run, run / "step-400", Recipe::Target::HuggingFace),
                 run / "deploy/llama-a-step-400");
        QCOMPARE(ui::defaultOutput(run, run / "last.ckpt", Recipe::Target::Safetensors),
                 run / "deploy/llama-a-last.safetensors");
        QCOMPARE(ui::defaultOutput(run, run / "last.ckpt", Recipe::Target::Torch),
                 run / "deploy/llama-a-last.pt");
    }

    void neverNamesAnExistingFile() {
        const QTemporaryDir folder;
        const std::filesystem::path run = std::filesystem::path(folder.path().toStdString()) / "a";
        std::filesystem::create_directories(run / "deploy");
        std::ofstream(run / "deploy/a-x.pt") << "taken";
        QCOMPARE(ui::defaultOutput(run, run / "x.pt", Recipe::Target::Torch),
                 run / "deploy/a-x-2.pt");
    }

    void quotesForTheShell() {
        QCOMPARE(ui::shellQuoted(QStringLiteral("/a/b=1.pt")), QStringLiteral("/a/b=1.pt"));
        QCOMPARE(ui::shellQuoted(QStringLiteral("a b's")), QStringLiteral("'a b'\\''s'"));
        QCOMPARE(ui::shellQuoted(QStringLiteral("$(x)")), QStringLiteral("'$(x)'"));
    }

    void commandNamesEveryChoice() {
        Recipe recipe;
        recipe.target = Recipe::Target::HuggingFace;
        recipe.maxShardBytes = 5'000'000'000;
        const QString command =
            ui::commandText(jobCommand("/r/step-1", *ui::consolidateOptions(recipe, "/r/out")));
        for (const char* part : {"cairn-cli consolidate /r/step-1", "-o /r/out", "--to safetensors",
                                 "--only weights", "--max-shard-size 5GB", "--bundle"}) {
            QVERIFY2(command.contains(QString::fromLatin1(part)), qPrintable(command));
        }
    }

    void stripsOnlyRolesThatAreTaken() {
        Recipe recipe;
        recipe.target = Recipe::Target::Torch;
        recipe.strip = {Role::Buffer, Role::Optimizer, Role::Rng};
        const auto words = [&recipe] {
            return ui::commandText(
                jobCommand("/r/step-1", *ui::consolidateOptions(recipe, "/r/out.pt")));
        };
        // Weights only: the optimizer is not included anyway.
        QVERIFY2(words().contains(QStringLiteral("--strip buffer")) &&
                     !words().contains(QStringLiteral("optimizer")),
                 qPrintable(words()));
        recipe.everything = true;
        QVERIFY2(words().contains(QStringLiteral("--strip buffer,optimizer,rng")),
                 qPrintable(words()));
        recipe.everything = false;
        recipe.only = "*.bias";
        QVERIFY(words().contains(QStringLiteral("--strip buffer,optimizer,rng")));
        recipe.strip.clear();
        QVERIFY(!words().contains(QStringLiteral("--strip")));
    }

    void pythonQuotesThePath() {
        QVERIFY(ui::pythonSnippet("/a\"b.pt", Recipe::Target::Torch, false)
                    .contains(QStringLiteral("\"/a\\\"b.pt\"")));
    }
};

QTEST_GUILESS_MAIN(RecipeTest)
#include "recipe_test.moc"
