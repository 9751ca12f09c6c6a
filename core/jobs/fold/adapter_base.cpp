// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/fold/adapter_base.h"

#include "core/base/absolute_path.h"
#include "core/families/adapters/adapter.h"
#include "core/formats/format.h"
#include "core/io/path_kind.h"
#include "core/io/remote_name.h"
#include "core/jobs/bundle/sidecars.h"
#include "core/jobs/fold/adapter_settings.h"
#include "core/jobs/names/name_conversion.h"

#include <system_error>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr int kAround = 4; ///< folders around an adapter that are searched

std::string fieldText(const Value& document, std::string_view field) {
    const Value* value = document.find(field);
    const std::string* text = value == nullptr ? nullptr : value->asString();
    return text == nullptr ? std::string() : *text;
}

class BasePlaces {
public:
    void add(const fs::path& path) {
        if (isFolderPath(path) && std::ranges::find(m_places, path) == m_places.end()) {
            m_places.push_back(path);
        }
    }

    std::vector<fs::path> take() { return std::move(m_places); }

private:
    std::vector<fs::path> m_places;
};

fs::path hubCache() {
    const auto variable = [](const char* name) {
        const char* text = std::getenv(name);
        return fs::path(text == nullptr ? "" : text);
    };
    if (const fs::path cache = variable("HF_HUB_CACHE"); !cache.empty()) {
        return cache;
    }
    if (const fs::path home = variable("HF_HOME"); !home.empty()) {
        return home / "hub";
    }
    const fs::path cache = variable("XDG_CACHE_HOME");
    const fs::path home = variable("HOME");
    return cache.empty() && home.empty()
               ? fs::path()
               : (cache.empty() ? home / ".cache" : cache) / "huggingface" / "hub";
}

/// "owner/name" in the hub's cache, at the recorded revision.
void addSnapshot(BasePlaces& places, const AdapterFacts& facts) {
    const fs::path cache = hubCache();
    const std::string& base = facts.base;
    const std::string wanted = facts.revision.empty() ? "main" : facts.revision;
    const auto isPlain = [](const std::string& name) {
        return !name.empty() && !name.starts_with('.') && name.find('/') == name.npos;
    };
    const std::size_t slash = base.find('/');
    if (cache.empty() || slash == base.npos || !isPlain(base.substr(0, slash)) ||
        !isPlain(base.substr(slash + 1)) || !isPlain(wanted)) {
        return;
    }
    const fs::path folder =
        cache / ("models--" + base.substr(0, slash) + "--" + base.substr(slash + 1));
    std::ifstream reference(folder / "refs" / wanted);
    std::string revision;
    if (!(reference >> revision) || !isPlain(revision)) {
        revision = wanted; // the name of a commit
    }
    places.add(folder / "snapshots" / revision);
}

/// A base under the names that its library publishes.
class NamedBase {
public:
    static Result<NamedBase> of(const CheckpointPtr& base, const CancelToken& cancel) {
        CAIRN_CHECK(cancel.check());
        JobRequest request;
        request.bundle = true; // under the published names
        request.only.kind = Selection::Kind::Weights;
        NamedBase named;
        CAIRN_TRY(const SidecarSearch found, findSidecars(*base));
        const auto values = base->values(cancel);
        CAIRN_TRY(const auto converted,
                  convertNames(base, request, found.files, values ? &*values : nullptr,
                               ComputedBy::Kernels));
        named.m_checkpoint = converted ? converted->checkpoint : base;
        CAIRN_TRY(const auto chosen, selectTensors(*named.m_checkpoint, request.only));
        CAIRN_TRY(named.m_names, modelNames(*named.m_checkpoint, chosen,
                                            converted || !values ? nullptr : &*values));
        named.m_config = sidecarFields(found.files, "config.json");
        return named;
    }

    [[nodiscard]] bool fits(const CheckpointPtr& adapter) const {
        const AdapterBase target{m_checkpoint, m_names, m_config ? &*m_config : nullptr};
        const auto read = readAdapter(adapter, &target);
        if (!read) {
            return true;
        }
        const auto changes = adapterChanges(*read->checkpoint, read->config, target, 1, false);
        return changes || !isOfOtherBase(changes.error());
    }

private:
    CheckpointPtr m_checkpoint;
    std::vector<NamedTensor> m_names;
    std::optional<ModelConfig> m_config;
};

} // namespace

