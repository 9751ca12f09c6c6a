// SPDX-License-Identifier: Apache-2.0
//
// Files of the real writers, held value for value to what their own readers read (the .oracle
// beside each; tests/interop/histories_binary.py tells its lines).
#include "core/base/number_text.h"
#include "tests/core/history_binary/fixture.h"

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

namespace cairn::history_test {
namespace {

struct Point {
    double step = 0;
    double value = 0;
    double wall = 0;
};

struct Oracle {
    fs::path file;
    std::map<std::string, std::vector<Point>> curves;
    std::map<std::string, std::string> settings; ///< JSON by dotted key
};

std::vector<std::string> fieldsOf(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');) {
        fields.push_back(field);
    }
    return fields;
}

Oracle readOracle(const fs::path& path) {
    Oracle oracle;
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);) {
        const auto fields = fieldsOf(line);
        if (fields.at(0) == "file") {
            oracle.file = path.parent_path() / fields.at(1);
        } else if (fields.at(0) == "point") {
            oracle.curves[fields.at(1)].push_back({std::strtod(fields.at(2).c_str(), nullptr),
                                                   std::strtod(fields.at(3).c_str(), nullptr),
                                                   std::strtod(fields.at(4).c_str(), nullptr)});
        } else {
            oracle.settings[fields.at(1)] = fields.at(2);
        }
    }
    return oracle;
}

bool same(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
           (std::isnan(a) && std::isnan(b));
}

std::string jsonOf(const Value& value) {
    if (const auto* text = value.asString()) {
        std::string escaped;
        for (const char c : *text) {
            escaped += c == '\n' ? "\\n" : std::string(1, c);
        }
        return '"' + escaped + '"';
    }
    if (const auto* flag = value.asBool()) {
        return *flag ? "true" : "false";
    }
    if (const auto* number = value.asInt()) {
        return std::to_string(*number);
    }
    if (const auto* number = value.asFloat()) {
        std::array<char, 64> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *number).ptr;
        const std::string text(digits.data(), end);
        return text + (text.find_first_of(".en") == std::string::npos ? ".0" : "");
    }
    if (value.kind() == ValueKind::List) {
        std::string text = "[";
        for (const ValueItem& item : value.items()) {
            text += (text.size() > 1 ? ", " : "") + jsonOf(item.value);
        }
        return text + "]";
    }
    return "null";
}

void flatten(const Value& value, const std::string& name, std::map<std::string, std::string>& out) {
    if (value.kind() != ValueKind::Dict || value.items().empty()) {
        out[name] = jsonOf(value);
        return;
    }
    for (const ValueItem& item : value.items()) {
        flatten(item.value, name.empty() ? keyText(item.key) : name + "." + keyText(item.key), out);
    }
}

class Golden : public testing::TestWithParam<std::tuple<const HistoryReader*, const char*>> {};

TEST_P(Golden, IsReadAsItsOwnReaderReadsIt) {
    const auto& [reader, name] = GetParam();
    const Oracle oracle = readOracle(fs::path(CAIRN_TEST_DATA) / (std::string(name) + ".oracle"));
    const auto part = readWith(*reader, oracle.file);
    ASSERT_TRUE(part) << describe(part.error());
    ASSERT_FALSE(oracle.curves.empty());

    std::string names;
    std::string wanted;
    for (const MetricSeries& series : part->series) {
        names += series.name + "\n";
    }
    for (const auto& [curve, points] : oracle.curves) {
        const MetricSeries* series = find(*part, curve);
        ASSERT_NE(series, nullptr) << curve << " is missing in\n" << names;
        ASSERT_EQ(series->size(), points.size()) << curve;
        ASSERT_EQ(series->steps.size(), points.size()) << curve;
        const bool hasTimes =
            std::ranges::any_of(points, [](const Point& point) { return !std::isnan(point.wall); });
        ASSERT_TRUE(series->wall.size() == points.size() || (!hasTimes && series->wall.empty()))
            << curve;
        for (std::size_t i = 0; i < points.size(); ++i) {
            EXPECT_EQ(series->steps[i], points[i].step) << curve << " " << i;
            EXPECT_TRUE(same(series->values[i], points[i].value))
                << curve << " " << i << ": " << series->values[i] << " for " << points[i].value;
            EXPECT_TRUE(!hasTimes || same(series->wall[i], points[i].wall)) << curve << " " << i;
        }
    }
    EXPECT_EQ(part->series.size(), oracle.curves.size()) << names;

    std::map<std::string, std::string> settings;
    if (part->settings.kind() != ValueKind::Null) {
        flatten(part->settings, "", settings);
    }
    ASSERT_EQ(settings.size(), oracle.settings.size());
    for (const auto& [key, text] : oracle.settings) {
        const std::string& own = settings[key];
        const std::optional<double> number = numberOfText(text);
        EXPECT_TRUE(own == text || (number && numberOfText(own) == number))
            << key << ": " << own << " for " << text;
    }
    for (const Notice& notice : part->warnings) {
        EXPECT_EQ(notice.severity, Severity::Info) << describe(notice.error);
    }
    EXPECT_GT(part->bytes, 0U);
}

