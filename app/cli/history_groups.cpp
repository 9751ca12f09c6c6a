// SPDX-License-Identifier: Apache-2.0
#include "app/cli/history_groups.h"

#include "app/cli/json_output.h"
#include "app/cli/run_listing.h"
#include "app/cli/run_table_output.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "core/analysis/tensor_pass.h"
#include "core/base/counted.h"
#include "core/base/glob.h"
#include "core/base/visible_text.h"
#include "core/runs/history/checkpoint_values/checkpoint_values.h"
#include "core/runs/scan/experiment_scan.h"
#include "core/runs/table/curve_groups.h"
#include "core/runs/table/run_grid.h"
#include "core/runs/table/run_groups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>

namespace cairn::cli {
namespace {

/// What was requested.
struct Request {
    std::vector<Aggregate> aggregates;
    AggregateSet wanted;
    CompareAxis axis = CompareAxis::Step;
    std::string axisName = "step";
    std::optional<Glob> metrics;
};

constexpr auto kAxes =
    std::to_array<std::pair<std::string_view, CompareAxis>>({{"step", CompareAxis::Step},
                                                             {"first-step", CompareAxis::FirstStep},
                                                             {"epoch", CompareAxis::Epoch},
                                                             {"time", CompareAxis::Time}});

Result<void> readAggregates(Request& request, std::string_view names) {
    while (!names.empty()) {
        const std::size_t comma = std::min(names.find(','), names.size());
        std::string name(names.substr(0, comma));
        names.remove_prefix(std::min(comma + 1, names.size()));
        std::erase(name, ' ');
        const auto each = aggregateNamed(name);
        if (!each) {
            return fail(ErrorCode::InvalidArgument, "Unknown aggregate")
                .inField("--aggregate")
                .butFound(verbatim(name))
                .expecting("mean, std, sem, min, max, median, q25 or q75");
        }
        if (!request.wanted.has(*each)) {
            request.aggregates.push_back(*each);
            request.wanted.add(*each);
        }
    }
    return {};
}

Result<Request> requestOf(const Arguments& arguments) {
    Request request;
    CAIRN_CHECK(readAggregates(request, arguments.text("aggregate").value_or("mean,std")));
    if (const auto text = arguments.text("axis")) {
        const auto axis = std::ranges::find(kAxes, std::string_view(*text),
                                            &std::pair<std::string_view, CompareAxis>::first);
        if (axis == kAxes.end()) {
            return fail(ErrorCode::InvalidArgument, "Unknown axis")
                .inField("--axis")
                .butFound(verbatim(*text))
                .expecting("step, first-step, epoch or time");
        }
        request.axis = axis->second;
        request.axisName = *text;
    }
    if (const auto text = arguments.text("metric")) {
        CAIRN_TRY(request.metrics, Glob::parse(*text));
    }
    return request;
}

/// An argument: a folder of one or more runs, or a log file.
struct Source {
    Experiment experiment;
    std::shared_ptr<const RunTable> table;
    std::filesystem::path root; ///< up to which logs are searched
};

Result<Source> openSource(const std::string& path, const Arguments& arguments, Session& session) {
    Source source;
    const Location named = path;
    CAIRN_TRY(const Location::Opened opened, named.open());
    if (opened.isFolder()) {
        CAIRN_TRY(source.experiment, scanExperiment(named, session.cancel));
        source.experiment.isCheckpoint = false; // its logs are requested
    }
    if (source.experiment.runs.empty()) { // logs without checkpoints
        source.experiment.path = named.path();
        source.experiment.name = named.path().filename().string();
        source.experiment.runs.push_back({".", source.experiment.name, named.path(), {}});
    }
    CAIRN_TRY(RunTable table, examineAll(source.experiment, session));
    source.table = std::make_shared<const RunTable>(std::move(table));
    source.root = arguments.text("root").value_or(source.experiment.path.string());
    return source;
}

/// The histories of a group's runs, parallel to its rows; a failure becomes a warning.
std::vector<RunHistory> readHistories(const std::vector<Source>& sources, const RunGrid& grid,
                                      const RunGroup& group, std::vector<Notice>& warnings,
                                      Session& session) {
    std::vector<RunHistory> histories(group.rows.size());
    std::vector<std::optional<Error>> errors(group.rows.size());
    forEachParallel(group.rows.size(), 0, session.cancel, [&](std::size_t i) {
        const GridRow& row = grid.rows()[group.rows[i]];
        const Source& source = sources[row.source];
        auto history = readHistory(row.path, source.root, session.cancel);
        if (!history) {
            errors[i] = history.error();
            return;
        }
        histories[i] = std::move(*history);
        addCheckpointValues(histories[i], source.experiment.runs[row.run]);
    });
    for (std::size_t i = 0; i < histories.size(); ++i) {
        if (errors[i]) {
            warnings.push_back({Severity::Warning, *errors[i]});
        }
        for (const HistorySource& source : histories[i].sources) {
            warnings.insert(warnings.end(), source.warnings.begin(), source.warnings.end());
        }
        warnings.insert(warnings.end(), histories[i].warnings.begin(), histories[i].warnings.end());
    }
    return histories;
}

std::vector<std::string> namesIn(const std::vector<RunHistory>& histories, const Request& request) {
    std::set<std::string> all;
    for (const RunHistory& history : histories) {
        for (const MetricSeries& series : history.series) {
            if (!request.metrics || request.metrics->matches(series.name)) {
                all.insert(series.name);
            }
        }
    }
    std::vector<std::string> names(all.begin(), all.end());
    std::ranges::sort(names, [](const std::string& a, const std::string& b) {
        const int left = metricRank(a);
        const int right = metricRank(b);
        return left != right ? left < right : metricNameLess(a, b);
    });
    return names;
}

/// One metric of a group.
struct GroupCurve {
    std::string metric;
    std::size_t runs = 0;
    AggregatedCurve curve;
};

Result<GroupCurve> curveOfGroup(const std::string& metric, const std::vector<RunHistory>& histories,
                                const Request& request, std::vector<Notice>& warnings,
                                Session& session) {
    std::vector<const MetricSeries*> series;
    std::vector<const RunHistory*> owners;
    for (const RunHistory& history : histories) {
        if (const MetricSeries* each = history.primary(metric)) {
            series.push_back(each);
            owners.push_back(&history);
        }
    }
    const CurveSet set = curvesOf(series, request.axis);
    for (CurveLimit& limit : limitsOf(set, series, request.axis)) {
        const RunHistory& owner = *owners[limit.series];
        Error error = std::move(limit.error)
                          .inFile(owner.sources.at(series[limit.series]->source).path.string());
        warnings.push_back(
            {Severity::Warning,
             limit.isLeftOut ? std::move(error)
                             : std::move(error).withHint("--axis first-step counts them exactly")});
    }
    GroupCurve result{metric, set.curves.size(), {}};
    CAIRN_TRY(result.curve, aggregateCurves(set.curves, request.wanted, {}, session.cancel));
    return result;
}

void writeCounts(JsonWriter& json, std::string_view name,
                 const std::vector<std::uint32_t>& counts) {
    json.key(name);
    json.beginArray();
    for (const std::uint32_t each : counts) {
        json.natural(each);
    }
    json.endArray();
}

void writeCurve(JsonWriter& json, const GroupCurve& each, const Request& request) {
    json.key(each.metric);
    json.beginObject();
    json.member("runs", each.runs);
    writeNumbers(json, "x", each.curve.x, Numbers::Steps);
    writeCounts(json, "n", each.curve.n);
    writeCounts(json, "nan", each.curve.nan);
    for (const Aggregate aggregate : request.aggregates) {
        writeNumbers(json, aggregateName(aggregate), each.curve.of(aggregate));
    }
    json.endObject();
}

/// The last x at which most runs have a value.
void addTableRow(TextTable& table, const std::string& label, const GroupCurve& each,
                 const Request& request) {
    const std::vector<std::uint32_t>& n = each.curve.n;
    if (n.empty()) {
        return;
    }
    const auto most = std::max_element(n.rbegin(), n.rend());
    const auto at = static_cast<std::size_t>(n.rend() - most) - 1;
    std::vector<std::string> cells{label,
                                   each.metric,
                                   std::to_string(each.runs),
                                   std::to_string(n.size()),
                                   numberText(each.curve.x[at]),
                                   std::to_string(n[at])};
    for (const Aggregate aggregate : request.aggregates) {
        const double value = each.curve.of(aggregate)[at];
        cells.push_back(std::isnan(value) ? "-" : figureText(value));
    }
    table.add(std::move(cells));
}

std::vector<std::string> upperNames(const Request& request) {
    std::vector<std::string> names;
    for (const Aggregate aggregate : request.aggregates) {
        std::string name(aggregateName(aggregate));
        std::ranges::transform(name, name.begin(), [](char c) {
            return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        });
        names.push_back(std::move(name));
    }
    return names;
}

/// All groups, one after another, so that the points of one group only are in memory.
class GroupPrinter {
public:
    GroupPrinter(const std::vector<Source>& sources, const RunGrid& grid, const RunGroups& groups,
                 const Request& request, Session& session)
        : m_sources(sources), m_grid(grid), m_groups(groups), m_request(request),
          m_session(session) {}

