// SPDX-License-Identifier: Apache-2.0
//
// For each checkpoint the sums of one pass (ElementStatistics) are kept, from which every measure
// follows; beside them the distance to the checkpoint before, with that one's stamp. A stop is
// opened only when one of the two is missing, and at most two checkpoints are open at a time.
#include "core/jobs/timeline/weight_timeline.h"

#include "core/analysis/diff.h"
#include "core/analysis/statistics.h"
#include "core/base/glob.h"
#include "core/formats/format.h"
#include "core/jobs/bundle/found_weights.h"
#include "core/runs/facts/index_bytes.h"
#include "core/runs/facts/index_stamp.h"
#include "core/runs/run_counts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSaveEvery = 32; // checkpoints measured

/// The cached data of one checkpoint.
struct Kept {
    IndexStamp stamp{};
    std::uint64_t tensors = 0;
    ElementStatistics sums;
    std::optional<IndexStamp>
        before; ///< stamp of the checkpoint relative to which `change` was measured
    std::optional<double> change; ///< empty: the two have no common tensor
};

class MeasuredWeights {
public:
    MeasuredWeights(const IndexCache& cache, const ScannedRun& run, const WeightRequest& request)
        : m_cache(cache), m_run(run.path) {
        std::error_code error;
        const fs::path whole = fs::canonical(run.path, error);
        m_name = "weights as numbers:" + (error ? run.path : whole).string();
        const std::set<std::string> globs(request.tensors.begin(), request.tensors.end());
        for (const std::string& glob : globs) {
            m_name += "\n" + glob;
        }
        load();
    }

    const Kept* find(const fs::path& checkpoint, const IndexStamp& stamp) const {
        const auto at = m_kept.find(keyOf(checkpoint));
        return at != m_kept.end() && at->second.stamp == stamp ? &at->second : nullptr;
    }
    void keep(const fs::path& checkpoint, const Kept& kept) {
        m_kept[keyOf(checkpoint)] = kept;
        if (++m_new >= kSaveEvery) {
            save();
        }
    }
    void save() {
        if (m_new == 0) {
            return;
        }
        IndexWriter out;
        out.put(std::uint64_t{m_kept.size()});
        for (const auto& [path, kept] : m_kept) {
            out.put(path);
            out.put(kept.stamp);
            out.put(kept.tensors);
            out.put(kept.sums);
            out.putOptional(kept.before);
            out.putOptional(kept.change);
        }
        m_cache.write(m_name, out.bytes());
        m_new = 0;
    }

private:
    std::string keyOf(const fs::path& checkpoint) const {
        const fs::path below = checkpoint.lexically_relative(m_run);
        return below.empty() ? checkpoint.string() : below.string();
    }
    void load() {
        const auto bytes = m_cache.read(m_name);
        if (!bytes) {
            return;
        }
        IndexReader in(*bytes);
        std::map<std::string, Kept> kept;
        const std::size_t count = in.getCount(sizeof(Kept::sums));
        for (std::size_t i = 0; i < count && in.good(); ++i) {
            std::string path = in.getText();
            Kept each;
            each.stamp = in.get<IndexStamp>();
            each.tensors = in.get<std::uint64_t>();
            each.sums = in.get<ElementStatistics>();
            each.before = in.getOptional<IndexStamp>();
            each.change = in.getOptional<double>();
            kept.emplace(std::move(path), each);
        }
        if (in.whole()) {
            m_kept = std::move(kept);
        }
    }

    const IndexCache& m_cache;
    fs::path m_run;
    std::string m_name;
    std::map<std::string, Kept> m_kept;
    std::size_t m_new = 0;
};

