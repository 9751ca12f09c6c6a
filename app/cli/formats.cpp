// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_writer.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "core/formats/format.h"

namespace cairn::cli::verb_formats {
namespace {

/// Whether a layout can write the format, or `pack`, whose sizes are known only while writing.
bool isWritten(const FormatInfo& format) {
    return format.layout != nullptr || format.isPacked;
}

void writeJson(Session& session) {
    JsonDocument document(session.out);
    document->key("formats");
    document->beginArray();
    for (const FormatInfo* format : builtinFormats()) {
        document->beginObject();
        document->member("id", format->id);
        document->member("title", format->title);
        document->member("read", true);
        document->member("write", isWritten(*format));
        document->key("globs");
        document->beginArray();
        for (const std::string_view glob : format->globs) {
            document->string(glob);
        }
        document->endArray();
        document->endObject();
    }
    document->endArray();
    document.finish();
}

Result<int> run(const Arguments&, Session& session) {
    if (session.json) {
        writeJson(session);
        return kExitOk;
    }
    TextTable table({{"FORMAT"}, {"TITLE"}, {"WRITES"}, {"FILES"}});
    for (const FormatInfo* format : builtinFormats()) {
        std::string globs;
        for (const std::string_view glob : format->globs) {
            globs += (globs.empty() ? "" : " ") + std::string(glob);
        }
        table.add({std::string(format->id), std::string(format->title),
                   isWritten(*format) ? "yes" : "no", globs});
    }
    table.print(session);
    return kExitOk;
}

} // namespace

extern const Verb kVerb;
const Verb kVerb{"formats",
                 "List the formats that can be read and written",
                 {},
                 {},
                 {"cairn-cli formats", "cairn-cli formats --json", "cairn-cli formats -q"},
                 run,
                 {},
                 Work::Here};

} // namespace cairn::cli::verb_formats
