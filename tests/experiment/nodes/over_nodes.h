// A comparison of two builds over nodes that are this process under other names.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "experiment/fake_build.h"
#include "experiment/nodes/instant_runner.h"
#include "experiment/nodes/merge_plan.h"
#include "experiment/nodes/node_coordinator.h"
#include "experiment/nodes/plan/make_plan.h"
#include "experiment/nodes/planned_run.h"

namespace stepgate {

/// One line per process, and a step time that differs from pair to pair by up to 2 %, the same on every node.
inline constexpr const char* scripted_process = R"sh(
side=$(basename "$(dirname "$0")")
node=$(cat "$here/node")
pair=$(echo "$record" | sed 's#.*/\([a-z]*\)/0*\([0-9][0-9]*\)/[a-z]*/.*#\1 \2#')
echo "$node $side $group $pair" >> "$here/log"
n=${pair#* }
case $n in *[!0-9]*) n=0 ;; esac
wall=$((100000 + n * 777 % 2000))
[ $side = head ] && wall=$((wall + n * 31 % 40))
slow() { wall=$((wall * $1 / 100)); }
finish() { sed "s/1000/$wall/" "$here/$group-$replicate.json" > "$record"; }
)sh";

inline std::string text_of_file(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline NodePlanOptions over(const FakeBuild& build, std::int64_t shards, std::int64_t most_pairs = 8) {
  return {.ab = {.measure = {.tier = TierChoice::all, .exact_replicates = 1},
                 .host = build.host(),
                 .pairs = {.base_build = build.root(),
                           .most_pairs = most_pairs,
                           .interleave = Interleave::processes,
                           .order_seed = 7}},
          .shards = shards,
          .layout = NodeLayout::by_round};
}

/// One comparison over nodes in a plan folder of its own.
class OverNodes {
 public:
  OverNodes(const FakeBuild& build, const NodePlanOptions& options)
      : build_(build),
        made_(make_node_plan(build.project(), build.root() / "plan", options, listener_.caller())),
        project_(project_of_plan(made_.opened, build.root() / "merged")),
        measure_(measure_options_of(made_.opened.plan)) {}

  const OpenedPlan& opened() const { return made_.opened; }
  bool resumed() const { return made_.resumed; }
  Run run() const { return {project_, measure_, host_, listener_.caller()}; }
  Listener& listener() { return listener_; }
  std::string notices() const { return listener_.notices(); }

  Outcome coordinate(NodeRunner& runner) {
    const Run asked = run();
    JudgedRun judged;
    coordinate_nodes(asked, opened(), runner, {.at_the_end = [&](int) {
                       judged = merge_plan(asked, opened());
                       finish_node_plan(opened());
                     }});
    return judged.report.outcomes.at(0);
  }
  Outcome with(const InstantRunner::Before& before) {
    InstantRunner runner(build_, before);
    return coordinate(runner);
  }

 private:
  const FakeBuild& build_;
  Listener listener_;
  MadePlan made_;
  Project project_;
  MeasureOptions measure_;
  MeasuredHost host_;
};

/// What a verdict says of each metric.
inline std::string judged(const Outcome& outcome) {
  std::string all;
  for (const MetricVerdict& metric : outcome.verdict.metrics) {
    all += fmt::format("{} {} {} {}\n", metric.metric, name_of(metric.status), name_of(metric.reason), metric.detail);
  }
  return all;
}

inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace stepgate
