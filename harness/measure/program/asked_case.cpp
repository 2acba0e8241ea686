#include "measure/program/asked_case.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "core/plan.h"
#include "measure/program/case_list.h"
#include "measure/program/perftest_ranks.h"
#include "measure/program/reference/reference_case.h"
#include "measure/step/step_counts_text.h"

namespace stepgate {
namespace {

/// A program that is started by hand has no manifest, so the variable of --data takes its place.
std::filesystem::path data_dir_by_hand() {
  const char* value = std::getenv("STEPGATE_DATA_DIR");
  return value == nullptr || *value == '\0' ? std::filesystem::path() : std::filesystem::absolute(value);
}

/// If the case says nothing, two windows of a GPU's work are traced. A CPU has no device to trace.
StepCounts with_device_work(StepCounts steps, bool on_cuda) {
  if (on_cuda && steps.device_work == 0) steps.device_work = 2 * steps.window;
  return steps;
}

/// Own choice: a P99 needs 1 000 requests, and arrivals that come in bunches need more of them.
constexpr std::int64_t usual_open_requests = 2000;

/// Who gives a rate asks for an open loop, also where the case does not say how many requests it has.
StepCounts with_open_loop(StepCounts steps, const std::map<std::string, std::string>& params) {
  if (params.contains(request_rate_param) && steps.open_requests == 0) steps.open_requests = usual_open_requests;
  return steps;
}

/// Process 0 alone writes a trace, and of its ranks the first one.
ProfileChoice profile_choice_of(const PerftestArguments& arguments) {
  ProfileChoice choice{.parts = arguments.profile_parts,
                       .writes_trace = arguments.rank.value_or(0) == 0,
                       .experiments = arguments.experiments,
                       .repeats = arguments.repeats,
                       .order_seed = arguments.seed + static_cast<std::uint64_t>(arguments.replicate)};
  if (arguments.replicate != 0 || arguments.trace.empty()) return choice;
  choice.trace = arguments.trace;
  choice.schedule = read_trace_schedule(arguments.trace_schedule);
  return choice;
}

}  // namespace

Case asked_case(const std::vector<Case>& cases, const PerftestArguments& arguments) {
  const Case& asked = case_named(cases, arguments.case_name);
  if (asked.name == reference_case_name) return reference_case(arguments.device.value_or(asked.device));
  if (arguments.group != Group::reference) return asked;
  throw Error(ErrorKind::usage, fmt::format("--stepgate_group=reference does not go with case {}", asked.name),
              fmt::format("give --stepgate_case={}", reference_case_name));
}

Case with_params(Case test_case, const std::map<std::string, std::string>& params) {
  for (const auto& [name, value] : params) test_case.params[name] = value;
  return test_case;
}

RunSettings settings_for(const Case& test_case, const PerftestArguments& arguments) {
  RunSettings settings;
  settings.seed = arguments.seed;
  settings.threads = arguments.threads;
  settings.data_dir = arguments.data_dir.empty() ? data_dir_by_hand() : std::filesystem::absolute(arguments.data_dir);
  settings.record = arguments.record;
  const bool on_cuda = arguments.device.value_or(test_case.device) == "cuda";
  const StepCounts steps = with_open_loop(with_device_work(test_case.steps, on_cuda), test_case.params);
  settings.steps = override_steps(steps, arguments.steps);
  settings.profile = profile_choice_of(arguments);
  settings.rank_context = rank_context_of(test_case, arguments);
  return settings;
}

}  // namespace stepgate
