// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/record/provenance.h"

#include "core/base/endian.h"
#include "core/io/hash.h"
#include "core/jobs/record/layout_digest.h"
#include "core/jobs/record/model_origin.h"
#include "core/jobs/record/published_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

/// Sources: https://slsa.dev/spec/v1.0/provenance, https://in-toto.io/Statement/v1,
/// https://cyclonedx.org/docs/1.6/json/.
namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Each source file once, as "<checkpoint>/<file>".
Json materialsJson(const CopyPlan& plan, const SourceDigests& digests) {
    std::vector<std::pair<std::string, Json>> rows;
    for (const auto& [checkpoint, own] : digests) {
        const std::string place = sourceName(plan, *checkpoint);
        for (std::size_t i = 0; i < own.size(); ++i) {
            const CheckpointFile& file = checkpoint->files()[i];
            if (own[i].empty()) {
                continue;
            }
            const bool single = own.size() == 1 && place.ends_with(file.path);
            std::string name = single ? place : place + "/" + file.path;
            Json row = {{"name", name},
                        {"digest", {{"sha256", own[i]}}},
                        {"annotations", {{"bytes", file.identity.size}}}};
            rows.emplace_back(std::move(name), std::move(row));
        }
    }
    std::ranges::sort(rows, {}, [](const auto& row) { return row.first; });
    Json materials = Json::array();
    for (auto& [name, row] : rows) {
        materials.push_back(std::move(row));
    }
    return materials;
}

/// A UUID (RFC 9562, version 8) of a hexadecimal digest.
std::string uuidOf(std::string digest) {
    digest.resize(32, '0');
    digest[12] = '8';
    digest[16] = "89ab"[static_cast<std::size_t>(digest[16]) % 4];
    return "urn:uuid:" + digest.substr(0, 8) + "-" + digest.substr(8, 4) + "-" +
           digest.substr(12, 4) + "-" + digest.substr(16, 4) + "-" + digest.substr(20, 12);
}

/// SPDX's identifiers of licences that the Hub writes in lower case.
std::string spdxId(std::string_view licence) {
    static constexpr auto kIds = std::to_array<std::pair<std::string_view, std::string_view>>(
        {{"apache-2.0", "Apache-2.0"},
         {"mit", "MIT"},
         {"bsd-3-clause", "BSD-3-Clause"},
         {"bsd-2-clause", "BSD-2-Clause"},
         {"gpl-3.0", "GPL-3.0-only"},
         {"cc-by-4.0", "CC-BY-4.0"},
         {"cc-by-sa-4.0", "CC-BY-SA-4.0"},
         {"cc-by-nc-4.0", "CC-BY-NC-4.0"},
         {"cc0-1.0", "CC0-1.0"}});
    const auto found =
        std::ranges::find(kIds, licence, &std::pair<std::string_view, std::string_view>::first);
    return found != kIds.end() ? std::string(found->second) : std::string();
}

Json licencesJson(const ModelOrigin& origin) {
    if (origin.licence.empty()) {
        return Json::array();
    }
    const std::string id = spdxId(origin.licence);
    return Json::array(
        {{{"license", {{id.empty() ? "name" : "id", id.empty() ? origin.licence : id}}}}});
}

Json modelCardJson(const ModelOrigin& origin) {
    Json parameters = Json::object();
    if (!origin.modelType.empty()) {
        parameters["architectureFamily"] = origin.modelType;
    }
    if (!origin.architecture.empty()) {
        parameters["modelArchitecture"] = origin.architecture;
    }
    return {{"modelParameters", std::move(parameters)}};
}

Json modelJson(const CopyPlan& plan, const JobReport& report) {
    const ModelOrigin origin = modelOrigin(plan);
    Json files = Json::array();
    for (const WrittenFile& file : report.files) {
        Json row = {{"type", "file"}, {"bom-ref", "file:" + file.path}, {"name", file.path}};
        if (!file.sha256.empty()) {
            row["hashes"] = Json::array({{{"alg", "SHA-256"}, {"content", file.sha256}}});
        }
        files.push_back(std::move(row));
    }
    Json model = {{"type", "machine-learning-model"},
                  {"bom-ref", "model"},
                  {"name", plan.output.filename().string()}};
    if (Json licences = licencesJson(origin); !licences.empty()) {
        model["licenses"] = std::move(licences);
    }
    if (!origin.baseModels.empty()) {
        Json ancestors = Json::array();
        for (const std::string& base : origin.baseModels) {
            ancestors.push_back({{"type", "machine-learning-model"}, {"name", base}});
        }
        model["pedigree"] = {{"ancestors", std::move(ancestors)}};
    }
    model["components"] = std::move(files);
    model["modelCard"] = modelCardJson(origin);
    return model;
}

} // namespace

std::string provenanceText(const CopyPlan& plan, const JobReport& report,
                           const SourceDigests& digests) {
    Json subjects = Json::array();
    for (const WrittenFile& file : report.files) {
        subjects.push_back({{"name", file.path}, {"digest", {{"sha256", file.sha256}}}});
    }
    Json decisions = Json::array();
    for (const PlanDecision& decision : plan.decisions) {
        decisions.push_back({{"what", decision.what().text()},
                             {"value", publishedText(plan, decision.value)},
                             {"why", publishedText(plan, decision.why)}});
    }
    const Json definition = {
        {"buildType", "urn:cairn:job:" + plan.job + ":1"},
        {"externalParameters",
         {{"job", plan.job},
          {"source", sourceName(plan, *plan.source)},
          {"format", plan.format},
          {"options", publishedOptions(plan)}}},
        {"internalParameters",
         {{"sourceFormat", plan.source->format()}, {"decisions", std::move(decisions)}}},
        {"resolvedDependencies", materialsJson(plan, digests)}};
    const Json details = {
        {"builder", {{"id", "urn:cairn:cairn-cli"}, {"version", {{"cairn", CAIRN_VERSION}}}}},
        {"metadata", {{"invocationId", layoutDigest(plan)}}}};
    return dumped({{"_type", "https://in-toto.io/Statement/v1"},
                   {"subject", std::move(subjects)},
                   {"predicateType", "https://slsa.dev/provenance/v1"},
                   {"predicate", {{"buildDefinition", definition}, {"runDetails", details}}}});
}

std::string bomText(const CopyPlan& plan, const JobReport& report) {
    Sha256 identity;
    identity.add(asBytes(layoutDigest(plan)));
    for (const WrittenFile& file : report.files) {
        identity.add(asBytes(file.sha256));
    }
    const Json tool = {{"type", "application"}, {"name", "cairn"}, {"version", CAIRN_VERSION}};
    const Json tools = {{"components", Json::array({tool})}};
    return dumped({{"$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json"},
                   {"bomFormat", "CycloneDX"},
                   {"specVersion", "1.6"},
                   {"serialNumber", uuidOf(hexText(identity.finish()))},
                   {"version", 1},
                   {"metadata", {{"tools", tools}, {"component", modelJson(plan, report)}}}});
}

} // namespace cairn
