// How a run is spread over several machines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options/option_row.h"
#include "core/study/shard_plan.h"
#include "experiment/plan/nodes_text.h"

namespace stepgate {

OptionRow nodes_row(std::string& nodes);
OptionRow shards_row(std::optional<std::int64_t>& shards);
OptionRow layout_row(std::optional<NodeLayout>& layout);
OptionRow mixed_nodes_row(bool& mixed_nodes);

/// The shares of a plan: one for each node, or as many as were asked for where a program starts the nodes.
std::int64_t shards_of(const NodesAsked& asked, const std::optional<std::int64_t>& shards);

/// Throws Error(usage) for an option that has no effect on one machine.
void need_many_nodes(const std::string& nodes);

}  // namespace stepgate
