#include "experiment/nodes/node_place.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "core/error.h"
#include "environment/cpus/cpu_list.h"
#include "environment/facts/host_fingerprint.h"
#include "experiment/nodes/node_machines.h"

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

void refuse_unlike_here(const OpenedPlan& opened, const std::string& place, NodeResults& results) {
  if (opened.plan.mixed_nodes) return;
  results.read_new();
  auto machines = results.machines();
  NodeResult here;
  here.base.host = host_fingerprint("/");
  machines[place].merge(machine_facts(here));
  if (const std::string unlike = unlike_nodes(machines); !unlike.empty())
    throw Error(ErrorKind::usage, "the nodes differ: " + unlike, mix_knowingly);
}

std::string allowed_difference(const OpenedPlan& opened, const NodeResults& results) {
  std::string unlike = unlike_nodes(results.machines());
  if (!unlike.empty() && !opened.plan.mixed_nodes)
    throw Error(ErrorKind::usage, "the nodes differ: " + unlike, mix_knowingly);
  return unlike;
}

}  // namespace stepgate
