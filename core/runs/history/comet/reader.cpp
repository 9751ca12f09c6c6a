// SPDX-License-Identifier: Apache-2.0
//
// comet_ml/offline.py: an archive of experiment.json ("offline_id") and messages.json, a line for
// each message {"type", "payload"}; comet_ml/messages.py: the payloads
//   metric     {"metricName", "metricValue", "step", "epoch"}; NaN and infinities as text
//   param      {"paramName", "paramValue", "source"}, params: the same for a list of values
//   log_other  "key", "value"; the key "Name" is that of the experiment
// Versions before 3.2 have the same payloads in messages of the type "ws_msg".
#include "core/base/endian.h"
#include "core/base/number_text.h"
#include "core/codec/json/json_value.h"
#include "core/codec/zip/zip_archive.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/file_runs.h"
#include "core/runs/history/common/json_settings.h"
#include "core/runs/history/common/line_reader.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace cairn::history::comet {
namespace {

constexpr std::string_view kEnding = ".zip";
constexpr std::string_view kMeta = "experiment.json";
constexpr std::string_view kMessages = "messages.json";
constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kIdentity = 32;
constexpr std::uint64_t kMaxMeta = std::uint64_t{1} << 20U;
constexpr std::size_t kFirstName = 30;    ///< offset of the first entry's name in a zip archive
constexpr std::size_t kNamedWithin = 200; ///< first messages, of which one is the name

/// "<32 digits>.zip" or "<32 digits>-<suffix>.zip".
bool mayBe(std::string_view name) {
    return name.ends_with(kEnding) && name.find_first_not_of(kDigits) == kIdentity &&
           (name.substr(kIdentity) == kEnding || name[kIdentity] == '-');
}

struct Archive {
    ZipArchive zip;
    const ZipEntry* messages = nullptr;
    std::string id; ///< of the experiment
};

Result<Archive> openArchive(const HistoryCandidate& candidate) {
    CAIRN_TRY(ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    CAIRN_TRY(ZipArchive zip, openZip(std::move(source)));
    const ZipEntry* meta = zip.find(kMeta);
    const ZipEntry* messages = zip.find(kMessages);
    if (meta == nullptr || messages == nullptr) {
        return fail(ErrorCode::NotACheckpoint, "Not an offline experiment of Comet")
            .inFile(candidate.path.string())
            .expecting(sentence("the entries %1 and %2", kMeta, kMessages));
    }
    CAIRN_TRY(const auto bytes, zip.readEntry(*meta, kMaxMeta));
    CAIRN_TRY(const JsonValue json, parseJson(asText(bytes), kMeta));
    const JsonValue* id = json.find("offline_id");
    const auto known = id != nullptr ? id->asString() : Result<std::string_view>(Error());
    return Archive{std::move(zip), messages,
                   std::string(known ? *known : std::string_view(candidate.name).substr(0, 32))};
}

/// A damaged archive still begins with one of its entries.
bool recognises(const HistoryCandidate& candidate) {
    if (candidate.isFolder || !mayBe(candidate.name)) {
        return false;
    }
    const std::string_view head = asText(candidate.head);
    const bool begins = head.starts_with("PK\x03\x04") &&
                        (head.find(kMeta) == kFirstName || head.find(kMessages) == kFirstName);
    return begins || openArchive(candidate).has_value();
}

/// A number, also one that is written as text; NaN: there is none.
Number numberOf(const JsonValue& object, std::string_view key) {
    const JsonValue* value = object.find(key);
    if (value == nullptr) {
        return kNothing;
    }
    if (const auto text = value->asString()) {
        return {numberOfText(*text).value_or(kNothing), restOfText(trimmedText(*text))};
    }
    return value->asNumber().value_or(kNothing);
}

class MessageReader {
public:
    MessageReader(const ByteSourcePtr& source, const CancelToken& cancel)
        : m_lines(source, cancel) {}

    /// The next message that is of interest, null at the end.
    const JsonValue* next() {
        while (m_lines.next()) {
            const std::string_view line = trimmedText(m_lines.line());
            if (line.empty() || !isWanted(line)) {
                continue;
            }
            auto json = parseJson(line, kMessages, m_options);
            const JsonValue* payload = json ? json->find("payload") : nullptr;
            if (payload == nullptr) {
                m_broken.add(m_lines.offset());
                continue;
            }
            m_message = *std::move(json);
            return &m_message;
        }
        return nullptr;
    }

    [[nodiscard]] const Result<void>& status() const { return m_lines.status(); }
    void report(std::vector<Notice>& warnings) const {
        m_broken.report(warnings, ErrorCode::HistoryBadRow,
                        "Lines that are not messages were skipped", {}, "lines");
        for (Notice& notice : m_lines.notices()) {
            warnings.push_back(std::move(notice));
        }
    }

private:
    /// Others, as printed output and graphs, may be large.
    static bool isWanted(std::string_view line) {
        return line.find("\"metric\"") != std::string_view::npos ||
               line.find("\"param") != std::string_view::npos ||
               line.find("\"log_other\"") != std::string_view::npos;
    }

    LineReader m_lines;
    JsonOptions m_options{.maxDepth = 100};
    JsonValue m_message;
    Damage m_broken;
};

/// The name in a message log_other; empty: it is another one.
std::string nameIn(const JsonValue& message) {
    const JsonValue& payload = *message.find("payload");
    const bool isName = textIn(message, "type") == "log_other" && textIn(payload, "key") == "Name";
    return isName ? textIn(payload, "value") : std::string();
}

std::string nameOf(const Archive& archive, const CancelToken& cancel) {
    const auto source = archive.zip.openEntry(*archive.messages);
    std::string name;
    if (source) {
        MessageReader messages(*source, cancel);
        for (std::size_t i = 0; i < kNamedWithin; ++i) {
            const JsonValue* message = messages.next();
            if (message == nullptr) {
                break;
            }
            const std::string own = nameIn(*message);
            name = own.empty() ? name : own;
        }
    }
    return name;
}

class ExperimentReader {
public:
    explicit ExperimentReader(const std::string& id) : m_runs({}), m_run(m_runs.add(id)) {
        m_runs.arrange(false);
    }

    Result<HistoryPart> read(const ByteSourcePtr& source, const CancelToken& cancel) {
        MessageReader messages(source, cancel);
        while (m_run != nullptr && !m_runs.full()) {
            const JsonValue* message = messages.next();
            if (message == nullptr) {
                break;
            }
            take(*message->find("payload"));
        }
        if (!messages.status() && messages.status().error().code == ErrorCode::Cancelled) {
            return messages.status().error();
        }
        HistoryPart part;
        messages.report(part.warnings);
        for (auto& [name, value] : m_params) {
            m_run->settings.push_back({Value(std::string_view(name)), std::move(value)});
        }
        m_runs.finish(part);
        return part;
    }

private:
    void take(const JsonValue& payload) {
        if (const JsonValue* metric = payload.find("metric")) {
            takeMetric(*metric, numberOf(payload, "local_timestamp").nearest);
        }
        for (const std::string_view key : {"param", "params"}) {
            const JsonValue* param = payload.find(key);
            const std::string name = param != nullptr ? textIn(*param, "paramName") : "";
            const JsonValue* value = param != nullptr ? param->find("paramValue") : nullptr;
            const bool counts =
                textIn(param != nullptr ? *param : payload, "source") == "auto-logged" &&
                name.starts_with("curr_");
            if (!name.empty() && value != nullptr && !counts) {
                m_params.insert_or_assign(name, valueOf(*value));
            }
        }
    }

    void takeMetric(const JsonValue& metric, double milliseconds) {
        const std::string name = textIn(metric, "metricName");
        const JsonValue* value = metric.find("metricValue");
        const bool isNumber = value != nullptr && (value->asReal() || numberIsText(*value));
        if (name.empty() || !isNumber) {
            return;
        }
        RowPlace place{numberOf(metric, "step"), numberOf(metric, "epoch").nearest};
        if (place.step.isNothing()) {
            const bool hasEpoch = place.epoch == place.epoch;
            place.stepFrom = hasEpoch ? StepsFrom::Epoch : StepsFrom::Count;
            place.step = hasEpoch ? Number(place.epoch) : Number(m_unplaced[name]++);
        }
        place.wall = wallTime(milliseconds).value_or(kNothing);
        m_runs.addPoint(*m_run, name, place, numberOf(metric, "metricValue"));
    }

    static bool numberIsText(const JsonValue& value) {
        const auto text = value.asString();
        return text && numberOfText(*text);
    }

    FileRuns m_runs;
    FileRuns::Run* m_run;
    std::map<std::string, Value> m_params;
    std::map<std::string, std::size_t> m_unplaced; ///< points without a step, by metric
};

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(const Archive archive, openArchive(candidate));
    CAIRN_TRY(const ByteSourcePtr messages, archive.zip.openEntry(*archive.messages));
    CAIRN_TRY(HistoryPart part, ExperimentReader(archive.id).read(messages, cancel));
    part.bytes = candidate.size;
    return part;
}

/// An archive is of one run, which the folder that contains several of them is not.
Result<std::vector<HeldRun>> runsIn(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(const Archive archive, openArchive(candidate));
    const std::string name = nameOf(archive, cancel);
    return std::vector<HeldRun>{{archive.id, name.empty() ? archive.id : name}};
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "comet",
                            .title = "Comet offline experiment",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .runsIn = runsIn,
                            .continuesOthers = false};

} // namespace cairn::history::comet
