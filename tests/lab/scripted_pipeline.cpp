#include "lab/scripted_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/random/uniform_real_distribution.hpp>
#include <random>

#include "lab/pipeline_clock.h"

namespace stepgate::lab {
namespace {

/// Shares of the rest of the step, the loader apart.
struct Costs {
  double copy = 0;
  double dispatch = 0;
  double compute = 0;
  double bandwidth = 0;
  double optimizer = 0;
  double logging = 0;
};

class Drawer {
 public:
  explicit Drawer(std::uint64_t seed) : generator_(seed) {}
  double between(double low, double high) {
    return boost::random::uniform_real_distribution<double>(low, high)(generator_);
  }

 private:
  std::mt19937_64 generator_;
};

ScriptedPipeline pipeline_of(const Costs& costs, double step_ns) {
  return {.copy_ns = costs.copy * step_ns,
          .dispatch_ns = costs.dispatch * step_ns,
          .compute_ns = costs.compute * step_ns,
          .bandwidth_ns = costs.bandwidth * step_ns,
          .optimizer_ns = costs.optimizer * step_ns,
          .logging_ns = costs.logging * step_ns};
}

Costs plain_costs(Drawer& draw) {
  return {.dispatch = draw.between(0.05, 0.1),
          .compute = draw.between(0.5, 0.8),
          .bandwidth = draw.between(0.02, 0.08),
          .optimizer = draw.between(0.03, 0.08)};
}

/// The loader's time relative to the step without it.
ScriptedPipeline fed_at(double ratio, Drawer& draw) {
  ScriptedPipeline made = pipeline_of(plain_costs(draw), draw.between(2e6, 30e6));
  made.loader_ns = ratio * true_step_ns(made);
  made.limited_by = Bottleneck::input;
  made.name = fmt::format("loader/step {:.2f}", ratio);
  return made;
}

ScriptedPipeline limited_by_compute(Drawer& draw) { return pipeline_of(plain_costs(draw), draw.between(2e6, 30e6)); }

ScriptedPipeline limited_by_bandwidth(Drawer& draw) {
  Costs costs = plain_costs(draw);
  std::swap(costs.compute, costs.bandwidth);
  return pipeline_of(costs, draw.between(2e6, 30e6));
}

ScriptedPipeline limited_by_optimizer(Drawer& draw) {
  Costs costs = plain_costs(draw);
  costs.optimizer = draw.between(0.15, 0.4);
  return pipeline_of(costs, draw.between(2e6, 30e6));
}

ScriptedPipeline limited_by_logging(Drawer& draw) {
  Costs costs = plain_costs(draw);
  costs.logging = draw.between(0.15, 0.3);
  return pipeline_of(costs, draw.between(2e6, 30e6));
}

ScriptedPipeline limited_by_launch(Drawer& draw) {
  Costs costs = plain_costs(draw);
  costs.dispatch = draw.between(0.6, 1.0);
  costs.compute = draw.between(0.2, 0.4);
  ScriptedPipeline made = pipeline_of(costs, draw.between(2e6, 30e6));
  made.gpu = draw.between(0, 1) < 0.5;
  return made;
}

ScriptedPipeline limited_by_sync(Drawer& draw) {
  Costs costs = plain_costs(draw);
  costs.dispatch = draw.between(0.3, 0.6);
  ScriptedPipeline made = pipeline_of(costs, draw.between(2e6, 30e6));
  made.gpu = made.syncs = true;
  return made;
}

ScriptedPipeline limited_by_copy(Drawer& draw) {
  Costs costs = plain_costs(draw);
  costs.copy = draw.between(0.2, 0.4);
  ScriptedPipeline made = pipeline_of(costs, draw.between(2e6, 30e6));
  made.gpu = true;
  return made;
}

struct Family {
  Bottleneck kind;
  ScriptedPipeline (*draw)(Drawer&);
};

constexpr std::array families = {
    Family{Bottleneck::compute, limited_by_compute},     Family{Bottleneck::bandwidth, limited_by_bandwidth},
    Family{Bottleneck::optimizer, limited_by_optimizer}, Family{Bottleneck::logging, limited_by_logging},
    Family{Bottleneck::launch, limited_by_launch},       Family{Bottleneck::sync, limited_by_sync},
    Family{Bottleneck::copy, limited_by_copy},
};
constexpr std::array ratios = {0.3, 0.6, 0.9, 0.95, 1.0, 1.05, 1.2, 1.5};

}  // namespace

double true_step_ns(const ScriptedPipeline& pipeline) {
  PipelineClock clock(pipeline, [] { return 1.0; });
  clock.run(200);
  return clock.run(200).wall_ns / 200;
}

double true_gain(const ScriptedPipeline& pipeline, Bottleneck resource) {
  ScriptedPipeline without = pipeline;
  switch (resource) {
    case Bottleneck::input:
      without.loader_ns = 0;
      break;
    case Bottleneck::copy:
      without.copy_ns = 0;
      break;
    case Bottleneck::launch:
      without.dispatch_ns = 0;
      break;
    case Bottleneck::sync:
      without.syncs = false;
      break;
    case Bottleneck::optimizer:
      without.optimizer_ns = 0;
      break;
    case Bottleneck::logging:
      without.logging_ns = 0;
      break;
    case Bottleneck::compute:
      without.compute_ns = 0;
      break;
    case Bottleneck::bandwidth:
      without.bandwidth_ns = 0;
      break;
    case Bottleneck::operators:
    case Bottleneck::communication:
      break;
  }
  return 1 - true_step_ns(without) / true_step_ns(pipeline);
}

std::vector<ScriptedPipeline> scripted_pipelines(std::int64_t count, std::uint64_t seed) {
  Drawer draw(seed);
  std::vector<ScriptedPipeline> made;
  for (std::size_t i = 0; std::ssize(made) < count; ++i) {
    if (i % 2 == 0) {
      made.push_back(fed_at(ratios[i / 2 % ratios.size()], draw));
      continue;
    }
    const Family& family = families[i / 2 % families.size()];
    ScriptedPipeline& pipeline = made.emplace_back(family.draw(draw));
    pipeline.limited_by = family.kind;
    pipeline.name = fmt::format("{} on {}", name_of(family.kind), pipeline.gpu ? "a GPU" : "a CPU");
    pipeline.loader_ns = draw.between(0.1, 1.3) * true_step_ns(pipeline);
  }
  return made;
}

}  // namespace stepgate::lab
