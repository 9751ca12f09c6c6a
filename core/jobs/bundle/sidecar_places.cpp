// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/sidecar_places.h"

#include "core/base/absolute_path.h"
#include "core/base/endian.h"
#include "core/base/other_machine.h"
#include "core/io/path_kind.h"
#include "core/jobs/bundle/diffusers.h"
#include "core/jobs/bundle/sidecar_names.h"
#include "core/jobs/bundle/sidecars.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr int kLevels = 3; ///< of parent folders

std::optional<std::vector<std::byte>> smallFile(const Folder& folder, std::string_view name) {
    const auto source = folder.openFile(name);
    if (!source || (*source)->size() > kMaxSidecar) {
        return std::nullopt;
    }
    auto bytes = readRange(**source, {0, (*source)->size()});
    return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
}

bool describesModel(std::span<const std::byte> config) {
    const std::string_view text = asText(config);
    return text.find("\"model_type\"") != text.npos || text.find("\"architectures\"") != text.npos;
}

bool hasVocabulary(const Folder& folder) {
    return std::ranges::any_of(sidecarRows(), [&](const SidecarRow& row) {
        return row.vocabulary && row.pattern.find_first_of("*{") == row.pattern.npos &&
               folder.hasFile(row.pattern);
    });
}

class Places {
public:
    Result<void> addLike(const fs::path& path) {
        const std::string shown = path.string();
        const auto folder = Folder::open(path);
        if (!folder) {
            return fail(ErrorCode::NotFound, "The folder to take the config from cannot be opened")
                .inFile(shown)
                .butFound(folder.error().message)
                .withHint("--like names a folder with config.json and a tokenizer");
        }
        const auto config = smallFile(**folder, "config.json");
        if (!config) {
            return fail(ErrorCode::NotFound, "The folder has no readable config.json")
                .inFile(shown)
                .withHint("--like names the folder of a base model or of an earlier export");
        }
        if (!describesModel(*config) && diffusersClass(*config).empty()) {
            return fail(ErrorCode::InvalidArgument, "The config.json does not describe a model")
                .inFile((path / "config.json").string())
                .expecting("a field model_type, architectures or, of diffusers, _class_name");
        }
        m_places.push_back({*folder, path, shown, false, true});
        return {};
    }

    void addPlaces(fs::path place) {
        std::string name;
        const auto own = Folder::open(place);
        const auto config = own ? smallFile(**own, "config.json") : std::nullopt;
        if (config && !diffusersClass(*config).empty()) { // what is around it is of the pipeline
            m_places.push_back({*own, place, "the checkpoint's folder", true, false});
            return;
        }
        for (int level = 0; level <= kLevels && !place.empty(); ++level) {
            addPlace(place, name, level == 0);
            if (place == place.parent_path()) {
                return;
            }
            place = place.parent_path();
            name += name.empty() ? ".." : "/..";
        }
    }

    std::vector<SidecarPlace> take() { return std::move(m_places); }

private:
    void addPlace(const fs::path& path, const std::string& name, bool own) {
        const auto folder = Folder::open(path);
        if (!folder) {
            return;
        }
        if (own || hasModelConfig(**folder) || (*folder)->hasFile("tokenizer_config.json")) {
            m_places.push_back({*folder, path, own ? "the checkpoint's folder" : name, own, false});
        }
        for (const std::string_view inner : sidecarFolders()) {
            const auto opened = (*folder)->openFolder(inner);
            if (opened && (hasModelConfig(**opened) || hasVocabulary(**opened) ||
                           (*opened)->hasFile("tokenizer_config.json"))) {
                m_places.push_back({*opened, path / inner,
                                    name + (name.empty() ? "" : "/") + std::string(inner), false,
                                    false});
            }
        }
    }

    std::vector<SidecarPlace> m_places;
};

} // namespace

bool hasModelConfig(const Folder& folder) {
    const auto config = smallFile(folder, "config.json");
    return config && describesModel(*config);
}

Result<std::vector<SidecarPlace>> sidecarPlaces(const Checkpoint& source, const fs::path& like) {
    Places places;
    if (!like.empty()) {
        CAIRN_CHECK(places.addLike(like));
    }
    fs::path place = absolutePlace(source.path());
    if (!isFolderPath(place)) {
        place = place.parent_path();
    }
    places.addPlaces(std::move(place));
    return places.take();
}

} // namespace cairn
