#include "experiment/plan/this_machine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "environment/cpus/cpu_list.h"
#include "environment/facts/host_fingerprint.h"
#include "environment/guard/recovery.h"

namespace stepgate {
namespace {

/// Virtual nodes share a host, so Slurm's name of the node wins.
std::string host_name() {
  const char* node = std::getenv("SLURMD_NODENAME");
  if (node != nullptr && *node != '\0') return node;
  std::array<char, 256> name{};
  static_cast<void>(::gethostname(name.data(), name.size() - 1));
  return name.data();
}

}  // namespace

std::string place_here(const MeasuredHost& host) {
  std::string place = fmt::format("{} CPU {}", host_name(), text_of(host.guard.allowed));
  for (const ChosenGpu& gpu : host.gpus.gpus) place += " " + gpu.gpu.uuid;
  return place;
}

std::string machine_here(const MeasuredHost& host) {
  const Fingerprint facts = host_fingerprint("/");
  const auto cpu = facts.find("cpu_model");
  return fmt::format("{}; {}; start {}", place_here(host), cpu == facts.end() ? "unknown CPU" : cpu->second,
                     boot_id(SystemFiles("/")));
}

}  // namespace stepgate
