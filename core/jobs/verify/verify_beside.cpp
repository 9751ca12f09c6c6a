// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/verify/verify_beside.h"

#include "core/analysis/plain_values_diff.h"
#include "core/base/counted.h"
#include "core/io/folder.h"
#include "core/io/path_kind.h"
#include "core/jobs/record/manifest.h"
#include "core/jobs/record/model_files.h"
#include "core/model/saved_values.h"

#include <system_error>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace {

constexpr std::size_t kBesideChunk = std::size_t{1} << 20U;

bool isFolder(const Checkpoint& checkpoint) {
    return isFolderPath(checkpoint.path());
}

/// Without what a writer records about its own format ("format": "pt" of safetensors).
Value withoutMetadata(const Value& values) {
    if (values.find("__metadata__") == nullptr) {
        return values;
    }
    std::vector<ValueItem> items = values.items();
    std::erase_if(items, [](const ValueItem& item) { return keyText(item.key) == "__metadata__"; });
    return items.empty() ? Value() : Value::dict(std::move(items), values.asNode()->className);
}

/// Without what each writer of safetensors says of itself.
Value withoutFormat(const Value& values) {
    const Value* metadata = values.find("__metadata__");
    if (metadata == nullptr || metadata->find("format") == nullptr) {
        return values;
    }
    std::vector<ValueItem> texts = metadata->items();
    std::erase_if(texts, [](const ValueItem& item) { return keyText(item.key) == "format"; });
    std::vector<ValueItem> items = withoutMetadata(values).items();
    if (!texts.empty()) {
        items.push_back({Value("__metadata__"), Value::dict(std::move(texts))});
    }
    return items.empty() ? Value() : Value::dict(std::move(items), values.asNode()->className);
}

class BesideComparer {
public:
    BesideComparer(const Checkpoint& source, const Checkpoint& output, VerifyResult& result,
                   JobContext& context)
        : m_source(source), m_output(output), m_result(result), m_context(context) {}

    Result<void> run() {
        CAIRN_CHECK(compareValues());
        if (isFolder(m_source) && isFolder(m_output)) {
            return compareFiles();
        }
        m_result.notCompared.emplace_back("files beside the tensors: not both are folders");
        return {};
    }

private:
    void differs(std::string what, std::string name, Sentence message) {
        m_result.verified = false;
        if (m_result.mismatches.size() < VerifyResult::kMaxMismatches) {
            m_result.mismatches.push_back({std::move(what), std::move(name), std::move(message)});
        }
    }

    Result<Value> usableOf(const Checkpoint& checkpoint, const Sentence& side) {
        CAIRN_TRY(SavedValues saved, savedValues(checkpoint, m_context.token()));
        for (const UnusableValue& value : saved.unusable) {
            differs("value", value.path,
                    sentence("Damaged or unreadable in the %1: %2", side,
                             verbatim(describe(value.error))));
        }
        return std::move(saved.usable);
    }

    Result<void> compareValues() {
        CAIRN_TRY(Value left, usableOf(m_source, "source"));
        CAIRN_TRY(Value right, usableOf(m_output, "output"));
        left = withoutFormat(left);
        right = withoutFormat(right);
        if (m_source.format() != m_output.format()) {
            left = withoutMetadata(left);
            right = withoutMetadata(right);
        }
        CAIRN_TRY(PlainValuesDiff diff, diffPlainValues(left, right, m_context.token()));
        for (auto* list : {&diff.onlyLeft, &diff.onlyRight}) { // no values are not a value
            std::erase_if(*list, [](const ValueChange& change) { return change.key.empty(); });
        }
        for (const ValueChange& change : diff.changed) {
            differs("value", change.key,
                    sentence("%1 instead of %2", leafText(change.right), leafText(change.left)));
        }
        for (const ValueChange& change : diff.onlyLeft) {
            differs("missing", change.key, "The value is not in the output");
        }
        for (const ValueChange& change : diff.onlyRight) {
            differs("extra", change.key, "The value is not in the source");
        }
        if (diff.truncated) {
            differs("value", "", "There are too many values; not all of them were compared");
        }
        m_result.values = diff.same;
        return {};
    }

