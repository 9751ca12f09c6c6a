// SPDX-License-Identifier: Apache-2.0
//
// yaml-cpp states what it reads as events; values are built from them on a stack of our own. So the
// bounds are ours: the parser is stopped, by an exception that does not leave this file, as soon as
// one is met, and what is on the stack then is closed and given.
#include "core/formats/yaml_value.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_map>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

namespace cairn {
namespace {

/// Thrown through the parser to stop it.
struct Stop {
    Error error;
};

/// A finished value and its cost.
struct Built {
    Value value;
    std::size_t height = 0;   ///< levels of nested containers
    std::size_t expanded = 1; ///< number of values with aliases expanded
};

class Builder : public YAML::EventHandler {
public:
    explicit Builder(const std::string& name) : m_name(name) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t anchor) override {
        count();
        take({Value()}, anchor);
    }
    void OnAlias(const YAML::Mark&, YAML::anchor_t anchor) override {
        const auto found = m_anchors.find(anchor);
        if (found == m_anchors.end()) { // an alias inside its own anchor
            ++m_omitted;
            take({Value("*")}, YAML::NullAnchor);
            return;
        }
        const Built& built = found->second;
        if (m_frames.size() + built.height > kMaxYamlDepth ||
            m_byAliases + built.expanded > kMaxYamlValues) {
            ++m_omitted;
            take({Value("*")}, YAML::NullAnchor);
            return;
        }
        m_byAliases += built.expanded;
        take(built, YAML::NullAnchor);
    }
    void OnScalar(const YAML::Mark&, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        count();
        const bool quoted = tag == "!";
        const bool plain = tag.empty() || tag == "?";
        take({quoted  ? Value(value)
              : plain ? plainScalar(value)
                      : taggedScalar(tag, value)},
             anchor);
    }
    void OnSequenceStart(const YAML::Mark&, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        begin(FrameKind::Sequence, tag, anchor);
    }
    void OnSequenceEnd() override { end(); }
    void OnMapStart(const YAML::Mark&, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        begin(FrameKind::Map, tag, anchor);
    }
    void OnMapEnd() override { end(); }

    /// Closes the open containers.
    YamlDocument finish() {
        while (!m_frames.empty()) {
            end();
        }
        YamlDocument document{m_root.value, {}};
        if (m_omitted > 0) {
            document.notices.push_back(
                {Severity::Warning,
                 fail(ErrorCode::LimitExceeded, "Aliases that expand too far were skipped")
                     .inFile(m_name)
                     .butFound(sentence("%1 aliases", m_omitted))});
        }
        return document;
    }

private:
    enum class FrameKind : std::uint8_t { Sequence, Map };
    struct Frame {
        FrameKind kind = FrameKind::Sequence;
        std::string tag;
        YAML::anchor_t anchor = YAML::NullAnchor;
        std::vector<ValueItem> items;
        std::unordered_map<std::string, std::size_t> places; ///< positions of a map's text keys
        Value key;
        bool hasKey = false;
        std::size_t height = 1;
        std::size_t expanded = 1;
    };

    void count() {
        if (++m_count > kMaxYamlValues) {
            throw Stop{fail(ErrorCode::LimitExceeded, "More settings than the limit")
                           .inFile(m_name)
                           .expecting(sentence("at most %1", kMaxYamlValues))};
        }
    }

    void begin(FrameKind kind, const std::string& tag, YAML::anchor_t anchor) {
        count();
        if (m_frames.size() >= kMaxYamlDepth) {
            throw Stop{fail(ErrorCode::LimitExceeded, "The settings are nested too deeply")
                           .inFile(m_name)
                           .expecting(sentence("at most %1 levels", kMaxYamlDepth))};
        }
        Frame& frame = m_frames.emplace_back();
        frame.kind = kind;
        frame.tag = tag;
        frame.anchor = anchor;
    }

    void end() {
        Frame frame = std::move(m_frames.back());
        m_frames.pop_back();
        Built built{valueOf(frame), frame.height, frame.expanded};
        take(std::move(built), frame.anchor);
    }