std::string nameOf(const testing::TestParamInfo<Golden::ParamType>& info) {
    const std::string path = std::get<1>(info.param);
    return path.substr(path.find('/') + 1);
}

INSTANTIATE_TEST_SUITE_P(TensorBoard, Golden,
                         testing::Combine(testing::Values(&history::tensorboard::kReader),
                                          testing::Values("tensorboard/tensorboard_torch",
                                                          "tensorboard/tensorboard_torch_tensors",
                                                          "tensorboard/tensorboard_torch_hparams",
                                                          "tensorboard/tensorboard_tf1",
                                                          "tensorboard/tensorboard_tf2",
                                                          "tensorboard/tensorboard_dtypes")),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Wandb, Golden,
                         testing::Combine(testing::Values(&history::wandb::kReader),
                                          testing::Values("wandb/wandb_plain",
                                                          "wandb/wandb_blocks")),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(MlflowFolder, Golden,
                         testing::Combine(testing::Values(&history::mlflow::kReader),
                                          testing::Values("mlflow/mlflow_folder")),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(MlflowDatabase, Golden,
                         testing::Combine(testing::Values(&history::mlflow_db::kReader),
                                          testing::Values("mlflow/mlflow_database",
                                                          "mlflow/mlflow_database_runs")),
                         nameOf);

INSTANTIATE_TEST_SUITE_P(RayTune, Golden,
                         testing::Combine(testing::Values(&history::ray_tune::kReader),
                                          testing::Values("ray_tune/trial_plain",
                                                          "ray_tune/trial_restored")),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(StableBaselines3, Golden,
                         testing::Combine(testing::Values(&history::stable_baselines3::kReader),
                                          testing::Values("stable_baselines3/evaluations",
                                                          "stable_baselines3/monitor0",
                                                          "stable_baselines3/monitor1")),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Optuna, Golden,
                         testing::Combine(testing::Values(&history::optuna::kReader),
                                          testing::Values("optuna/storage", "optuna/journal")),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Trackio, Golden,
                         testing::Combine(testing::Values(&history::trackio::kReader),
                                          testing::Values("trackio/project")),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Dvclive, Golden,
                         testing::Combine(testing::Values(&history::dvclive::kReader),
                                          testing::Values("dvclive/live")),
                         nameOf);

INSTANTIATE_TEST_SUITE_P(Swanlab, Golden,
                         testing::Combine(testing::Values(&history::swanlab::kReader),
                                          testing::Values("swanlab/calls", "swanlab/steps")),
                         nameOf);

INSTANTIATE_TEST_SUITE_P(RayTable, Golden,
                         testing::Combine(testing::Values(&history::ray_tune::kReader),
                                          testing::Values("ray_table/trial_table")),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Clearml, Golden,
                         testing::Combine(testing::Values(&history::clearml::kReader),
                                          testing::Values("clearml/session", "clearml/archived")),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Neptune, Golden,
                         testing::Combine(testing::Values(&history::neptune::kReader),
                                          testing::Values("neptune/run")),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Comet, Golden,
                         testing::Combine(testing::Values(&history::comet::kReader),
                                          testing::Values("comet/experiment")),
                         nameOf);

/// A reader accepts its own files and no others.
TEST(Recognising, IsExact) {
    const std::array readers{&history::tensorboard::kReader, &history::wandb::kReader,
                             &history::mlflow::kReader,      &history::mlflow_db::kReader,
                             &history::optuna::kReader,      &history::trackio::kReader,
                             &history::ray_tune::kReader,    &history::stable_baselines3::kReader,
                             &history::dvclive::kReader,     &history::swanlab::kReader,
                             &history::clearml::kReader,     &history::comet::kReader,
                             &history::neptune::kReader};
    const std::map<std::string, std::string_view> owners{
        {"tensorboard/tensorboard_tf2", "tensorboard"},
        {"wandb/wandb_plain", "wandb"},
        {"mlflow/mlflow_folder", "mlflow"},
        {"mlflow/mlflow_database", "mlflow_db"},
        {"ray_tune/trial_plain", "ray_tune"},
        {"stable_baselines3/evaluations", "stable_baselines3"},
        {"stable_baselines3/monitor0", "stable_baselines3"},
        {"optuna/storage", "optuna"},
        {"optuna/journal", "optuna"},
        {"trackio/project", "trackio"},
        {"dvclive/live", "dvclive"},
        {"swanlab/steps", "swanlab"},
        {"ray_table/trial_table", "ray_tune"},
        {"clearml/session", "clearml"},
        {"clearml/archived", "clearml"},
        {"neptune/run", "neptune"},
        {"comet/experiment", "comet"}};
    for (const auto& [name, owner] : owners) {
        const Oracle oracle = readOracle(fs::path(CAIRN_TEST_DATA) / (name + ".oracle"));
        const Offered offered(oracle.file);
        for (const HistoryReader* reader : readers) {
            EXPECT_EQ(reader->recognises(offered.candidate), reader->id == owner)
                << reader->id << " " << name;
        }
    }
}

} // namespace
} // namespace cairn::history_test
