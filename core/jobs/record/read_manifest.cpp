// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/record/read_manifest.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/io/folder.h"

#include <span>
#include <utility>

namespace cairn {
namespace {

constexpr std::uint64_t kMaxManifest = std::uint64_t{1} << 30U;

/// Never null. Fails if the object does not have the field.
Result<const JsonValue*> fieldOf(const JsonValue& object, std::string_view key,
                                 Sentence missing = "A field of the manifest is missing") {
    const JsonValue* value = object.find(key);
    if (value == nullptr) {
        return fail(ErrorCode::JsonWrongType, std::move(missing)).inField(std::string(key));
    }
    return value;
}

Result<std::string> textOf(const JsonValue& object, std::string_view key) {
    CAIRN_TRY(const JsonValue* value, fieldOf(object, key));
    CAIRN_TRY(const std::string_view text, value->asString());
    return std::string(text);
}

Result<std::uint64_t> numberOf(const JsonValue& object, std::string_view key) {
    CAIRN_TRY(const JsonValue* value, fieldOf(object, key));
    return value->asUnsigned();
}

Result<std::vector<WrittenFile>> filesOf(const JsonValue& output) {
    const Sentence none = "The manifest does not name any files";
    CAIRN_TRY(const JsonValue* list, fieldOf(output, "files", none));
    CAIRN_TRY(const auto items, list->asArray());
    if (items.empty()) {
        return fail(ErrorCode::JsonWrongType, none).inField("files");
    }
    std::vector<WrittenFile> files;
    for (const JsonValue& item : items) {
        WrittenFile file;
        CAIRN_TRY(file.path, textOf(item, "path"));
        CAIRN_TRY(file.bytes, numberOf(item, "bytes"));
        CAIRN_TRY(file.sha256, textOf(item, "sha256"));
        files.push_back(std::move(file));
    }
    return files;
}

Result<std::vector<WrittenTensor>> tensorsOf(const JsonValue& output) {
    CAIRN_TRY(const JsonValue* list,
              fieldOf(output, "tensors", "The manifest does not name any tensors"));
    CAIRN_TRY(const auto items, list->asArray());
    std::vector<WrittenTensor> tensors;
    for (const JsonValue& item : items) {
        WrittenTensor tensor;
        CAIRN_TRY(tensor.name, textOf(item, "name"));
        CAIRN_TRY(tensor.sourceName, textOf(item, "source_name"));
        CAIRN_TRY(tensor.dtype, textOf(item, "dtype"));
        CAIRN_TRY(tensor.file, textOf(item, "file"));
        CAIRN_TRY(tensor.offset, numberOf(item, "offset"));
        CAIRN_TRY(tensor.bytes, numberOf(item, "bytes"));
        for (const DigestKind kind : {DigestKind::Sha256, DigestKind::Xxh3}) {
            if (item.find(digestKey(kind)) != nullptr) {
                CAIRN_TRY(tensor.digest, textOf(item, digestKey(kind)));
                tensor.digestKind = kind;
                break;
            }
        }
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

/// The checkpoints in the list `key`, each with its `number`.
Result<std::vector<RecordedInput>> inputsOf(const JsonValue& root, std::string_view key,
                                            std::string_view number) {
    const JsonValue* list = root.find(key);
    std::vector<RecordedInput> inputs;
    for (const JsonValue& item :
         list != nullptr ? list->elements() : std::span<const JsonValue>()) {
        RecordedInput input;
        CAIRN_TRY(input.path, textOf(item, "path"));
        CAIRN_TRY(const JsonValue* value, fieldOf(item, number));
        CAIRN_TRY(input.number, value->asReal());
        const JsonValue* files = item.find("files");
        for (const JsonValue& each :
             files != nullptr ? files->elements() : std::span<const JsonValue>()) {
            RecordedInput::File file;
            CAIRN_TRY(file.path, textOf(each, "path"));
            CAIRN_TRY(file.bytes, numberOf(each, "bytes"));
            file.sha256 = textOf(each, "sha256").value_or("");
            input.files.push_back(std::move(file));
        }
        inputs.push_back(std::move(input));
    }
    return inputs;
}

Result<std::string> manifestBytes(const std::filesystem::path& path) {
    CAIRN_TRY(const FolderPtr folder,
              Folder::open(path.has_parent_path() ? path.parent_path() : "."));
    CAIRN_TRY(const ByteSourcePtr source, folder->openFile(path.filename().string()));
    if (source->size() > kMaxManifest) {
        return fail(ErrorCode::LimitExceeded, "The manifest is too large").inFile(path.string());
    }
    CAIRN_TRY(const auto bytes, readRange(*source, {0, source->size()}));
    return std::string(asText(bytes));
}

} // namespace

Result<Manifest> readManifest(const std::filesystem::path& path) {
    CAIRN_TRY(const std::string text, manifestBytes(path));
    CAIRN_TRY(const JsonValue root, parseJson(text, path.string()));
    CAIRN_TRY(const std::string schema, textOf(root, "schema"));
    if (schema != kManifestSchema) {
        return fail(ErrorCode::JsonWrongType, "Not a readable manifest")
            .inFile(path.string())
            .inField("schema")
            .butFound(verbatim(schema))
            .expecting(verbatim(std::string(kManifestSchema)));
    }
    const JsonValue* output = root.find("output");
    const JsonValue* source = root.find("source");
    if (output == nullptr || source == nullptr) {
        return fail(ErrorCode::JsonWrongType, "The manifest does not name its output and source")
            .inFile(path.string());
    }
    Manifest manifest;
    CAIRN_TRY(manifest.files, filesOf(*output));
    CAIRN_TRY(manifest.tensors, tensorsOf(*output));
    CAIRN_TRY(manifest.format, textOf(*output, "format"));
    CAIRN_TRY(manifest.sourcePath, textOf(*source, "path"));
    manifest.plan = textOf(root, "plan").value_or("");
    manifest.job = textOf(root, "job").value_or("");
    const JsonValue* options = root.find("options");
    for (const JsonMember& member :
         options != nullptr ? options->members() : std::span<const JsonMember>()) {
        const bool isList = member.value.kind() == JsonKind::Array;
        std::string& joined = manifest.options[member.key];
        for (const JsonValue& each :
             isList ? member.value.elements() : std::span<const JsonValue>(&member.value, 1)) {
            const auto value = each.asString();
            joined += (joined.empty() ? "" : ";") + std::string(value.value_or(""));
        }
    }
    CAIRN_TRY(manifest.averaged, inputsOf(root, "averaged", "weight"));
    CAIRN_TRY(manifest.adapters, inputsOf(root, "adapters", "scale"));
    return manifest;
}

} // namespace cairn
