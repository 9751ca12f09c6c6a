// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/plan_words.h"

#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/text/program_numbers.h"

#include <QCoreApplication>

namespace cairn::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::PlanTable)
};

using RunPlan = RetentionController::RunPlan;

/// What stays sorts below everything that frees something.
constexpr double kStays = -1;
constexpr double kNotTouched = -2;

class Rows {
public:
    Rows(const RetentionController::Outcome& outcome, std::vector<std::filesystem::path>& paths)
        : m_several(outcome.runs.size() > 1), m_paths(paths) {}

    void add(const RunPlan& run, const RetentionPlan::Entry& each, const CellTable::Cell& frees,
             const QString& loses, bool warn) {
        const QString why = text::coreText(each.why);
        const bool dim = frees.order < 0;
        m_rows.push_back({m_paths.size(),
                          {{planName(run, each.path, m_several), 0, text::fromPath(each.path), dim},
                           frees,
                           {why, 0, {}, dim && !warn, warn},
                           {loses, 0, {}, true}}});
        m_paths.push_back(each.path);
    }

    std::vector<CellTable::Row> take() { return std::move(m_rows); }

private:
    bool m_several;
    std::vector<std::filesystem::path>& m_paths;
    std::vector<CellTable::Row> m_rows;
};

} // namespace

QString planName(const RunPlan& run, const std::filesystem::path& checkpoint, bool several) {
    const auto below = checkpoint.lexically_relative(run.place.path);
    const QString name =
        text::fromPath(below.empty() || below == "." ? checkpoint.filename() : below);
    return several ? QStringLiteral("%1 / %2").arg(run.place.name, name) : name;
}

CellTable::Cell sizeCell(std::uint64_t bytes) {
    const auto shown = [bytes] { return text::bytes(bytes); };
    return {shown(), static_cast<double>(bytes), text::exactBytes(bytes), false,
            false,   text::forPrograms(shown)};
}

std::vector<CellTable::Column> planColumns() {
    return {{Words::tr("Checkpoint")},
            {Words::tr("Frees"), true},
            {Words::tr("Why"), false, true},
            {Words::tr("What Would Be Lost"), false, true}};
}

std::vector<CellTable::Row> planRows(const RetentionController::Outcome& outcome,
                                     std::vector<std::filesystem::path>& paths) {
    paths.clear();
    Rows rows(outcome, paths);
    for (const RunPlan& run : outcome.runs) {
        for (const auto& each : run.plan.remove) {
            rows.add(run, each, sizeCell(each.frees), text::coreText(each.loses), false);
        }
    }
    for (const RunPlan& run : outcome.runs) {
        if (run.error) {
            rows.add(run, {run.place.path, run.error->message, 0},
                     {Words::tr("not touched"), kNotTouched, {}, true}, {}, true);
        }
        for (const auto& each : run.plan.refused) {
            rows.add(run, each, {Words::tr("not touched"), kNotTouched, {}, true}, {}, true);
        }
    }
    for (const RunPlan& run : outcome.runs) {
        for (const auto& each : run.plan.keep) {
            rows.add(run, each, {Words::tr("stays"), kStays, {}, true}, {}, false);
        }
    }
    return rows.take();
}

} // namespace cairn::ui