class Selection {
public:
    static Result<Selection> make(const WeightRequest& request) {
        Selection selection;
        selection.m_names.insert(request.tensors.begin(), request.tensors.end());
        for (const std::string& text : request.tensors) {
            CAIRN_TRY(Glob glob, Glob::parse(text));
            selection.m_globs.push_back(std::move(glob));
        }
        return selection;
    }
    std::vector<TensorIndex> of(const Checkpoint& checkpoint) const {
        std::vector<TensorIndex> chosen;
        std::set<TensorIndex> known;
        bool anyWeights = false;
        const auto count = static_cast<std::uint32_t>(checkpoint.tensors().size());
        for (std::uint32_t i = 0; i < count; ++i) {
            const TensorEntry& tensor = checkpoint.tensor(TensorIndex(i));
            if (wants(tensor) && !(tensor.aliasOf && known.contains(*tensor.aliasOf))) {
                chosen.push_back(TensorIndex(i));
                known.insert(TensorIndex(i));
                anyWeights = anyWeights || isWeight(tensor);
            }
        }
        std::erase_if(chosen, [&](TensorIndex index) {
            const TensorEntry& tensor = checkpoint.tensor(index);
            return anyWeights && !isWeight(tensor) && !m_names.contains(tensor.name);
        });
        return chosen;
    }

private:
    static bool isWeight(const TensorEntry& tensor) {
        return tensor.role == Role::Weight || tensor.role == Role::Buffer;
    }
    bool wants(const TensorEntry& tensor) const {
        if (m_names.empty()) {
            return tensor.role == Role::Weight;
        }
        return m_names.contains(tensor.name) || std::ranges::any_of(m_globs, [&](const Glob& glob) {
                   return glob.matches(tensor.name);
               });
    }
    std::set<std::string> m_names;
    std::vector<Glob> m_globs;
};

/// The previous measured stop, for comparison.
struct Before {
    fs::path path;
    IndexStamp stamp{};
    double l2 = 0;
    std::optional<WeightValues> weights; ///< empty: its data came from the cache
};

class Timeline {
public:
    Timeline(const WeightRequest& request, Selection selection, MeasuredWeights& measured,
             const WeightTimelineOptions& options)
        : m_request(request), m_selection(std::move(selection)), m_measured(measured),
          m_options(options) {}

    /// Measures the stop; fails with Cancelled.
    Result<void> measure(WeightStop& stop, CheckpointState state) {
        CAIRN_CHECK(m_options.cancel.check());
        if (state == CheckpointState::BeingWritten) {
            stop.error = fail(ErrorCode::BeingWritten, "This checkpoint is still being written")
                             .inFile(stop.path.string());
            return {};
        }
        const auto done = measureComplete(stop);
        CAIRN_CHECK(m_options.cancel.check());
        if (!done) {
            stop.error = done.error();
            stop.sums.reset();
            stop.change.reset();
        }
        return {};
    }

private:
    Result<void> measureComplete(WeightStop& stop) {
        const auto stamp = stampOf(stop.path);
        if (!stamp) {
            return fail(ErrorCode::NotFound, "This checkpoint no longer exists")
                .inFile(stop.path.string());
        }
        const Kept* known = m_measured.find(stop.path, *stamp);
        const bool wantsChange = m_request.change && m_before;
        const bool knowsChange =
            !wantsChange || (known != nullptr && known->before == m_before->stamp);
        Kept kept = known != nullptr ? *known : Kept{*stamp, 0, {}, {}, {}};
        std::optional<WeightValues> weights;
        if (known == nullptr || !knowsChange) {
            CAIRN_TRY(weights, openWeights(stop.path));
            CAIRN_TRY(const std::vector<TensorIndex> tensors, numbersOf(*weights));
            if (tensors.empty()) {
                return fail(ErrorCode::TensorNotFound, "It does not contain a matching tensor")
                    .inFile(stop.path.string());
            }
            if (known == nullptr) {
                CAIRN_TRY(kept.sums, sumsOf(*weights->checkpoint(), tensors));
                kept.tensors = tensors.size();
            }
            if (!knowsChange) {
                CAIRN_TRY(kept.change, changeTo(*weights, tensors));
                kept.before = m_before->stamp;
            }
            if (stampOf(stop.path) != stamp) {
                return fail(ErrorCode::ChangedOnDisk, "It changed while it was being measured")
                    .inFile(stop.path.string());
            }
            m_measured.keep(stop.path, kept);
        }
        stop.fromCache = !weights;
        stop.tensors = kept.tensors;
        stop.sums = kept.sums;
        stop.change = wantsChange ? kept.change : std::nullopt;
        m_before = Before{stop.path, *stamp, std::sqrt(kept.sums.sumSquares), std::move(weights)};
        return {};
    }

