// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/weight_index.h"

#include "core/base/visible_text.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace cairn::formats::huggingface {
namespace {

constexpr std::size_t kMaxFiles = 100'000;
constexpr std::size_t kMaxNotices = 100;

enum class NameKind : std::uint8_t { Proper, Odd, Outside };

/// Classifies a file name: it must be normalized (no empty components, no ".") and stay inside the
/// folder.
NameKind assessName(std::string_view name) {
    if (name.starts_with('/')) {
        return NameKind::Outside;
    }
    NameKind kind = name.find('\0') == std::string_view::npos ? NameKind::Proper : NameKind::Odd;
    while (true) {
        const std::size_t slash = name.find('/');
        const std::string_view part = name.substr(0, slash);
        if (part == "..") {
            return NameKind::Outside;
        }
        if (part.empty() || part == ".") {
            kind = NameKind::Odd;
        }
        if (slash == std::string_view::npos) {
            return kind;
        }
        name.remove_prefix(slash + 1);
    }
}

Error badIndex(Sentence message, const std::string& file) {
    return fail(ErrorCode::BadIndex, std::move(message)).inFile(file);
}

/// A tensor's name in the index as its shard's reader gives it. Flax joins with "/"; TensorFlow's
/// variables begin with the model's own name, which their datasets do not have (transformers 4.57,
/// modeling_flax_utils.py and modeling_tf_utils.py, save_pretrained).
std::string nameInShard(const std::string& name, const std::string& index) {
    std::string made = name;
    if (index.find(".msgpack.index.") != std::string::npos) {
        std::ranges::replace(made, '/', '.');
    } else if (index.find(".h5.index.") != std::string::npos &&
               name.find("model.") == std::string::npos) {
        made.erase(0, name.find('/') + 1); // nothing, if there is none
    }
    return made;
}

class IndexReader {
public:
    explicit IndexReader(const std::string& file) : m_file(file) {}

    Result<WeightIndex> read(const JsonValue& json) {
        const JsonValue* map = json.find("weight_map");
        if (map == nullptr || !map->asObject()) {
            return badIndex("The index has no weight_map", m_file)
                .inField("weight_map")
                .butFound(map == nullptr ? Sentence("nothing")
                                         : fixedText(jsonKindName(map->kind())))
                .expecting("an object of tensor names and file names");
        }
        readSize(json);
        for (const JsonMember& member : map->members()) {
            CAIRN_CHECK(take(member));
        }
        if (m_index.files.empty()) {
            return badIndex("The index does not name any files", m_file).inField("weight_map");
        }
        return std::move(m_index);
    }

private:
    void note(Error error) {
        if (m_index.notices.size() < kMaxNotices) {
            m_index.notices.push_back({Severity::Error, std::move(error)});
        }
    }

    void readSize(const JsonValue& json) {
        const JsonValue* metadata = json.find("metadata");
        const JsonValue* size = metadata == nullptr ? nullptr : metadata->find("total_size");
        if (size == nullptr) {
            return;
        }
        if (const auto bytes = size->asUnsigned()) {
            m_index.totalSize = *bytes;
        } else if (const auto real = size->asReal(); real && *real >= 0 && *real < 9e15) {
            m_index.totalSize =
                static_cast<std::uint64_t>(*real); // some writers compute it with a division
        }
    }

    Result<void> take(const JsonMember& member) {
        const auto name = member.value.asString();
        if (!name) {
            note(badIndex("The index does not name a file for this tensor", m_file)
                     .inTensor(member.key));
            return {};
        }
        const NameKind kind = assessName(*name);
        if (kind == NameKind::Outside) {
            return fail(ErrorCode::OutsideFolder, "The index names a file outside its folder")
                .inFile(m_file)
                .inTensor(member.key)
                .inField("weight_map")
                .butFound(verbatim(visibleText(*name)))
                .withHint("Do not use this checkpoint: converting it would copy unrelated files");
        }
        if (kind == NameKind::Odd) {
            note(badIndex("The index contains a non-canonical file name", m_file)
                     .inTensor(member.key)
                     .butFound(verbatim(visibleText(*name))));
            return {};
        }
        const auto [place, fresh] = m_files.try_emplace(
            std::string(*name), static_cast<std::uint32_t>(m_index.files.size()));
        if (fresh) {
            if (m_index.files.size() == kMaxFiles) {
                return fail(ErrorCode::LimitExceeded, "The index names too many files")
                    .inFile(m_file);
            }
            m_index.files.emplace_back(*name);
        }
        const auto [known, first] =
            m_index.places.try_emplace(nameInShard(member.key, m_file), place->second);
        if (!first) {
            note(fail(ErrorCode::JsonDuplicateKey, "The index lists this tensor twice")
                     .inFile(m_file)
                     .inTensor(member.key));
            known->second = place->second;
        }
        return {};
    }

    const std::string& m_file;
    WeightIndex m_index;
    std::unordered_map<std::string, std::uint32_t> m_files;
};

} // namespace

Result<WeightIndex> parseWeightIndex(const JsonValue& json, const std::string& file) {
    return IndexReader(file).read(json);
}

} // namespace cairn::formats::huggingface
