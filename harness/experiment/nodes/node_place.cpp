#include "experiment/nodes/node_place.h"

#include "core/error.h"
#include "environment/facts/host_fingerprint.h"
#include "experiment/nodes/node_machines.h"

namespace stepgate {

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
