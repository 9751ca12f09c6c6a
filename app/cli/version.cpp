// SPDX-License-Identifier: Apache-2.0
#include "app/cli/version.h"

#include "app/cli/json_writer.h"

#if __has_include("core/compute/torch_module.h")
#include "core/compute/torch_module.h"
#endif

#include <string>

namespace cairn::cli {

void printVersion(Session& session) {
    if (!session.json) {
        session.out.line("cairn-cli " CAIRN_VERSION);
        return;
    }
    JsonDocument document(session.out);
    document->member("version", CAIRN_VERSION);
    document->key("libtorch");
    document->null();
    document.finish();
}

} // namespace cairn::cli