    /// Files that are not part of the checkpoint, by name. Indices of shards differ with these.
    static Result<std::set<std::string>> besideOf(const Checkpoint& checkpoint,
                                                  const ModelFolder& folder) {
        CAIRN_TRY(const std::vector<ModelFile> files, folder.list({}, true));
        std::set<std::string> names;
        for (const ModelFile& file : files) {
            names.insert(file.path);
        }
        for (const CheckpointFile& file : checkpoint.files()) {
            names.erase(file.path);
            names.erase(file.openAs);
        }
        names.erase(manifestPath(checkpoint.path()).filename().string());
        std::erase_if(names, [](const std::string& name) {
            return name.ends_with(".index.json") || name.ends_with(".sig");
        });
        return names;
    }

    Result<void> compareFiles() {
        auto left = ModelFolder::open(m_source.path());
        auto right = ModelFolder::open(m_output.path());
        auto wanted =
            left ? besideOf(m_source, *left) : Result<std::set<std::string>>(left.error());
        auto found =
            right ? besideOf(m_output, *right) : Result<std::set<std::string>>(right.error());
        if (!wanted || !found) {
            differs("file", (wanted ? m_output : m_source).path().filename().string(),
                    verbatim(describe((wanted ? found : wanted).error())));
            return {};
        }
        for (const std::string& name : *wanted) {
            if (!found->contains(name)) {
                differs("missing", name, "The file is not in the output");
                continue;
            }
            CAIRN_TRY(const auto difference, fileDifference(*left, *right, name));
            if (difference) {
                differs("file", name, *difference);
            }
            ++m_result.filesBeside;
        }
        for (const std::string& name : *found) {
            if (!wanted->contains(name)) {
                differs("extra", name, "The file is not in the source");
            }
        }
        return {};
    }

    Result<std::optional<Sentence>>
    fileDifference(const ModelFolder& left, const ModelFolder& right, const std::string& name) {
        const auto a = left.openFile(name);
        const auto b = right.openFile(name);
        if (!a || !b) {
            return std::optional(verbatim(describe((a ? b : a).error())));
        }
        const std::uint64_t size = (*a)->size();
        if ((*b)->size() != size) {
            return std::optional(sentence("%1 bytes instead of %2", (*b)->size(), size));
        }
        std::vector<std::byte> one(
            static_cast<std::size_t>(std::min<std::uint64_t>(kBesideChunk, size)));
        std::vector<std::byte> other(one.size());
        for (std::uint64_t at = 0; at < size; at += one.size()) {
            CAIRN_CHECK(m_context.proceed());
            const auto length =
                static_cast<std::size_t>(std::min<std::uint64_t>(one.size(), size - at));
            for (const auto& [file, bytes] : {std::pair(&*a, &one), std::pair(&*b, &other)}) {
                if (const auto read = (*file)->readAt(at, std::span(*bytes).first(length)); !read) {
                    return std::optional(verbatim(describe(read.error())));
                }
            }
            if (!std::ranges::equal(std::span(one).first(length), std::span(other).first(length))) {
                return std::optional(Sentence("The file contains different bytes"));
            }
        }
        return std::optional<Sentence>();
    }

    const Checkpoint& m_source;
    const Checkpoint& m_output;
    VerifyResult& m_result;
    JobContext& m_context;
};

} // namespace

Result<void> compareBeside(const Checkpoint& source, const Checkpoint& output, VerifyResult& result,
                           JobContext& context) {
    CAIRN_CHECK(BesideComparer(source, output, result, context).run());
    std::ranges::stable_sort(result.mismatches, {},
                             [](const Mismatch& m) { return std::pair(m.what, m.name); });
    return {};
}

void noteNotCompared(const Checkpoint& source, const Checkpoint& output, VerifyResult& result) {
    if (source.data().loadValues || output.data().loadValues) {
        result.notCompared.emplace_back("plain values and parameter groups: use --whole");
    }
    if (isFolder(source) && isFolder(output)) {
        result.notCompared.emplace_back("files beside the tensors: use --whole");
    }
}

} // namespace cairn
