#include "lab/request_noise.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace stepgate::lab {
namespace {

/// With fewer processes, suites would repeat each other; with fewer requests, blocks would.
constexpr std::size_t fewest_processes = 16;
constexpr std::size_t fewest_requests = 200;
/// Recorded requests are drawn in blocks of neighbours, so that slow ones that come together stay together: the
/// circular block bootstrap (Politis and Romano 1992). Own choice: longer than a scheduler's or a collector's pause is
/// felt in requests of a millisecond, and a tenth of the shortest record.
constexpr std::size_t block = 20;

RequestNoise recorded_noise(const std::filesystem::path& path) {
  RequestNoise noise;
  try {
    const auto document = nlohmann::json::parse(std::ifstream(path));
    noise.name = "recorded-" + document.at("name").get<std::string>();
    document.at("processes").get_to(noise.recorded);
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::usage, path.string() + ": " + error.what(),
                R"(a record of requests is {"name": "...", "processes": [[...], ...]})");
  }
  const bool usable = noise.recorded.size() >= fewest_processes &&
                      std::all_of(noise.recorded.begin(), noise.recorded.end(), [](const std::vector<double>& process) {
                        return process.size() >= fewest_requests &&
                               std::all_of(process.begin(), process.end(),
                                           [](double latency) { return latency > 0 && std::isfinite(latency); });
                      });
  if (!usable) {
    throw Error(
        ErrorKind::usage,
        path.string() + ": fewer than 16 processes, one of fewer than 200 requests, or a latency that is not positive",
        "record more processes of an unchanged build");
  }
  return noise;
}

}  // namespace

std::vector<RequestNoise> request_noises() {
  return {
      {.name = "requests-2%", .request_sd = 0.02},
      {.name = "requests-5%"},
      {.name = "requests-20%", .request_sd = 0.2},
      {.name = "process-3%", .process_sd = 0.03},
      // Where one request in a hundred is interrupted, P99 lies at the edge between the two kinds of requests.
      {.name = "interrupted-1%", .slow_share = 0.01, .slow_size = 1, .share_sd = 0.3},
      {.name = "interrupted-5%", .slow_share = 0.05, .slow_size = 0.5, .share_sd = 0.3},
      {.name = "interrupted-runs", .slow_share = 0.02, .slow_size = 0.5, .slow_run = 20, .share_sd = 0.3},
      {.name = "long-tail", .slow_share = 0.05, .slow_size = 0.3, .share_sd = 0.2, .tail_index = 3},
  };
}

std::vector<RequestNoise> recorded_requests(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<RequestNoise> noises;
  for (const auto& file : files) noises.push_back(recorded_noise(file));
  return noises;
}

RequestMachine::RequestMachine(const RequestNoise& noise, std::uint64_t seed) : noise_(noise), generator_(seed) {
  if (!noise_.recorded.empty()) {
    // An even place, so that two neighbours of the record stay a pair.
    const std::size_t pairs = noise_.recorded.size() / 2;
    place_ = 2 * boost::random::uniform_int_distribution<std::size_t>(0, pairs - 1)(generator_);
  }
}

double RequestMachine::interruption() {
  if (noise_.tail_index <= 0) return noise_.slow_size * exponential_(generator_);
  // Pareto, shifted to begin at 0: its mean is slow_size.
  const double scale = noise_.slow_size * (noise_.tail_index - 1);
  return scale * (std::pow(1 - uniform_(generator_), -1 / noise_.tail_index) - 1);
}

void RequestMachine::draw_modelled(std::vector<double>& latencies) {
  const double level = std::exp(noise_.process_sd * normal_(generator_));
  const double share = std::min(1.0, noise_.slow_share * std::exp(noise_.share_sd * normal_(generator_)));
  const double end = 1 / noise_.slow_run;
  // A run of slow requests lasts 1 / end requests in the mean, so that the share of slow ones is `share`.
  const double begin = share >= 1 ? 1 : std::min(1.0, share * end / (1 - share));
  bool slow = share > 0 && draw(share);
  for (double& latency : latencies) {
    latency = level * std::exp(noise_.request_sd * normal_(generator_));
    if (share <= 0) continue;
    if (slow) latency += level * interruption();
    slow = share >= 1 || (slow ? !draw(end) : draw(begin));
  }
}

void RequestMachine::draw_recorded(std::vector<double>& latencies) {
  const std::vector<double>& process = noise_.recorded[place_];
  place_ = (place_ + 1) % noise_.recorded.size();
  boost::random::uniform_int_distribution<std::size_t> any(0, process.size() - 1);
  for (std::size_t i = 0; i < latencies.size();) {
    std::size_t from = any(generator_);
    for (std::size_t j = 0; j < block && i < latencies.size(); ++j, ++i) {
      latencies[i] = process[from];
      from = from + 1 == process.size() ? 0 : from + 1;
    }
  }
}

void RequestMachine::next_process(std::int64_t requests, const RequestFault& fault, std::vector<double>& latencies) {
  latencies.resize(static_cast<std::size_t>(requests));
  noise_.recorded.empty() ? draw_modelled(latencies) : draw_recorded(latencies);
  for (double& latency : latencies) latency *= 1 + fault.change;
  if (fault.stalled_each <= 0) return;
  const auto step = static_cast<std::size_t>(fault.stalled_each);
  for (std::size_t i = step - 1; i < latencies.size(); i += step) latencies[i] *= 1 + fault.stall_size;
}

}  // namespace stepgate::lab
