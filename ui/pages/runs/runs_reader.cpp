// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/runs_reader.h"

#include "core/runs/facts/index_cache.h"
#include "core/runs/table/run_table.h"
#include "ui/bridge/release_on_worker.h"

#include <utility>

namespace cairn::ui {

void RunsReader::read(const std::shared_ptr<const Experiment>& experiment, bool known) {
    m_error.reset();
    m_reader.start(
        [this, experiment, known, isFirst = m_latest == nullptr](
            const CancelToken& cancel, const AsyncRunner::Post& post) -> Result<RunsDataPtr> {
            auto data = std::make_shared<RunsData>();
            data->experiment = *experiment;
            if (isFirst || !known) { // names and sizes, until the histories are read
                auto names = std::make_shared<RunsData>();
                names->experiment = *experiment;
                names->grid = RunGrid(names->experiment, nullptr);
                if (!known) {
                    return sharedForGui(RunsDataPtr(std::move(names)));
                }
                post([this, names = sharedForGui(RunsDataPtr(std::move(names)))] {
                    m_latest = names;
                    arrange();
                });
            }
            CAIRN_TRY(RunTable table, readRunTable(data->experiment, IndexCache::ofUser(), cancel));
            data->notices = table.notices;
            data->grid =
                RunGrid(data->experiment, std::make_shared<const RunTable>(std::move(table)));
            return sharedForGui(RunsDataPtr(std::move(data)));
        },
        [this](Result<RunsDataPtr> data) {
            if (data) {
                m_latest = std::move(*data);
                arrange();
            } else {
                m_error = data.error();
            }
            Q_EMIT progressed();
        });
    Q_EMIT progressed();
}

void RunsReader::arrange() {
    if (m_latest == nullptr) {
        return;
    }
    m_arranger.start([data = m_latest, query = m_query](
                         const CancelToken& cancel) { return arrangeRuns(*data, query, cancel); },
                     [this, data = m_latest,
                      filter = m_query.filter](const Result<RunsArrangement>& arrangement) {
                         if (arrangement) {
                             Q_EMIT arranged(data, *arrangement, filter);
                         }
                         Q_EMIT progressed();
                     });
}

void RunsReader::clear() {
    m_reader.cancel();
    m_arranger.cancel();
    m_latest.reset();
    m_error.reset();
}

} // namespace cairn::ui
