#include "cli/options/node_rows.h"

#include "core/error.h"
#include "experiment/plan/nodes_text.h"

namespace stepgate {
namespace {

/// Far more machines than anybody compares two builds on.
constexpr CountRange shard_counts{.least = 1, .most = 1000};

void need_nodes(const Options& o) {
  read_nodes_text(o.nodes);
  if (!o.law.empty()) {
    throw Error(ErrorKind::usage,
                "--law counts bytes, which one machine does as well as several, and --nodes names several",
                "leave out --nodes");
  }
  if (o.seeds) {
    throw Error(ErrorKind::usage, "--seeds trains on one machine, and --nodes names several", "leave out one of them");
  }
  if (o.no_explain) {
    throw Error(ErrorKind::usage, "--no-explain has no effect with --nodes, which never looks for lines",
                "leave out --no-explain");
  }
}

void need_many_nodes(const Options& o) {
  if ((o.command != "ab" && o.command != "sweep") || !o.nodes.empty()) return;
  throw Error(ErrorKind::usage, "--layout, --shards and --mixed-nodes have no effect on one machine",
              "add --nodes, e.g. local:2");
}

}  // namespace

std::vector<OptionRow> node_rows() {
  return {
      OptionRow{"nodes", "local:N|slurm:N|exec:PROGRAM", "", "ab, sweep",
                "measure on N parts of this machine, on N nodes of a Slurm cluster, or on what PROGRAM starts",
                text_into(&Options::nodes, "local:N, slurm:N or exec:PROGRAM"), need_nodes},
      OptionRow{"shards", "N", "", "ab, plan ab, sweep, plan sweep",
                "shares of the plan, one for each node (exec and plan: default 1)",
                count_into(&Options::shards, shard_counts), need_many_nodes},
      OptionRow{"layout", "auto|case|round", "", "ab, plan ab",
                "each case on one node, or every node on each case (default auto: by case where there are as many "
                "cases as nodes)",
                choice_into(&Options::layout, "auto|case|round"), need_many_nodes},
      OptionRow{"mixed-nodes", "", "", "ab, plan ab, sweep, plan sweep, merge",
                "nodes may differ in CPU, GPU, driver or LibTorch; the report names them",
                switch_on(&Options::mixed_nodes), need_many_nodes},
      OptionRow{"attempt", "K", "", "shard run", "number of this try at the shard (default 0)",
                count_into(&Options::attempt, CountRange{.least = 0, .most = 1000})},
  };
}

}  // namespace stepgate