    Result<WeightValues> openWeights(const fs::path& path) const {
        CAIRN_TRY(const CheckpointPtr checkpoint, openCheckpoint(path, m_options.cancel));
        return findWeightValues(checkpoint, m_options.cancel);
    }
    /// The selected tensors without the parts of quantised weights. Fails with Unsupported if some
    /// are codes that are not read as a weight.
    Result<std::vector<TensorIndex>> numbersOf(const WeightValues& weights) const {
        std::vector<TensorIndex> tensors = m_selection.of(*weights.checkpoint());
        for (const TensorIndex index : tensors) {
            CAIRN_CHECK(weights.checkNumbers(index));
        }
        std::erase_if(tensors, [&](TensorIndex index) { return !weights.isNumbers(index); });
        return tensors;
    }

    Result<ElementStatistics> sumsOf(const Checkpoint& checkpoint,
                                     std::span<const TensorIndex> tensors) const {
        StatisticsOptions options;
        options.cancel = m_options.cancel;
        options.progress = m_options.progress;
        options.threads = m_options.threads;
        CAIRN_TRY(const TensorStatistics all, measureTogether(checkpoint, tensors, options));
        return static_cast<const ElementStatistics&>(all);
    }

    /// Distance from the previous stop relative to its norm; empty if they have no comparable
    /// tensor in common.
    Result<std::optional<double>> changeTo(const WeightValues& weights,
                                           std::vector<TensorIndex> tensors) {
        if (!m_before->weights) {
            CAIRN_TRY(m_before->weights, openWeights(m_before->path));
        }
        CAIRN_TRY(std::vector<TensorIndex> before, numbersOf(*m_before->weights));
        const DiffSide left{m_before->weights->checkpoint(), std::move(before), {}};
        const DiffSide right{weights.checkpoint(), std::move(tensors), {}};
        const StructureDiff structure = structureDiff(left, right);
        DiffOptions options;
        options.cancel = m_options.cancel;
        options.progress = m_options.progress;
        options.threads = m_options.threads;
        CAIRN_TRY(const std::vector<PairDiff> pairs,
                  diffValues(*left.checkpoint, *right.checkpoint, structure.pairs, options));
        double squares = 0;
        bool any = false;
        for (const PairDiff& pair : pairs) {
            if (pair.error) {
                return *pair.error;
            }
            if (pair.compared()) {
                squares += pair.values.sumSquares;
                any = true;
            }
        }
        if (!any) {
            return std::optional<double>();
        }
        const double distance = std::sqrt(squares);
        return std::optional(distance == 0       ? 0
                             : m_before->l2 == 0 ? std::numeric_limits<double>::infinity()
                                                 : distance / m_before->l2);
    }

    const WeightRequest& m_request;
    Selection m_selection;
    MeasuredWeights& m_measured;
    const WeightTimelineOptions& m_options;
    std::optional<Before> m_before;
};

} // namespace

Result<WeightTimeline> weightTimeline(const ScannedRun& run, const WeightRequest& request,
                                      const IndexCache& cache,
                                      const WeightTimelineOptions& options) {
    CAIRN_TRY(Selection selection, Selection::make(request));
    MeasuredWeights measured(cache, run, request);
    Timeline timeline(request, std::move(selection), measured, options);
    WeightTimeline result;
    const RunSaves saves(run);
    const std::size_t total = savesOf(run);
    bool onlyMissing = true;
    for (const ScannedCheckpoint& each : run.checkpoints) {
        if (!saves.has(each)) {
            continue;
        }
        WeightStop stop;
        stop.name = each.name;
        stop.path = each.path;
        stop.step = each.step;
        stop.epoch = each.epoch;
        stop.modifiedNs = each.modifiedNs;
        if (const auto done = timeline.measure(stop, each.state); !done) {
            measured.save();
            return done.error();
        }
        onlyMissing = onlyMissing && stop.error && stop.error->code == ErrorCode::TensorNotFound;
        result.measured += stop.sums ? 1U : 0U;
        result.fromCache += stop.fromCache ? 1U : 0U;
        result.stops.push_back(std::move(stop));
        if (options.done) {
            options.done(result.stops.back(), result.stops.size(), total);
        }
    }
    measured.save();
    if (onlyMissing && total > 0) {
        return fail(ErrorCode::TensorNotFound,
                    "No checkpoint of the run contains a matching tensor")
            .inFile(run.path.string())
            .butFound(request.tensors.empty() ? Sentence("no weights")
                                              : verbatim(request.tensors.front()));
    }
    return result;
}

} // namespace cairn
