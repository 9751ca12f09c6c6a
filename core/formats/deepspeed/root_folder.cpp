// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/save_series.h"
#include "core/formats/deepspeed/file_names.h"
#include "core/formats/deepspeed/folder_reader.h"
#include "core/formats/deepspeed/tag_folder.h"

namespace cairn::formats::deepspeed {

Result<CheckpointPtr> readTagFolder(const OpenRequest& request) {
    return TagFolder(request).read();
}

Result<CheckpointPtr> readRootFolder(const OpenRequest& request) {
    constexpr SaveSeries kSeries{
        .pointer = "latest",
        .second = "latest_universal",
        .stepOf = stepOfTag,
        .folderOf = nullptr,
        .expected = "a folder with *_model_states.pt or *_optim_states.pt",
        .newerHint =
            "DeepSpeed writes latest after all ranks have saved; this save may be incomplete",
        .isSave = isOwnSave};
    return readNewestSave(request, kSeries);
}

} // namespace cairn::formats::deepspeed
