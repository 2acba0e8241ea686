#include "lab/scripted_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/random/uniform_real_distribution.hpp>
#include <optional>
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

ScriptedPipeline drawn_from(const Family& family, Drawer& draw) {
  ScriptedPipeline made = family.draw(draw);
  made.limited_by = family.kind;
  made.name = fmt::format("{} on {}", name_of(family.kind), made.gpu ? "a GPU" : "a CPU");
  return made;
}

/// The kind whose resource a boundary is; absent where host code in it is of no kind.
std::optional<Bottleneck> kind_of_cost(Boundary boundary) {
  switch (boundary) {
    case Boundary::data_wait:
      return Bottleneck::input;
    case Boundary::h2d:
      return Bottleneck::copy;
    case Boundary::optimizer:
      return Bottleneck::optimizer;
    case Boundary::logging:
      return Bottleneck::logging;
    case Boundary::forward:
    case Boundary::backward:
      break;
  }
  return std::nullopt;
}

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
      without.loader_ns = without.fixed_in(Boundary::data_wait) = 0;
      break;
    case Bottleneck::copy:
      without.copy_ns = without.fixed_in(Boundary::h2d) = 0;
      break;
    case Bottleneck::launch:
      without.dispatch_ns = 0;
      break;
    case Bottleneck::sync:
      without.syncs = false;
      break;
    case Bottleneck::optimizer:
      without.optimizer_ns = without.fixed_in(Boundary::optimizer) = 0;
      break;
    case Bottleneck::logging:
      without.logging_ns = without.fixed_in(Boundary::logging) = 0;
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
    ScriptedPipeline& pipeline = made.emplace_back(drawn_from(family, draw));
    pipeline.loader_ns = draw.between(0.1, 1.3) * true_step_ns(pipeline);
  }
  return made;
}

std::vector<ScriptedPipeline> pipelines_with_fast_loaders(std::int64_t count, std::uint64_t seed) {
  Drawer draw(seed);
  std::vector<ScriptedPipeline> made;
  for (std::size_t i = 0; std::ssize(made) < count; ++i) {
    ScriptedPipeline& pipeline = made.emplace_back(drawn_from(families[i % families.size()], draw));
    const double loading_ns = draw.between(1e3, 15e3);
    (i % 2 == 0 ? pipeline.loader_ns : pipeline.fixed_in(Boundary::data_wait)) = loading_ns;
    pipeline.name += ", fast loader";
  }
  return made;
}

std::vector<ScriptedPipeline> pipelines_with_fixed_costs(std::int64_t count, std::uint64_t seed) {
  Drawer draw(seed);
  std::vector<ScriptedPipeline> made;
  for (std::size_t i = 0; std::ssize(made) < count; ++i) {
    const Boundary boundary = all_boundaries[i % boundary_count];
    const std::size_t turn = i / boundary_count;
    ScriptedPipeline& pipeline = made.emplace_back(limited_by_compute(draw));
    pipeline.gpu = turn % 2 == 1;
    pipeline.syncs = turn % 4 == 3;
    pipeline.fixed_in(boundary) = draw.between(0.3, 3) * true_step_ns(pipeline);
    if (boundary != Boundary::data_wait) {
      pipeline.loader_ns = turn % 3 == 0 ? 10e3 : draw.between(0.1, 0.7) * true_step_ns(pipeline);
    }
    pipeline.limited_by = kind_of_cost(boundary);
    pipeline.name = fmt::format("fixed cost in {} on {}{}", name_of(boundary), pipeline.gpu ? "a GPU" : "a CPU",
                                pipeline.syncs ? " that syncs" : "");
  }
  return made;
}

}  // namespace stepgate::lab
