// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/matrix_output.h"
#include "app/cli/opened.h"
#include "app/cli/progress.h"
#include "app/cli/quantised_output.h"
#include "app/cli/stats_timeline.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "app/cli/verb.h"
#include "core/analysis/statistics.h"
#include "core/compute/device_choice.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace cairn::cli::verb_stats {
namespace {

struct CountedBin {
    std::size_t bin;
    std::uint64_t count;
};

/// Histograms are mostly empty, and there may be a million rows: only non-empty bins are kept.
struct Row {
    TensorStatistics statistics; ///< without its histogram
    std::vector<CountedBin> bins;
    std::optional<Error> error;
};

struct Measured {
    std::vector<Row> rows;
    /// Of all readable tensors together, tied ones once, without codes and parts of quantised ones.
    std::optional<TensorStatistics> all;
};

std::vector<CountedBin> binsOf(const ValueHistogram& histogram) {
    std::vector<CountedBin> bins;
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        if (histogram.counts[bin] > 0) {
            bins.push_back({bin, histogram.counts[bin]});
        }
    }
    bins.shrink_to_fit();
    return bins;
}

/// The non-empty bins in ascending order, each [low, high, count]; an infinite bound is null. The
/// bins are defined in core/compute/value_histogram.h.
void writeHistogram(JsonWriter& json, std::span<const CountedBin> bins) {
    json.key("histogram");
    json.beginArray();
    const auto edge = [&](double value) {
        if (std::isfinite(value)) {
            json.number(value);
        } else {
            json.null();
        }
    };
    for (const CountedBin& each : bins) {
        json.beginArray();
        edge(ValueHistogram::lowerEdge(each.bin));
        edge(ValueHistogram::upperEdge(each.bin));
        json.natural(each.count);
        json.endArray();
    }
    json.endArray();
}

/// `values`: those of a tensor that could not be read are empty.
void writeFigures(JsonWriter& json, const TensorStatistics& values, bool wantsHistogram,
                  std::span<const CountedBin> bins) {
    json.member("count", values.count);
    const bool known = values.numeric && values.finite() > 0;
    const auto number = [&](std::string_view name, double value) {
        json.key(name);
        if (known) {
            json.number(value);
        } else {
            json.null();
        }
    };
    number("min", values.min);
    number("max", values.max);
    number("mean", values.mean);
    number("std", values.std());
    number("l1", values.l1);
    number("l2", values.l2);
    number("absmax", values.absmax);
    json.member("zeros", values.zeros);
    json.member("nan", values.nan);
    json.member("inf", values.inf);
    if (values.sampled) {
        json.member("sampled", true);
    }
    if (wantsHistogram && known) {
        writeHistogram(json, bins);
    }
}

void writeRow(JsonWriter& json, const WeightValues& weights, TensorIndex index, const Row& row,
              bool wantsHistogram, const SpectrumRow* spectrum) {
    const TensorEntry& tensor = weights.checkpoint()->tensor(index);
    const QuantisedTensor* quantised = weights.find(index);
    json.beginObject();
    json.member("name", tensor.name);
    json.member("dtype", dtypeName(weights.stored()->tensor(index).dtype));
    if (dtypeInfo(tensor.dtype).isBlock()) {
        json.member("measured_as", "float32"); // the numbers in the blocks
    } else if (weights.isWeight(index)) {
        json.member("measured_as", dtypeName(tensor.dtype));
    }
    if (quantised != nullptr) {
        json.key("quantised");
        writeQuantised(json, *quantised, weights.stored()->tensor(index));
    }
    writeFigures(json, row.statistics, wantsHistogram, row.bins);
    if (row.error) {
        json.key("error");
        writeError(json, *row.error);
    }
    if (spectrum != nullptr) {
        writeSpectrum(json, *spectrum);
    }
    json.endObject();
}

std::string rowName(const WeightValues& weights, TensorIndex index) {
    const QuantisedTensor* quantised = weights.find(index);
    return weights.checkpoint()->tensor(index).name +
           (quantised != nullptr ? " (" + quantisedText(*quantised).text() + ")" : std::string());
}