    void take(Built built, YAML::anchor_t anchor) {
        if (anchor != YAML::NullAnchor) {
            m_anchors.insert_or_assign(anchor, built);
        }
        if (m_frames.empty()) {
            m_root = std::move(built);
            return;
        }
        Frame& frame = m_frames.back();
        frame.height = std::max(frame.height, built.height + 1);
        frame.expanded += built.expanded;
        if (frame.kind == FrameKind::Sequence) {
            frame.items.push_back({Value(), std::move(built.value)});
        } else if (!frame.hasKey) {
            frame.key = std::move(built.value);
            frame.hasKey = true;
        } else {
            frame.hasKey = false;
            addMember(frame, std::move(frame.key), std::move(built.value));
        }
    }

    /// The last of repeated keys is used; "<<" adds missing keys.
    static void addMember(Frame& frame, Value key, Value value) {
        const std::string* text = key.asString();
        if (text != nullptr && *text == "<<" && value.kind() == ValueKind::Dict) {
            merge(frame, value);
            return;
        }
        if (text != nullptr && *text == "<<" && value.kind() == ValueKind::List) {
            for (const ValueItem& each : value.items()) {
                merge(frame, each.value);
            }
            return;
        }
        if (text == nullptr) {
            frame.items.push_back({std::move(key), std::move(value)});
            return;
        }
        const auto [place, fresh] = frame.places.emplace(*text, frame.items.size());
        if (fresh) {
            frame.items.push_back({std::move(key), std::move(value)});
        } else {
            frame.items[place->second].value = std::move(value);
        }
    }

    static void merge(Frame& frame, const Value& dict) {
        for (const ValueItem& item : dict.items()) {
            const std::string* text = item.key.asString();
            if (text != nullptr && frame.places.emplace(*text, frame.items.size()).second) {
                frame.items.push_back(item);
            }
        }
    }

    static Value valueOf(Frame& frame) {
        const std::string_view className = pythonClass(frame.tag);
        if (!className.empty()) {
            return objectOf(className, frame);
        }
        if (frame.kind == FrameKind::Map && frame.tag == "tag:yaml.org,2002:set") {
            for (ValueItem& item : frame.items) {
                item = {Value(), std::move(item.key)};
            }
            return Value::container({ValueKind::Set, {}, std::move(frame.items)});
        }
        if (frame.kind == FrameKind::Map) {
            return Value::dict(std::move(frame.items));
        }
        const bool tuple = frame.tag == "tag:yaml.org,2002:python/tuple";
        return Value::container(
            {tuple ? ValueKind::Tuple : ValueKind::List, {}, std::move(frame.items)});
    }

    static Value objectOf(std::string_view className, Frame& frame) {
        if (className.starts_with("pathlib.") && frame.kind == FrameKind::Sequence) {
            std::string path;
            for (const ValueItem& item : frame.items) {
                const std::string* part = item.value.asString();
                path += path.empty() || path.ends_with('/') ? "" : "/";
                path += part != nullptr ? *part : "?";
            }
            return Value(std::move(path));
        }
        for (std::size_t i = 0; i < frame.items.size() && frame.kind == FrameKind::Sequence; ++i) {
            frame.items[i].key = Value(static_cast<std::int64_t>(i));
        }
        return Value::object(std::string(className), std::move(frame.items));
    }

    const std::string& m_name;
    std::vector<Frame> m_frames;
    std::map<YAML::anchor_t, Built> m_anchors;
    Built m_root;
    std::size_t m_count = 0;     ///< values in the document
    std::size_t m_byAliases = 0; ///< values repeated by aliases
    std::size_t m_omitted = 0;
};

} // namespace

YamlDocument parseYaml(const std::string& text, const std::string& name) {
    Builder builder(name);
    std::vector<Notice> notices;
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        parser.HandleNextDocument(builder);
    } catch (const Stop& stop) {
        notices.push_back({Severity::Warning, stop.error});
    } catch (const YAML::Exception& exception) {
        Error error = fail(ErrorCode::HistoryBadRow,
                           "The settings are invalid from here on; the preceding ones are shown")
                          .inFile(name)
                          .butFound(verbatim(exception.msg));
        if (exception.mark.pos >= 0) {
            error.where.offset = static_cast<std::uint64_t>(exception.mark.pos);
        }
        notices.push_back({Severity::Warning, std::move(error)});
    }
    YamlDocument document = builder.finish();
    document.notices.insert(document.notices.end(), notices.begin(), notices.end());
    return document;
}

} // namespace cairn
