// SPDX-License-Identifier: GPL-3.0-or-later
// What a consolidation leaves out is counted by role, before it begins and when it is done.
#include "tests/support/safetensors_file.h"
#include "tests/ui/support/job_pages.h"
#include "ui/pages/consolidate/consolidate_page.h"

#include <QAction>
#include <QScrollArea>

#include <fstream>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

/// A flat file: only its names show that "opt" is not a module.
void writeFlat(const std::filesystem::path& path) {
    const std::vector<cairn::test::SafetensorsTensor> tensors = {
        {"dense.weight", "F32", {4}, 16},
        {"opt.m.dense.weight", "F32", {4}, 16},
        {"opt.v.dense.weight", "F32", {4}, 16}};
    std::ofstream(path, std::ios::binary) << cairn::test::safetensorsFile(
        cairn::test::safetensorsHeader(tensors), std::string(48, '\1'));
}

} // namespace

class LeftOutRolesTest : public QObject {
    Q_OBJECT

private:
    static void plans(WindowFixture& fixture, const std::filesystem::path& below) {
        QVERIFY(fixture.open(below));
        fixture.window->actions().showJobs->trigger();
        QTest::qWait(450); // the typed text has been processed
        Deployment& deployment = fixture.window->deployment();
        QTRY_VERIFY_WITH_TIMEOUT(!deployment.isPlanning() && deployment.planned(), kTimeoutMs);
    }

private Q_SLOTS:
    void rolesAreCountedBeforeAndAfter() {
        WindowFixture fixture;
        plans(fixture, "tiny-llama-a/step-400");
        ConsolidatePage& page = *fixture.window->pages().consolidate;
        QVERIFY(showsText(page, QStringLiteral("left out")));
        QVERIFY(showsText(page, QStringLiteral("optimizer (63 tensors")));
        QVERIFY(!showsText(page, QStringLiteral("classified by name only")));
        page.startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page, QStringLiteral("every byte compared")),
                                 kTimeoutMs);
        QVERIFY(showsText(page, QStringLiteral("left out: optimizer (63 tensors")));
        picture(*fixture.window, QStringLiteral("left-out-done"), {880, 560});
    }

    void classifyingByNameOnlyIsAWarning() {
        WindowFixture fixture;
        writeFlat(fixture.experiment() / "flat.safetensors");
        plans(fixture, "flat.safetensors");
        ConsolidatePage& page = *fixture.window->pages().consolidate;
        QVERIFY(showsText(page, QStringLiteral("optimizer (2 tensors")));
        QVERIFY(showsText(page, QStringLiteral("classified by name only")));
        QVERIFY(
            showsText(page, QStringLiteral("they may belong to the model: opt.m.dense.weight")));
        fixture.window->resize({880, 560});
        QTest::qWait(80);
        QTRY_COMPARE(clippedText(*page.findChild<QScrollArea*>()), QString());
        picture(*fixture.window, QStringLiteral("left-out-by-name"), {880, 560});
    }
};

QTEST_MAIN(LeftOutRolesTest)
#include "left_out_roles_test.moc"