void printText(const OpenedWeights& opened, const Measured& measured, Session& session) {
    const std::vector<Row>& rows = measured.rows;
    TextTable table({{"NAME"},
                     {"COUNT", Align::Right},
                     {"MIN", Align::Right},
                     {"MAX", Align::Right},
                     {"MEAN", Align::Right},
                     {"STD", Align::Right},
                     {"L1", Align::Right},
                     {"L2", Align::Right},
                     {"ZEROS", Align::Right},
                     {"NAN", Align::Right},
                     {"INF", Align::Right}});
    const auto add = [&](const std::string& name, const TensorStatistics& values) {
        const bool known = values.numeric && values.finite() > 0;
        const auto cell = [&](double value) {
            return known ? figureText(value) : std::string("-");
        };
        table.add({name, std::to_string(values.count) + (values.sampled ? " (sample)" : ""),
                   cell(values.min), cell(values.max), cell(values.mean), cell(values.std()),
                   cell(values.l1), cell(values.l2), std::to_string(values.zeros),
                   std::to_string(values.nan), std::to_string(values.inf)});
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string name = rowName(opened.weights, opened.opened.tensors[i]);
        if (rows[i].error) {
            table.add({name, "unreadable: " + rows[i].error->message.text()});
        } else {
            add(name, rows[i].statistics);
        }
    }
    if (measured.all) {
        add("(together)", *measured.all);
    }
    table.print(session);
    if (std::ranges::any_of(opened.opened.tensors,
                            [&](TensorIndex index) { return !opened.weights.isNumbers(index); })) {
        session.out.line("Codes and parts of quantised weights are not numbers of the weights");
    }
}

std::uint64_t bytesOf(const Opened& opened) {
    std::uint64_t total = 0;
    for (const TensorIndex index : opened.tensors) {
        total += opened.checkpoint->tensor(index).bytes();
    }
    return total;
}

/// Samples and histograms always use the processor: little work, or more than sums.
Result<DeviceChoice> deviceFor(const Opened& opened, const Arguments& arguments) {
    const std::string asked = arguments.text("device").value_or("auto");
    const bool here = arguments.has("sample") || arguments.has("histogram");
    if (here && (asked == "auto" || asked == "cpu")) {
        return DeviceChoice{"cpu", "samples and histograms are computed on the processor"};
    }
    if (here) {
        return fail(ErrorCode::InvalidArgument,
                    "Samples and histograms are computed on the processor")
            .butFound(sentence("--device %1", asked))
            .withHint("Leave out --device, or --sample and --histogram");
    }
    return chooseDevice(asked, {DeviceWork::Kind::Statistics, bytesOf(opened), 0, 0});
}

Measured measure(const OpenedWeights& openedWeights, const Arguments& arguments,
                 const ComputeBackendPtr& backend, Session& session) {
    const Opened& opened = openedWeights.opened;
    std::atomic<std::uint64_t> done{0};
    const std::uint64_t total = bytesOf(opened);
    StatisticsOptions options;
    options.cancel = session.cancel;
    options.sample = arguments.has("sample");
    options.histogram = arguments.has("histogram");
    options.progress = &done;
    options.backend = backend;
    const ProgressPrinter progress(session, [&] {
        return ProgressState{"measuring", done.load(), total};
    });
    Measured measured;
    StatisticsSum sum;
    std::size_t parts = 0;
    (void)measureInOrder(*opened.checkpoint, opened.tensors, options,
                         [&](std::size_t i, Result<TensorStatistics> result) -> Result<void> {
                             Row row;
                             if (!result) {
                                 row.error = std::move(result).error();
                             } else {
                                 if (!opened.checkpoint->tensor(opened.tensors[i]).aliasOf &&
                                     openedWeights.weights.isNumbers(opened.tensors[i])) {
                                     sum.add(*result);
                                     ++parts;
                                 }
                                 row.bins = options.histogram ? binsOf(result->histogram)
                                                              : std::vector<CountedBin>();
                                 result->histogram = {};
                                 row.statistics = std::move(*result);
                             }
                             measured.rows.push_back(std::move(row));
                             return {};
                         });
    if (parts > 1) { // for a single tensor its row suffices
        measured.all = sum.result();
    }
    return measured;
}