std::optional<AdapterFacts> adapterFacts(const Checkpoint& checkpoint) {
    if (std::ranges::none_of(checkpoint.tensors(), [](const TensorEntry& tensor) {
            return isAdapterTensor(tensor.name);
        })) {
        return std::nullopt;
    }
    const Result<Value> values = checkpoint.values();
    const Value* document = values ? values->find("adapter_config") : nullptr;
    if (document == nullptr) {
        return std::nullopt;
    }
    return AdapterFacts{fieldText(*document, "peft_type"), ModelConfig::of(*document).integer("r"),
                        fieldText(*document, "base_model_name_or_path"),
                        fieldText(*document, "revision")};
}

Result<bool> adapterFits(const CheckpointPtr& adapter, const CheckpointPtr& base,
                         const CancelToken& cancel) {
    CAIRN_TRY(const NamedBase named, NamedBase::of(base, cancel));
    return named.fits(adapter);
}

Result<std::vector<NearbyAdapter>> fittingAdapters(std::vector<NearbyAdapter> adapters,
                                                   const CheckpointPtr& base,
                                                   const CancelToken& cancel) {
    if (adapters.empty()) {
        return adapters;
    }
    const auto named = NamedBase::of(base, cancel);
    if (!named) {
        return named.error().code == ErrorCode::Cancelled
                   ? Result<std::vector<NearbyAdapter>>(named.error())
                   : adapters; // folding them will tell
    }
    std::vector<NearbyAdapter> fitting;
    for (NearbyAdapter& each : adapters) {
        CAIRN_CHECK(cancel.check());
        const auto adapter = openCheckpoint(each.path);
        if (!adapter || named->fits(*adapter)) {
            fitting.push_back(std::move(each));
        }
    }
    return fitting;
}

std::vector<fs::path> adapterBasePlaces(const fs::path& adapter, const AdapterFacts& facts) {
    BasePlaces places;
    const std::string& base = facts.base;
    if (base.empty() || base.find('\0') != base.npos) {
        return {};
    }
    const auto remote = isOnOtherMachine(adapter) ? RemoteName::parse(adapter.native())
                                                  : Result<RemoteName>(Error());
    const auto there = [&](const fs::path& path) { // what the adapter records is on its machine
        return remote ? fs::path(remote->withPath(path.native())) : path;
    };
    const fs::path named(base);
    if (named.is_absolute()) {
        places.add(there(named));
    }
    const fs::path last = named.has_filename() ? named.filename() : named.parent_path().filename();
    if (last.empty() || last == "." || last == "..") {
        return places.take();
    }
    const fs::path own = remote ? fs::path(remote->path) : absolutePath(adapter);
    fs::path around = own;
    for (int level = 0; level < kAround && around.has_parent_path(); ++level) {
        if (named.is_relative()) {
            places.add(there((around / named).lexically_normal()));
        }
        if (around != own) {
            places.add(there(around / last));
        }
        if (around == around.parent_path()) {
            break;
        }
        around = around.parent_path();
    }
    addSnapshot(places, facts);
    std::vector<fs::path> found = places.take();
    std::erase(found, there(own));
    return found;
}

Result<CheckpointPtr> findAdapterBase(const CheckpointPtr& adapter, const CancelToken& cancel) {
    const auto facts = adapterFacts(*adapter);
    if (!facts) {
        return CheckpointPtr();
    }
    for (const fs::path& place : adapterBasePlaces(adapter->path(), *facts)) {
        CAIRN_CHECK(cancel.check());
        const auto base = openCheckpoint(place);
        if (!base || adapterFacts(**base)) {
            continue;
        }
        const auto fits = adapterFits(adapter, *base, cancel);
        if (!fits && fits.error().code == ErrorCode::Cancelled) {
            return fits.error();
        }
        if (fits && *fits) {
            return *base;
        }
    }
    return CheckpointPtr();
}

} // namespace cairn
