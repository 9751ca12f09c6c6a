// SPDX-License-Identifier: Apache-2.0
#include "app/cli/version.h"

#include "app/cli/json_writer.h"
#include "core/compute/torch_module.h"

namespace cairn::cli {

void printVersion(Session& session) {
    if (!session.json) {
        session.out.line("cairn-cli " CAIRN_VERSION);
        return;
    }
    JsonDocument document(session.out);
    document->member("version", CAIRN_VERSION);
    document->key("libtorch");
    if (const auto torch = openTorchModule()) {
        document->beginObject();
        document->member("version", torch->torchVersion);
        document->member("device", torch->device);
        document->member("cuda_devices", torch->cudaDevices);
        document->endObject();
    } else {
        document->null();
    }
    document.finish();
}

} // namespace cairn::cli
