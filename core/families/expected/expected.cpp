// SPDX-License-Identifier: Apache-2.0
#include "core/families/expected/expected.h"

#include "core/base/glob.h"
#include "core/families/config/expression.h"
#include "core/families/config/name_pattern.h"
#include "core/families/config/records.h"
#include "core/families/config/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>
#include <utility>

namespace cairn {
namespace {

std::vector<KnownModel> readModels() {
    std::vector<KnownModel> models;
    for (std::string_view record : expectedTensorRecords()) {
        if (!isComment(record)) {
            KnownModel& model = models.emplace_back();
            model.name = takeField(record, "class");
            model.type = takeField(record, "type");
            model.base = takeField(record, "base");
            model.prefix = takeField(record, "prefix");
            model.ignored = takeField(record, "ignored");
            model.text = record;
        }
    }
    return models;
}

struct Setting {
    enum class When : std::uint8_t { Absent, Null, Either };
    When when = When::Either;
    std::string field;
    Expression value;
};

struct Range {
    std::string letter;
    Expression count;
};

struct Row {
    NamePattern name;
    std::vector<Expression> shape;
    std::vector<Range> ranges;
    Expression when;
    std::optional<NamePattern> tied;
    Expression tiedIf;
    bool optional = false;
};

/// The one value of a field with which the tensors are known.
struct OnlyValue {
    std::string field;
    std::string value;
};

/// A class with all its bases.
struct Model {
    std::vector<Setting> settings;
    std::vector<Expression> required;
    std::vector<OnlyValue> only;
    std::vector<Row> rows;
};

/// Takes off the text before `mark`; all of it, if the mark is absent.
std::string_view takeUntil(std::string_view& text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at == text.npos ? text.size() : at + mark.size());
    return taken;
}

Result<std::vector<Expression>> parseList(std::string_view text) {
    std::vector<Expression> all;
    while (!text.empty()) {
        CAIRN_TRY(Expression each, Expression::parse(takeUntil(text, ", ")));
        all.push_back(std::move(each));
    }
    return all;
}

/// "optional NAME [SHAPE] for RANGES when CONDITION tied NAME if CONDITION".
Result<Row> parseRow(std::string_view line, std::string_view prefix) {
    constexpr std::string_view kOptional = "optional ";
    Row row;
    row.optional = line.starts_with(kOptional);
    line.remove_prefix(row.optional ? kOptional.size() : 0);
    std::string_view tied = line;
    line = takeUntil(tied, " tied ");
    std::string_view when = line;
    line = takeUntil(when, " when ");
    std::string_view ranges = line;
    line = takeUntil(ranges, " for ");
    row.name = NamePattern(std::string(prefix) + std::string(takeUntil(line, " [")));
    CAIRN_TRY(row.shape, parseList(takeUntil(line, "]")));
    while (!ranges.empty()) {
        std::string_view range = takeUntil(ranges, ", ");
        const std::string letter(takeUntil(range, " < "));
        CAIRN_TRY(Expression count, Expression::parse(range));
        row.ranges.push_back({letter, std::move(count)});
    }
    if (!when.empty()) {
        CAIRN_TRY(row.when, Expression::parse(when));
    }
    if (!tied.empty()) {
        row.tied = NamePattern(std::string(prefix) + std::string(takeUntil(tied, " if ")));
        if (!tied.empty()) {
            CAIRN_TRY(row.tiedIf, Expression::parse(tied));
        }
    }
    return row;
}

Result<void> parseInto(Model& model, std::string_view text, std::string_view prefix) {
    constexpr std::array<std::pair<std::string_view, Setting::When>, 3> kSettings = {
        {{"let ", Setting::When::Either},
         {"default ", Setting::When::Absent},
         {"null ", Setting::When::Null}}};
    while (!text.empty()) {
        std::string_view line = takeUntil(text, "\n");
        const auto setting = std::ranges::find_if(
            kSettings, [&](const auto& each) { return line.starts_with(each.first); });
        if (setting != kSettings.end()) {
            line.remove_prefix(setting->first.size());
            const std::string field(takeUntil(line, " = "));
            CAIRN_TRY(Expression value, Expression::parse(line));
            model.settings.push_back({setting->second, field, std::move(value)});
        } else if (line.starts_with("require ")) {
            CAIRN_TRY(Expression condition, Expression::parse(line.substr(8)));
            model.required.push_back(std::move(condition));
        } else if (line.starts_with("only ")) {
            line.remove_prefix(5);
            const std::string field(takeUntil(line, " = "));
            model.only.push_back({field, std::string(line)});
        } else if (line.starts_with("without ")) {
            std::erase_if(model.rows, [name = line.substr(8)](const Row& row) {
                return row.name.text() == name;
            });
        } else if (!line.empty()) {
            CAIRN_TRY(Row row, parseRow(line, prefix));
            model.rows.push_back(std::move(row));
        }
    }
    return {};
}

const KnownModel* findModel(std::string_view name, std::string_view type) {
    const auto models = knownModels();
    const auto found = std::ranges::find_if(models, [&](const KnownModel& each) {
        return each.name == name && (type.empty() || each.type == type);
    });
    return found == models.end() ? nullptr : &*found;
}

Result<Model> parseModel(const KnownModel& known) {
    Model model;
    if (!known.base.empty()) {
        const KnownModel* base = findModel(known.base, known.type);
        if (base == nullptr || !base->base.empty()) {
            return fail(ErrorCode::Internal, "The base of a class is unknown")
                .butFound(verbatim(std::string(known.base)));
        }
        CAIRN_CHECK(parseInto(model, base->text, known.prefix));
    }
    CAIRN_CHECK(parseInto(model, known.text, ""));
    return model;
}

/// The config with what the library takes for fields that it lacks; one may follow from another.
Result<ModelConfig> settled(const Model& model, const ModelConfig& config) {
    ModelConfig made = config;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Setting& each : model.settings) {
            const bool null = config.isNull(each.field);
            const bool applies =
                !made.has(each.field) &&
                (each.when == Setting::When::Either || (each.when == Setting::When::Null) == null);
            if (!applies) {
                continue;
            }
            const auto value = each.value.evaluate(made);
            if (value) {
                made.set(each.field, *value);
                changed = true;
            } else if (value.error().code != ErrorCode::NotFound) {
                return value.error();
            }
        }
    }
    return made;
}