    Result<void> writeJson(const std::string& path) {
        JsonDocument document(m_session.out);
        document->member("path", path);
        document->member("axis", m_request.axisName);
        document->key("groups");
        document->beginArray();
        for (const RunGroup& group : m_groups.groups) {
            document->beginObject();
            writeGroupKey(*document, "key", m_grid, m_groups, group);
            document->member("id", labelOf(group));
            document->member("n", group.rows.size());
            document->key("runs");
            document->beginArray();
            for (const std::uint32_t row : group.rows) {
                document->string(m_grid.rows()[row].id);
            }
            document->endArray();
            document->key("metrics");
            document->beginObject();
            CAIRN_CHECK(forEachCurve(
                group, [&](const GroupCurve& each) { writeCurve(*document, each, m_request); }));
            document->endObject();
            document->endObject();
        }
        document->endArray();
        writeNotices(*document, "warnings", m_warnings);
        document.finish();
        return {};
    }

    Result<void> printText() {
        const std::vector<std::string> names = upperNames(m_request);
        std::vector<Column> columns{{"GROUP"},
                                    {"METRIC"},
                                    {"RUNS", Align::Right},
                                    {"POINTS", Align::Right},
                                    {"AT", Align::Right},
                                    {"N", Align::Right}};
        for (const std::string& name : names) {
            columns.push_back({name, Align::Right});
        }
        TextTable table(columns);
        for (const RunGroup& group : m_groups.groups) {
            const std::string label = elideMiddle(labelOf(group), TextTable::kMaxWidth);
            CAIRN_CHECK(forEachCurve(group, [&](const GroupCurve& each) {
                addTableRow(table, label, each, m_request);
            }));
        }
        table.print(m_session);
        printNotices(m_session, m_warnings);
        if (!m_session.quiet) {
            m_session.out.line("");
            m_session.out.line(counted(m_groups.groups.size(), "group") +
                               "; values at the last x at which most runs have one");
        }
        return {};
    }

private:
    std::string labelOf(const RunGroup& group) const {
        const std::string label = groupLabel(m_grid, m_groups, group);
        return label.empty() ? "all" : label;
    }

