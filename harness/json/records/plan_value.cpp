#include "json/records/plan_value.h"

#include "core/step_count_fields.h"

namespace stepgate {

Json value_of(const StepCounts& steps) {
  Json value = Json::object();
  for (const StepCountField& field : step_count_fields) {
    if (!is_left_out(field, steps)) value[std::string(field.name)] = steps.*field.member;
  }
  return value;
}

StepCounts step_counts_at(Reader reader) {
  StepCounts steps;
  for (const StepCountField& field : step_count_fields) {
    const auto count = field.optional ? reader.find(field.name) : reader.at(field.name);
    steps.*field.member = count ? count->count() : 0;
  }
  return steps;
}

Json value_of(const Plan& plan) {
  Json value = {{"timed_replicates", plan.timed_replicates},
                {"exact_replicates", plan.exact_replicates},
                {"max_retries", plan.max_retries},
                {"seed", plan.seed},
                {"threads", plan.threads},
                {"timeout_s", plan.timeout_s},
                {"malloc_policy", plan.malloc_policy},
                {"device", name_of(plan.device)}};
  if (!plan.steps.empty()) value["steps"] = plan.steps;
  if (plan.cpus > 0) value["cpus"] = plan.cpus;
  if (!plan.params.empty()) value["params"] = plan.params;
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
            .device = reader.at("device").one_of(device_named, "cpu, cuda"),
            .steps = {},
            .cpus = 0,
            .params = {}};
  if (auto cpus = reader.find("cpus")) plan.cpus = cpus->integer();
  if (auto params = reader.find("params")) plan.params = params->text_map();
  if (auto steps = reader.find("steps")) {
    plan.steps = steps->map_of([](const Reader& count) { return count.integer(); });
  }
  return plan;
}

Group group_at(const Reader& reader) { return reader.one_of(group_named, "timed, exact, reference"); }

}  // namespace stepgate
