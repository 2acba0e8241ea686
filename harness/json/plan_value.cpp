#include "json/plan_value.h"

namespace stepgate {

Json value_of(const StepCounts& steps) {
  return {{"e2e", steps.e2e},
          {"window", steps.window},
          {"phase", steps.phase},
          {"synthetic", steps.synthetic},
          {"counts", steps.counts},
          {"memory", steps.memory},
          {"numerics", steps.numerics},
          {"exact_warmup", steps.exact_warmup},
          {"warmup_cap", steps.warmup_cap}};
}

StepCounts step_counts_at(Reader reader) {
  return {.e2e = reader.at("e2e").integer(),
          .window = reader.at("window").integer(),
          .phase = reader.at("phase").integer(),
          .synthetic = reader.at("synthetic").integer(),
          .counts = reader.at("counts").integer(),
          .memory = reader.at("memory").integer(),
          .numerics = reader.at("numerics").integer(),
          .exact_warmup = reader.at("exact_warmup").integer(),
          .warmup_cap = reader.at("warmup_cap").integer()};
}

Json value_of(const Plan& plan) {
  Json value = {{"timed_replicates", plan.timed_replicates},
                {"exact_replicates", plan.exact_replicates},
                {"max_retries", plan.max_retries},
                {"seed", plan.seed},
                {"threads", plan.threads},
                {"timeout_s", plan.timeout_s},
                {"malloc_policy", plan.malloc_policy},
                {"device", plan.device}};
  if (plan.steps) value["steps"] = value_of(*plan.steps);
  return value;
}

Plan plan_at(Reader reader) {
  Plan plan{.timed_replicates = reader.at("timed_replicates").integer(),
            .exact_replicates = reader.at("exact_replicates").integer(),
            .max_retries = reader.at("max_retries").integer(),
            .seed = reader.at("seed").unsigned_integer(),
            .threads = reader.at("threads").integer(),
            .timeout_s = reader.at("timeout_s").number(),
            .malloc_policy = reader.at("malloc_policy").text(),
            .device = reader.at("device").text(),
            .steps = std::nullopt};
  if (auto steps = reader.find("steps")) plan.steps = step_counts_at(*steps);
  return plan;
}

Group group_at(const Reader& reader) { return reader.one_of(group_named, "timed, exact, reference"); }

}  // namespace stepgate
