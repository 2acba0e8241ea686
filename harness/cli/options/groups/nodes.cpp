#include "cli/options/groups/nodes.h"

#include <string_view>

#include "core/error.h"

namespace stepgate {
namespace {

/// Far more machines than anybody compares two builds on.
constexpr CountRange shard_counts{.least = 1, .most = 1000};

/// "auto" is the absent layout.
bool set_layout(std::optional<NodeLayout>& layout, std::string_view name) {
  layout.reset();
  if (name == "case") layout = NodeLayout::by_case;
  if (name == "round") layout = NodeLayout::by_round;
  return layout || name == "auto";
}

}  // namespace

OptionRow nodes_row(std::string& nodes) {
  return {Topic::nodes,
          "nodes",
          "local:N|slurm:N|exec:PROGRAM",
          "",
          "measure on N parts of this machine, on N nodes of a Slurm cluster, or on what PROGRAM starts",
          text_into(nodes, "local:N, slurm:N or exec:PROGRAM")};
}

OptionRow shards_row(std::optional<std::int64_t>& shards) {
  return {Topic::nodes,
          "shards",
          "N",
          "",
          "shares of the plan, one for each node (exec and plan: default 1)",
          count_into(shards, shard_counts)};
}

OptionRow layout_row(std::optional<NodeLayout>& layout) {
  return {Topic::nodes,
          "layout",
          "auto|case|round",
          "",
          "each case on one node, or every node on each case (default auto: by case where there are as many "
          "cases as nodes)",
          choice_value("auto|case|round", [&layout](const std::string& name) { return set_layout(layout, name); })};
}

OptionRow mixed_nodes_row(bool& mixed_nodes) {
  return {Topic::nodes,
          "mixed-nodes",
          "",
          "",
          "nodes may differ in CPU, GPU, driver or LibTorch; the report names them",
          switch_on(mixed_nodes)};
}

std::int64_t shards_of(const NodesAsked& asked, const std::optional<std::int64_t>& shards) {
  return asked.kind == NodesKind::program ? shards.value_or(1) : asked.count;
}

void need_many_nodes(const std::string& nodes) {
  if (!nodes.empty()) return;
  throw Error(ErrorKind::usage, "--layout, --shards and --mixed-nodes have no effect on one machine",
              "add --nodes, e.g. local:2");
}

}  // namespace stepgate