struct Report {
    const Opened& opened;
    const WeightValues& weights;
    const Measured& measured;
    const std::vector<SpectrumRow>& spectra; ///< empty: not requested
    const std::string& device;
    bool wantsHistogram = false;
};

void writeJson(const Report& report, Session& session) {
    const Checkpoint& checkpoint = *report.opened.checkpoint;
    const std::vector<Row>& rows = report.measured.rows;
    JsonDocument document(session.out);
    document->member("path", report.opened.path);
    document->member("format", checkpoint.format());
    document->member("complete", completenessName(checkpoint.completeness()));
    document->member("device", report.device);
    document->key("tensors");
    document->beginArray();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        writeRow(*document, report.weights, report.opened.tensors[i], rows[i],
                 report.wantsHistogram, report.spectra.empty() ? nullptr : &report.spectra[i]);
    }
    document->endArray();
    if (const auto& all = report.measured.all) {
        document->key("together");
        document->beginObject();
        writeFigures(*document, *all, report.wantsHistogram, binsOf(all->histogram));
        document->endObject();
    }
    document.finish();
}

Result<int> run(const Arguments& arguments, Session& session) {
    if (arguments.has("exact") && arguments.has("sample")) {
        return fail(ErrorCode::InvalidArgument, "--exact and --sample exclude each other");
    }
    if (arguments.has("timeline")) {
        return runStatsTimeline(arguments, session);
    }
    if (arguments.has("change")) {
        return fail(ErrorCode::InvalidArgument, "--change requires --timeline");
    }
    CAIRN_TRY(const OpenedWeights selected, openSelectedWeights(arguments, session.cancel));
    const Opened& opened = selected.opened;
    CAIRN_TRY(const DeviceChoice device, deviceFor(opened, arguments));
    ComputeBackendPtr backend; // null: the processor's own pass
    if (device.device != "cpu") {
        CAIRN_TRY(backend, openBackend(device.device));
    }
    const Measured measured = measure(selected, arguments, backend, session);
    const std::vector<Row>& rows = measured.rows;
    CAIRN_CHECK(session.cancel.check());
    std::vector<SpectrumRow> spectra;
    if (arguments.has("spectrum")) {
        CAIRN_TRY(spectra,
                  measureSpectra(opened, arguments.text("device").value_or("auto"), session));
    }
    if (session.json) {
        writeJson({opened, selected.weights, measured, spectra, device.device,
                   arguments.has("histogram")},
                  session);
    } else {
        printText(selected, measured, session);
        if (!spectra.empty()) {
            printSpectra(opened, spectra, session);
        }
    }
    for (const SpectrumRow& row : spectra) {
        if (row.error) {
            session.message("cairn-cli: " + describe(*row.error));
        }
    }
    for (const Row& row : rows) {
        if (row.error) {
            session.message("cairn-cli: " + describe(*row.error));
            return exitCode(*row.error);
        }
    }
    return coversAll(*opened.checkpoint, opened.path, arguments.text("tensor"), session)
               ? kExitOk
               : kExitDiffers;
}

constexpr auto kOptions = std::to_array<Option>({
    kTensorGlobOption,
    {"--exact", "", "Read every element (default)"},
    {"--sample", "", "Read only evenly distributed blocks of tensors above 64 MB"},
    {"--histogram", "", "With --json: a histogram as [low, high, count]"},
    {"--spectrum", "",
     "Also compute singular values: largest, smallest, ranks (requires the libtorch module)"},
    kDeviceOption,
    {"--timeline", "",
     "PATH is a run: measure the selected tensors together in each of its checkpoints"},
    {"--change", "", "With --timeline: also compute the distance to the previous checkpoint"},
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"stats",
                 "Compute statistics of each tensor: range, mean, deviation, norm, zeros, NaN",
                 kTensorsPositionals,
                 kOptions,
                 {"cairn-cli stats step-400 --tensor '*.weight' --json",
                  "cairn-cli stats step-400 --tensor '*.q_proj.weight' --spectrum",
                  "cairn-cli stats runs/a --timeline --tensor '*.q_proj.weight' --change"},
                 run};

} // namespace cairn::cli::verb_stats
