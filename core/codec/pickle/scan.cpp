// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/scan.h"

#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/codec/pickle/pickle_operands.h"
#include "core/codec/pickle/pickle_text.h"
#include "core/codec/pickle/scan_assessment.h"
#include "core/codec/pickle/scan_rules.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

// The lenient machine runs the stream; then every value is judged (scan_assessment.h), including
// values that the stream discarded and those before an error: Python would have made the calls by
// then.

namespace cairn::pickle {
namespace {

constexpr std::size_t kMaxReasons = 64;
constexpr std::size_t kMaxGlobals = 10'000;
constexpr std::size_t kMaxInnerBytes = std::size_t{64} << 20U;

class Scanner {
public:
    explicit Scanner(ScanOptions options) : m_options(options) {}
    PickleReport scan(std::span<const std::byte> bytes);

private:
    bool scanStream(std::span<const std::byte> bytes, std::uint64_t base);
    void assessBreak(const Error& error, std::uint64_t base);
    void worsen(Verdict verdict, Sentence reason);
    void assessStream(const PickleGraph& graph, std::uint64_t base);
    void assessNames(const PickleGraph& graph, std::uint64_t base);
    void assessState(const PickleGraph& graph, NodeId id);
    void assessAnomaly(const Anomaly& anomaly);
    /// Whether Python would load the bytes together with this pickle.
    enum class Nested : std::uint8_t { Loaded, NotLoaded };
    void assessBytes(const PickleGraph& graph, NodeId id, Nested nested);
    void assessLoaded(const PickleGraph& graph, NodeId id);
    void scanInner(std::span<const std::byte> bytes, Nested nested);
    ScanOptions m_options;
    PickleReport m_report;
    std::set<std::tuple<std::string, std::string, Verdict, bool>> m_seen;
};

void Scanner::worsen(Verdict verdict, Sentence reason) {
    m_report.verdict = std::max(m_report.verdict, verdict);
    if (m_report.reasons.size() < kMaxReasons &&
        std::ranges::find(m_report.reasons, reason) == m_report.reasons.end()) {
        m_report.reasons.push_back(std::move(reason));
    }
}

/// What the pickle's names, calls and states would do.
void Scanner::assessNames(const PickleGraph& graph, std::uint64_t base) {
    PickleAssessment assessment(graph);
    assessment.run();
    for (std::size_t i = 0; i < graph.globals().size(); ++i) {
        const GlobalUse& use = graph.globals()[i];
        const GlobalName name = python3Name(use.name);
        const Verdict risk = assessment.risk(i);
        const auto key =
            std::tuple(std::string(name.module), std::string(name.name), risk, use.called);
        if (m_report.globals.size() < kMaxGlobals && m_seen.insert(key).second) {
            m_report.globals.push_back({std::string(name.module), std::string(name.name), risk,
                                        use.called, base + use.offset, use.opcode, false});
        }
    }
    for (const PickleAssessment::Finding& finding : assessment.findings()) {
        worsen(finding.verdict, finding.reason);
    }
    for (const NodeId id : assessment.loaded()) {
        assessLoaded(graph, id);
    }
}

/// BUILD copies a dict's entries to the instance, where Python then finds __setstate__ and calls
/// it. Pydantic's states contain the instance's whole __dict__.
void Scanner::assessState(const PickleGraph& graph, NodeId id) {
    constexpr std::size_t kMaxDicts = 64;
    for (const NodeId state : graph.states(id)) {
        std::vector<NodeId> dicts{state};
        for (const NodeId part : graph.items(state)) {
            dicts.push_back(part);
        }
        const std::size_t most = dicts.size() + kMaxDicts;
        for (std::size_t i = 0; i < dicts.size(); ++i) {
            for (const auto& [key, value] : graph.pairs(dicts[i])) {
                const std::string_view name = graph.text(key);
                const NodeKind kind = graph.kind(value);
                if (name == "__dict__" && kind == NodeKind::Dict && dicts.size() < most) {
                    dicts.push_back(value);
                    continue;
                }
                const bool method = name == "append" || name == "extend" || name == "add";
                if (name.starts_with("__set") || name == "__class__" || name == "__reduce__" ||
                    name == "__dict__" ||
                    (method && (kind == NodeKind::Global || kind == NodeKind::Object))) {
                    worsen(Verdict::WouldRunCode,
                           sentence("A state replaces the instance's attribute %1",
                                    visibleText(name)));
                }
            }
        }
    }
}

void Scanner::assessAnomaly(const Anomaly& anomaly) {
    const Sentence at = sentence(" (offset %1)", anomaly.offset);
    switch (anomaly.kind) {
    case AnomalyKind::FrameTooShort:
        worsen(Verdict::Ambiguous, sentence("An opcode extends beyond its frame%1", at));
        break;
    case AnomalyKind::FrameNested:
        worsen(Verdict::Ambiguous, sentence("A frame begins inside another frame%1", at));
        break;
    case AnomalyKind::FrameBeyondEnd:
        worsen(Verdict::Ambiguous, sentence("A frame is longer than the pickle%1", at));
        break;
    case AnomalyKind::BuildOnNonObject:
        worsen(Verdict::WouldRunCode, sentence("The pickle modifies a class or function%1", at));
        break;
    case AnomalyKind::ComputedName:
        worsen(Verdict::WouldRunCode, sentence("The name of a global is computed%1", at));
        break;
    case AnomalyKind::BadArguments:
    case AnomalyKind::ItemsOnNonContainer:
    case AnomalyKind::UnhashableKey:
    case AnomalyKind::BadText:
    case AnomalyKind::HugeNumber:
        worsen(Verdict::Malformed,
               sentence("Whether Python would stop here depends on its version%1", at));
        break;
    case AnomalyKind::MemoOverwritten:
    case AnomalyKind::LeftOnStack:
    case AnomalyKind::OpcodeOfLaterProtocol:
    case AnomalyKind::ProtocolRepeated:
    case AnomalyKind::ComputedCallable: // judged with the object that it made
        break;
    }
}

/// Bytes that contain a pickle.
void Scanner::assessBytes(const PickleGraph& graph, NodeId id, Nested nested) {
    const bool loaded = nested == Nested::Loaded;
    const std::span<const std::byte> bytes = graph.bytes(id);
    const auto byteAt = [&](std::size_t i) { return std::to_integer<unsigned>(bytes[i]); };
    const bool stream = bytes.size() > 3 && byteAt(0) == 0x80 && byteAt(1) >= 2 && byteAt(1) <= 5;
    if (!loaded && !stream) {
        return;
    }
    if (!m_options.contentOf) {
        scanInner(bytes, nested);
        return;
    }
    if (bytes.size() > kMaxInnerBytes) {
        worsen(loaded ? Verdict::NotExamined : Verdict::Inert,
               "A byte string inside the pickle is too large to be examined");
        return;
    }
    const auto content = m_options.contentOf(bytes);
    if (!content) {
        worsen(Verdict::NotExamined, content.error().message);
        return;
    }
    scanInner(*content, nested);
}

/// The argument of a function that unpickles it.
void Scanner::assessLoaded(const PickleGraph& graph, NodeId id) {
    const NodeKind kind = graph.kind(id);
    if (kind == NodeKind::Bytes || kind == NodeKind::ByteArray) {
        assessBytes(graph, id, Nested::Loaded);
        return;
    }
    // Protocols 0 to 2 write bytes as text and a codec.
    const auto args = graph.items(graph.args(id));
    if (graph.isCallOf(id, {"_codecs", "encode"}) && args.size() > 1 &&
        (graph.text(args[1]) == "latin1" || graph.text(args[1]) == "latin-1")) {
        if (const auto decoded = latin1Bytes(graph.text(args[0]))) {
            scanInner(asBytes(*decoded), Nested::Loaded);
            return;
        }
    }
    worsen(Verdict::WouldRunCode, "Python would load a nested pickle that this one computes");
}

void Scanner::scanInner(std::span<const std::byte> bytes, Nested nested) {
    const bool loaded = nested == Nested::Loaded;
    if (loaded && asText(bytes).starts_with("PK\x03\x04")) {
        m_report.archives.push_back({{bytes.begin(), bytes.end()}, 0});
        return;
    }
    if (!loaded && (bytes.empty() || bytes.back() != std::byte{'.'})) {
        return;
    }
    if (m_options.maxNesting == 0) {
        worsen(Verdict::NotExamined, "Pickles are nested too deeply inside each other");
        return;
    }
    ScanOptions options = m_options;
    --options.maxNesting;
    options.contentOf = nullptr;
    options.maybe = false;
    options.follow = true;
    PickleReport inner = scanPickle(bytes, options);
    for (ScannedGlobal& global : inner.globals) {
        global.nested = true;
    }
    if (!loaded && inner.verdict == Verdict::Malformed) {
        return; // bytes that only begin like a pickle
    }
    inner.streams = 0;
    inner.consumed = 0;
    mergeReport(m_report, std::move(inner));
}

void Scanner::assessStream(const PickleGraph& graph, std::uint64_t base) {
    assessNames(graph, base);
    for (std::size_t i = 0; i < graph.storedNodes(); ++i) {
        const NodeId id{static_cast<std::uint32_t>(i)};
        const NodeKind kind = graph.kind(id);
        if (kind == NodeKind::Object) {
            assessState(graph, id);
        } else if (kind == NodeKind::Bytes || kind == NodeKind::ByteArray) {
            assessBytes(graph, id, Nested::NotLoaded);
        }
    }
    for (const Anomaly& anomaly : graph.anomalies()) {
        assessAnomaly(anomaly);
    }
}

/// Whether the part before an error would have had an effect: text that happens to contain opcodes
/// is not a pickle.
bool wouldHaveCalled(const PickleGraph& graph) {
    return std::ranges::any_of(graph.globals(), [](const GlobalUse& use) {
        return (use.called && isImportable(use.name)) || runsOnImport(python3Name(use.name));
    });
}

/// Begins with PROTO and another opcode.
bool beginsAsPickle(std::span<const std::byte> bytes) {
    return bytes.size() >= 3 && bytes[0] == std::byte{0x80} &&
           std::to_integer<unsigned>(bytes[1]) <= 5 &&
           operandsOf(std::to_integer<std::uint8_t>(bytes[2])).has_value();
}

/// True if the stream reached its STOP.
bool Scanner::scanStream(std::span<const std::byte> bytes, std::uint64_t base) {
    const PickleRun run = runPickle(bytes, m_options.limits);
    const bool first = m_report.streams == 0;
    if (run.error && (!first || m_options.maybe) && !wouldHaveCalled(run.graph)) {
        const bool unread = run.error->code == ErrorCode::LimitExceeded;
        if (first && (beginsAsPickle(bytes) || unread)) {
            m_report.streams += beginsAsPickle(bytes) ? 1U : 0U;
            assessBreak(*run.error, base);
        }
        return false; // data after a stream need not be a stream
    }
    if (!first && run.graph.globals().empty() && !run.graph.anomalies().empty()) {
        return false; // numbers after a pickle that happen to contain a STOP
    }
    ++m_report.streams;
    assessStream(run.graph, base);
    const auto shortFrame = [](const Anomaly& anomaly) {
        return anomaly.kind == AnomalyKind::FrameTooShort ||
               anomaly.kind == AnomalyKind::FrameNested;
    };
    if (std::ranges::any_of(run.graph.anomalies(), shortFrame)) {
        PickleLimits limits = m_options.limits;
        limits.dropAtFrameEnd = true;
        assessStream(runPickle(bytes, limits).graph, base); // the other interpretation
    }
    for (const std::uint64_t begin : run.graph.inlinePickles()) {
        ScanOptions options = m_options;
        options.follow = false;
        options.maybe = false;
        PickleReport inner = scanPickle(bytes.subspan(static_cast<std::size_t>(begin)), options);
        for (ScannedGlobal& global : inner.globals) {
            global.offset += global.nested ? 0 : base + begin;
        }
        inner.streams = 0;
        inner.consumed = 0;
        mergeReport(m_report, std::move(inner));
    }
    if (run.error) {
        assessBreak(*run.error, base);
        return false;
    }
    m_report.consumed = base + run.graph.consumed();
    return true;
}

void Scanner::assessBreak(const Error& error, std::uint64_t base) {
    const bool unread = error.code == ErrorCode::LimitExceeded ||
                        error.code == ErrorCode::OutOfMemory ||
                        error.code == ErrorCode::Unsupported;
    worsen(unread ? Verdict::NotExamined : Verdict::Malformed,
           sentence("%1 (offset %2)", error.message, base + error.where.offset.value_or(0)));
}

PickleReport Scanner::scan(std::span<const std::byte> bytes) {
    std::uint64_t at = 0;
    while (scanStream(bytes.subspan(static_cast<std::size_t>(at)), at) && m_options.follow &&
           m_report.consumed < bytes.size()) {
        at = m_report.consumed;
    }
    if (m_options.follow && m_report.streams > 0 && m_report.consumed > 0 &&
        m_report.consumed < bytes.size() && m_report.verdict != Verdict::WouldRunCode) {
        const std::uint64_t begin = m_report.consumed;
        PickleReport later =
            searchPickles(bytes.subspan(static_cast<std::size_t>(begin)), m_options);
        for (ScannedGlobal& global : later.globals) {
            global.offset += global.nested ? 0 : begin;
        }
        later.consumed = 0;
        mergeReport(m_report, std::move(later));
    }
    return std::move(m_report);
}

} // namespace

PickleReport scanPickle(std::span<const std::byte> bytes, ScanOptions options) {
    options.limits.lenient = true;
    return Scanner(options).scan(bytes);
}

void mergeReport(PickleReport& report, PickleReport other) {
    report.verdict = std::max(report.verdict, other.verdict);
    report.streams += other.streams;
    report.consumed += other.consumed;
    const auto move = [](auto& from, auto& to, std::size_t limit) {
        for (auto& item : from) {
            if (to.size() < limit) {
                to.push_back(std::move(item));
            }
        }
    };
    move(other.globals, report.globals, kMaxGlobals);
    move(other.reasons, report.reasons, kMaxReasons);
    move(other.archives, report.archives, kMaxReasons);
}

} // namespace cairn::pickle