/// Whether the config has another value of the field; one that lacks it has the library's default.
bool isOther(const OnlyValue& only, const ModelConfig& config) {
    if (!config.has(only.field)) {
        return config.isNull(only.field) && only.value != "null";
    }
    if (const auto text = config.text(only.field)) {
        return *text != only.value;
    }
    double wanted = 0;
    const char* end = only.value.data() + only.value.size();
    const auto [stopped, error] = std::from_chars(only.value.data(), end, wanted);
    const auto integer = config.integer(only.field);
    const auto number = integer ? static_cast<double>(*integer) : config.number(only.field);
    return error != std::errc() || stopped != end || number != wanted;
}

Result<void> checkKnown(const Model& model, const KnownModel& known, const ModelConfig& config,
                        const ModelConfig& settled) {
    const auto unsupported = [&known] {
        return fail(ErrorCode::Unsupported,
                    sentence("The config has a setting that is not supported for %1", known.name));
    };
    for (const Expression& condition : model.required) {
        CAIRN_TRY(const std::int64_t met, condition.evaluate(settled));
        if (met == 0) {
            return unsupported();
        }
    }
    for (const OnlyValue& each : model.only) {
        if (isOther(each, config)) {
            return unsupported().butFound(verbatim(each.field)).expecting(verbatim(each.value));
        }
    }
    return {};
}

/// Lists the tensors of one row.
class Lister {
public:
    Lister(ModelConfig config, std::size_t most,
           std::unordered_map<std::string, ExpectedTensors::Entry>& entries)
        : m_config(std::move(config)), m_most(most), m_entries(entries) {}

