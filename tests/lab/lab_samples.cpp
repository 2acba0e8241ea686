// Writes simulated comparisons with every single step, one JSON line each, so that other tools and stepgate's own rule
// (lab_verdicts) can judge the same data.
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.h"
#include "lab/noisy_machine.h"

namespace {

namespace options = boost::program_options;
using stepgate::lab::NoiseModel;
using stepgate::lab::NoisyMachine;

constexpr double step_ns = 20e6;
constexpr double step_sd = 0.015;  // within a process
constexpr double step_ar = 0.5;
constexpr double spike_share = 0.01;
constexpr double spike_size = 0.5;

struct Request {
  std::string model;
  double change = 0;
  std::uint64_t comparisons = 0;
  std::uint64_t seed = 0;
  std::size_t processes = 0;
  std::size_t steps = 0;
};

/// The steps of one process whose level is `level` on the log scale.
std::vector<std::int64_t> steps_of(double level, std::size_t count, NoisyMachine& machine) {
  std::vector<std::int64_t> steps;
  double noise = step_sd * machine.normal();
  for (std::size_t i = 0; i < count; ++i) {
    noise = step_ar * noise + std::sqrt(1 - step_ar * step_ar) * step_sd * machine.normal();
    const double spike = machine.draw(spike_share) ? spike_size * std::abs(machine.normal()) : 0;
    steps.push_back(std::llround(step_ns * std::exp(level + noise + spike)));
  }
  return steps;
}

nlohmann::ordered_json comparison(const NoiseModel& model, const Request& request, std::uint64_t index) {
  NoisyMachine machine(model, request.seed * 1'000'003 + index);
  stepgate::lab::SimulatedPairs pairs;
  machine.measure(machine.environments(request.processes), request.change, pairs);
  nlohmann::ordered_json line{{"model", model.name}, {"change", request.change}, {"index", index}};
  line["base"] = nlohmann::ordered_json::array();
  line["head"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < request.processes; ++i) {
    line["base"].push_back(steps_of(pairs.base[i], request.steps, machine));
    line["head"].push_back(steps_of(pairs.head[i], request.steps, machine));
  }
  line["head_first"] = pairs.head_first;
  return line;
}

Request parse(int argc, char** argv) {
  Request request;
  options::options_description description("lab_samples: simulated comparisons as JSON Lines");
  auto add = description.add_options();
  add("help", "this text");
  add("model", options::value(&request.model)->required(), "a noise model by name; --model list shows them");
  add("change", options::value(&request.change)->default_value(0), "true relative change of the head");
  add("comparisons", options::value(&request.comparisons)->default_value(100), "lines to write");
  add("seed", options::value(&request.seed)->default_value(1), "same seed, same lines");
  add("processes", options::value(&request.processes)->default_value(16), "processes of each side");
  add("steps", options::value(&request.steps)->default_value(100), "steps of each process");
  options::variables_map values;
  options::store(options::parse_command_line(argc, argv, description), values);
  if (values.contains("help")) {
    std::cout << description;
    std::exit(0);
  }
  options::notify(values);
  return request;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Request request = parse(argc, argv);
    const std::vector<NoiseModel> models = stepgate::lab::noise_models();
    const NoiseModel* model = stepgate::lab::find_model(models, request.model);
    if (model == nullptr) {
      for (const NoiseModel& each : models) std::cerr << each.name << '\n';
      return request.model == "list" ? 0 : 2;
    }
    for (std::uint64_t i = 0; i < request.comparisons; ++i) std::cout << comparison(*model, request, i).dump() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "lab_samples: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
