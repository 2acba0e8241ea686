#include "launch/replicate/record_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/repeated_place.h"
#include "core/step_count_fields.h"
#include "environment/gpu/pci_bus_id.h"
#include "launch/replicate/found_gpus.h"

namespace stepgate {
namespace {

using Problem = std::optional<ReplicateFailure>;

Problem wrong_case(std::string_view what, std::string_view asked, std::string_view written) {
  return ReplicateFailure{FailureKind::wrong_case,
                          fmt::format("was asked for {} {} and wrote a record of {}", what, asked, written), ""};
}

Problem bad_record(std::string message) { return ReplicateFailure{FailureKind::bad_record, std::move(message), ""}; }

/// The case decides about counts that the plan does not name.
Problem steps_problem(const RunRecord& record, const Plan& plan) {
  for (const StepCountField& field : step_count_fields) {
    const auto asked = plan.steps.find(std::string(field.name));
    const std::int64_t written = record.steps.*field.member;
    if (asked == plan.steps.end() || asked->second == written) continue;
    return wrong_case("step counts", fmt::format("{}={}", field.name, asked->second),
                      fmt::format("{}={}", field.name, written));
  }
  return std::nullopt;
}

Problem identity_problem(const RunRecord& record, const ReplicateRequest& request) {
  const std::string asked = case_name_of(request);
  if (record.case_name != asked) return wrong_case("case", asked, record.case_name);
  if (record.group != request.group) return wrong_case("group", name_of(request.group), name_of(record.group));
  if (record.replicate != request.index) {
    return wrong_case("replicate", std::to_string(request.index), std::to_string(record.replicate));
  }
  const Plan& plan = request.launch.plan;
  if (record.seed != plan.seed) return wrong_case("seed", std::to_string(plan.seed), std::to_string(record.seed));
  return request.group == Group::reference ? std::nullopt : steps_problem(record, plan);
}

/// The launcher chose GPUs by UUID. A record of another GPU would be compared with the wrong baseline. A process may
/// use fewer: the reference case has one rank.
Problem gpu_problem(const RunRecord& record, const ReplicateRequest& request) {
  std::vector<std::string> asked;
  for (const ChosenGpu& one : request.launch.gpus) asked.push_back(kernel_pci_bus_id(one.gpu.pci_bus_id));
  const std::vector<std::string> found = bus_ids_of(record);
  if (asked.empty() || found.empty()) return std::nullopt;
  const bool agree = found.size() <= asked.size() && std::equal(found.begin(), found.end(), asked.begin());
  if (agree) return std::nullopt;
  return wrong_case("GPU", fmt::format("{}", fmt::join(asked, ", ")), fmt::format("{}", fmt::join(found, ", ")));
}

Problem timed_problem(const RunRecord& record) {
  if (record.timed.empty()) return bad_record("its record has no timed pass");
  for (const auto& [name, pass] : record.timed) {
    if (pass.windows.empty() && pass.steps.empty()) return bad_record(fmt::format("its pass {} has no steps", name));
  }
  return std::nullopt;
}

Problem profile_problem(const RunRecord& record) {
  if (!record.profile) return bad_record("its record has no pass profile");
  const ProfileRun& run = *record.profile;
  const bool repeated = !run.repeats.empty() || run.absent.contains(std::string(repeated_calls));
  if (run.blocks.empty() && !run.observed && !repeated) return bad_record("its pass profile has no steps");
  return std::nullopt;
}

/// A device may lack one of the three passes, with a reason; if all three are missing, nothing was measured.
Problem exact_problem(const RunRecord& record) {
  if (!record.counts && !record.memory && !record.numerics) {
    return bad_record("its record has none of the passes counts, memory and numerics");
  }
  if (record.counts) {
    const auto& sequences = record.counts->per_step;
    const bool uncounted =
        std::any_of(sequences.begin(), sequences.end(), [](const auto& s) { return s.second.empty(); });
    if (sequences.empty() || uncounted) return bad_record("its pass counts has no steps");
  }
  if (record.memory && record.memory->peak_bytes.empty()) return bad_record("its pass memory has no steps");
  if (record.numerics && record.numerics->loss.empty()) return bad_record("its pass numerics has no steps");
  return std::nullopt;
}

}  // namespace

std::optional<ReplicateFailure> record_problem(const RunRecord& record, const ReplicateRequest& request) {
  if (auto problem = identity_problem(record, request)) return problem;
  if (auto problem = gpu_problem(record, request)) return problem;
  if (request.group == Group::profile) return profile_problem(record);
  return request.group == Group::exact ? exact_problem(record) : timed_problem(record);
}

}  // namespace stepgate