    Result<void> list(const Row& row) {
        const bool isInList = !row.ranges.empty();
        const std::string start(isInList ? row.name.start() : std::string_view());
        if (!isInList || start != m_start) {
            m_block = m_row;
            m_start = start;
        }
        ++m_row;
        m_numbers.clear();
        return each(row, 0);
    }

private:
    /// The letters from the n-th on. Shape and condition depend on the first one only.
    Result<void> each(const Row& row, std::size_t n) {
        if (n == std::min<std::size_t>(1, row.ranges.size())) {
            CAIRN_TRY(const std::int64_t applies, row.when.evaluate(m_config));
            if (applies == 0) {
                return {};
            }
            std::vector<std::int64_t> extents;
            for (const Expression& extent : row.shape) {
                CAIRN_TRY(const std::int64_t value, extent.evaluate(m_config));
                extents.push_back(value);
            }
            m_shape = Shape(std::span<const std::int64_t>(extents));
            CAIRN_TRY(const std::int64_t tied, row.tiedIf.evaluate(m_config));
            m_tied = row.tied && tied != 0;
        }
        if (n == row.ranges.size()) {
            return add(row);
        }
        CAIRN_TRY(const std::int64_t count, row.ranges[n].count.evaluate(m_config));
        m_numbers.emplace_back(row.ranges[n].letter, 0);
        for (std::int64_t i = 0; i < count; ++i) {
            m_numbers.back().second = i;
            if (n == 0) {
                m_config.set(row.ranges[n].letter, i);
            }
            CAIRN_CHECK(each(row, n + 1));
            if (++m_steps > m_most) {
                return tooMany();
            }
        }
        m_numbers.pop_back();
        return {};
    }

    Result<void> add(const Row& row) {
        if (m_entries.size() >= m_most) {
            return tooMany();
        }
        m_entries.insert_or_assign(
            row.name.name(m_numbers),
            ExpectedTensors::Entry{
                m_shape,
                m_tied ? row.tied->name(m_numbers) : std::string(),
                row.optional,
                {m_block,
                 m_numbers.empty() ? 0 : static_cast<std::size_t>(m_numbers.front().second),
                 m_row}});
        return {};
    }

    Error tooMany() const {
        return fail(ErrorCode::LimitExceeded, "The config describes too many tensors")
            .expecting(sentence("at most %1", m_most));
    }

    ModelConfig m_config;
    std::size_t m_most;
    std::size_t m_steps = 0;
    std::size_t m_row = 0;
    std::size_t m_block = 0; ///< the first of the rows with the same list of modules
    std::string m_start;     ///< what the names of these begin with
    std::unordered_map<std::string, ExpectedTensors::Entry>& m_entries;
    NameNumbers m_numbers;
    Shape m_shape;
    bool m_tied = false;
};

} // namespace

std::span<const KnownModel> knownModels() {
    static const std::vector<KnownModel> kModels = readModels();
    return kModels;
}

Result<ExpectedTensors> ExpectedTensors::of(const KnownModel& known, const ModelConfig& config,
                                            std::size_t most) {
    CAIRN_TRY(const Model model, parseModel(known));
    CAIRN_TRY(const ModelConfig fields, settled(model, config));
    CAIRN_CHECK(checkKnown(model, known, config, fields));
    ExpectedTensors made;
    Lister lister(fields, most, made.m_entries);
    for (const Row& row : model.rows) {
        CAIRN_CHECK(lister.list(row));
    }
    for (const std::string_view glob : wordsOf(known.ignored)) {
        made.m_ignored.emplace_back(glob);
    }
    return made;
}

const ExpectedTensors::Entry* ExpectedTensors::find(const std::string& name) const {
    const auto found = m_entries.find(name);
    return found == m_entries.end() ? nullptr : &found->second;
}

std::vector<std::string> ExpectedTensors::inOrder() const {
    std::vector<const std::pair<const std::string, Entry>*> all;
    for (const auto& each : m_entries) {
        all.push_back(&each);
    }
    std::ranges::sort(all, [](const auto* a, const auto* b) {
        return std::tie(a->second.order, a->first) < std::tie(b->second.order, b->first);
    });
    std::vector<std::string> names;
    for (const auto* each : all) {
        names.push_back(each->first);
    }
    return names;
}

bool ExpectedTensors::ignores(std::string_view name) const {
    return std::ranges::any_of(m_ignored, [name](const std::string& text) {
        const auto glob = Glob::parse(text);
        return glob && glob->matches(name);
    });
}

} // namespace cairn
