#include "launch/replicate/replicate_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>

#include "system/step_count_list.h"

namespace stepgate {
namespace {

std::string file_name(const ReplicateNumber& number, std::string_view extension) {
  // As long as "exact": the length of a command line is equal for all processes of the group.
  constexpr std::array<std::string_view, 4> names_of_runs = {"exact", "order", "other", "again"};
  const bool is_judged = number.emulated_run == EmulatedRun::judged;
  const std::string_view name =
      is_judged ? name_of(number.group) : names_of_runs[static_cast<std::size_t>(number.emulated_run)];
  return fmt::format("{}-{:02}-{}.{}", name, number.index, number.attempt, extension);
}

ReplicateNumber number_of(const ReplicateRequest& request) {
  return {request.group, request.index, request.attempt, request.emulated_run};
}

}  // namespace

std::string case_name_of(const ReplicateRequest& request) {
  return request.group == Group::reference ? reference_case_name : request.launch.case_name;
}

std::int64_t threads_of(const Plan& plan, Group group) { return group == Group::exact ? 1 : plan.threads; }

std::string record_file_name(const ReplicateNumber& number) { return file_name(number, "record.json"); }

std::filesystem::path record_path(const ReplicateRequest& request) {
  return request.launch.out_dir / record_file_name(number_of(request));
}

std::filesystem::path trace_path(const ReplicateRequest& request) {
  return request.launch.out_dir / file_name(number_of(request), "trace.json.gz");
}

std::filesystem::path output_path(const ReplicateRequest& request) {
  return request.launch.out_dir / file_name(number_of(request), "output.txt");
}

std::filesystem::path order_path(const ReplicateRequest& request) {
  return request.launch.out_dir / file_name(number_of(request), "order.txt");
}

std::filesystem::path program_of(const ReplicateRequest& request) {
  const LaunchRequest& launch = request.launch;
  return request.group == Group::reference && !launch.reference_program.empty() ? launch.reference_program
                                                                                : launch.program;
}

namespace {

/// The flags are the same for each process, so that all command lines are of equal length: process 0 alone writes a
/// trace.
void add_profile_flags(const ReplicateRequest& request, std::vector<std::string>& command) {
  command.push_back(fmt::format("--stepgate_profile={}", name_of(request.launch.profile_parts)));
  if (!request.launch.experiments.empty()) {
    std::vector<std::string_view> names;
    for (const Experiment experiment : request.launch.experiments) names.push_back(name_of(experiment));
    command.push_back(fmt::format("--stepgate_experiments={}", fmt::join(names, ",")));
  }
  for (const RepeatedPlace& place : request.launch.repeats) {
    std::string offsets;
    for (const std::uint64_t offset : place.offsets)
      offsets += fmt::format("{}{:x}", offsets.empty() ? "" : ",", offset);
    command.push_back(fmt::format("--stepgate_repeat={}={}", place.name, offsets));
  }
  if (request.launch.trace_schedule.empty()) return;
  command.push_back(fmt::format("--stepgate_trace={}", trace_path(request).string()));
  command.push_back(fmt::format("--stepgate_trace_schedule={}", request.launch.trace_schedule));
}

}  // namespace

std::vector<std::string> perftest_command(const ReplicateRequest& request) {
  const Plan& plan = request.launch.plan;
  std::vector<std::string> command = {
      program_of(request).string(),
      fmt::format("--stepgate_case={}", case_name_of(request)),
      fmt::format("--stepgate_group={}", name_of(request.group)),
      fmt::format("--stepgate_record={}", record_path(request).string()),
      fmt::format("--stepgate_seed={}", plan.seed),
      fmt::format("--stepgate_replicate={}", request.index),
      fmt::format("--stepgate_threads={}", threads_of(plan, request.group)),
      fmt::format("--stepgate_device={}", name_of(plan.device)),
  };
  if (request.launch.emulated) command.emplace_back("--stepgate_emulated");
  if (request.group == Group::reference) return command;  // it is fixed and takes neither data nor steps
  if (!request.launch.data_dir.empty()) {
    command.push_back(fmt::format("--stepgate_data={}", request.launch.data_dir.string()));
  }
  for (const auto& [name, value] : plan.params) {
    // Nothing that is counted depends on it, and the stored counts of the case are those of every rate.
    if (name == request_rate_param && request.group == Group::exact) continue;
    command.push_back(fmt::format("--stepgate_param={}={}", name, value));
  }
  if (request.launch.turn_socket >= 0 && request.group == Group::timed) {
    command.push_back(fmt::format("--stepgate_turns={}", request.launch.turn_socket));
  }
  if (request.group == Group::profile) add_profile_flags(request, command);
  if (!plan.steps.empty()) command.push_back(fmt::format("--stepgate_steps={}", text_of(plan.steps)));
  return command;
}

}  // namespace stepgate