    template <class Work> Result<void> forEachCurve(const RunGroup& group, const Work& work) {
        const auto histories = readHistories(m_sources, m_grid, group, m_warnings, m_session);
        CAIRN_CHECK(m_session.cancel.check());
        for (const std::string& name : namesIn(histories, m_request)) {
            CAIRN_TRY(const GroupCurve curve,
                      curveOfGroup(name, histories, m_request, m_warnings, m_session));
            if (curve.runs > 0) {
                work(curve);
            }
        }
        return {};
    }

    const std::vector<Source>& m_sources;
    const RunGrid& m_grid;
    const RunGroups& m_groups;
    const Request& m_request;
    Session& m_session;
    std::vector<Notice> m_warnings;
};

} // namespace

bool wantsGroups(const Arguments& arguments) {
    return arguments.positionals.size() > 1 || arguments.has("group-by") ||
           arguments.has("aggregate") || arguments.has("filter") || arguments.has("axis");
}

Result<int> printGroupedHistories(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const Request request, requestOf(arguments));
    std::vector<Source> sources;
    for (const std::optional<std::string>& path : arguments.positionals) {
        CAIRN_TRY(Source source, openSource(path.value_or(""), arguments, session));
        sources.push_back(std::move(source));
    }
    std::set<std::filesystem::path> seen;
    for (Source& source : sources) {
        dropRepeatedRuns(source.experiment, seen);
    }
    std::vector<GridSource> tables;
    for (const Source& source : sources) {
        tables.push_back({&source.experiment, source.table});
    }
    const RunGrid grid(tables);
    CAIRN_TRY(const auto rows, filterRuns(grid, arguments.text("filter").value_or("")));
    CAIRN_TRY(std::vector<std::size_t> keys,
              parseGroupKeys(grid, arguments.text("group-by").value_or("")));
    const RunGroups groups = groupRuns(grid, rows, std::move(keys));
    GroupPrinter printer(sources, grid, groups, request, session);
    CAIRN_CHECK(session.json ? printer.writeJson(arguments.at(0)) : printer.printText());
    return kExitOk;
}

void writeNumbers(JsonWriter& json, std::string_view name, const std::vector<double>& numbers,
                  Numbers kind, const std::vector<std::int16_t>& rests) {
    json.key(name);
    json.beginArray();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        writeExact(json, {numbers[i], i < rests.size() ? rests[i] : std::int16_t{0}}, kind);
    }
    json.endArray();
}

void writeExact(JsonWriter& json, const Number& number, Numbers kind) {
    if (number.rest != 0 || (kind == Numbers::Steps && number.isInteger())) {
        json.digits(number.digits());
    } else {
        json.number(number.nearest);
    }
}

} // namespace cairn::cli
