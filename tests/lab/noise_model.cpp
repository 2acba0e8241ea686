#include "lab/noise_model.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace stepgate::lab {
namespace {

/// With fewer values, suites would repeat each other.
constexpr std::size_t fewest_recorded = 40;

NoiseModel recorded_model(const std::filesystem::path& path) {
  NoiseModel model;
  try {
    const auto document = nlohmann::json::parse(std::ifstream(path));
    model.name = "recorded-" + document.at("name").get<std::string>();
    for (const double value : document.at("values")) model.trace.push_back(std::log(value));
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::usage, path.string() + ": " + error.what(),
                R"(a trace is {"name": "...", "values": [...]})");
  }
  const bool usable =
      std::all_of(model.trace.begin(), model.trace.end(), [](double value) { return std::isfinite(value); });
  if (model.trace.size() < fewest_recorded || !usable) {
    throw Error(ErrorKind::usage, path.string() + ": fewer than 40 values, or one that is not positive",
                "record a longer trace of an unchanged build");
  }
  return model;
}

}  // namespace

std::vector<NoiseModel> noise_models() {
  return {
      {.name = "independent", .process_sd = 0.001},
      {.name = "process-0.5%"},
      {.name = "process-1%", .process_sd = 0.01},
      {.name = "process-3%", .process_sd = 0.03},
      {.name = "session-2%", .session_sd = 0.02},
      {.name = "slots-ar", .slot_ar = 0.5, .slot_sd = 0.01},
      {.name = "linear-drift", .drift_per_slot = 0.0005},
      {.name = "random-walk", .walk_sd = 0.005},
      {.name = "two-modes-0.5%", .second_mode_share = 0.3, .second_mode_shift = 0.03},
      {.name = "two-modes-1%", .process_sd = 0.01, .second_mode_share = 0.3, .second_mode_shift = 0.03},
      {.name = "two-modes-sharp", .process_sd = 0.002, .second_mode_share = 0.3, .second_mode_shift = 0.03},
      {.name = "two-modes-rare", .process_sd = 0.003, .second_mode_share = 0.1, .second_mode_shift = 0.06},
      {.name = "t3-1%", .process_sd = 0.01, .tail_freedom = 3},
      {.name = "spikes", .spike_share = 0.05, .spike_size = 0.2},
      {.name = "bursts", .burst_start = 0.05, .burst_end = 0.25, .burst_size = 0.1},
      {.name = "unequal-variances", .process_sd = 0.005, .head_spread_factor = 4},
      {.name = "head-bursts", .head_burst_share = 0.25, .head_burst_size = 0.1, .knows_its_side = true},
      {.name = "ar-differences",
       .process_sd = 0.002,
       .difference_ar = 0.5,
       .difference_sd = 0.03,
       .knows_its_side = true},
  };
}

const NoiseModel* find_model(const std::vector<NoiseModel>& models, std::string_view name) {
  const auto at = std::find_if(models.begin(), models.end(), [&](const NoiseModel& each) { return each.name == name; });
  return at == models.end() ? nullptr : &*at;
}

std::vector<NoiseModel> recorded_models(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<NoiseModel> models;
  for (const auto& file : files) models.push_back(recorded_model(file));
  return models;
}

}  // namespace stepgate::lab
