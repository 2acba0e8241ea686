#include "support/fake_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "environment/evidence/taint.h"
#include "json/records/run_record_json.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

constexpr const char* script_head = R"(
[ "$1" = --list ] && cat "$here/cases.json" && exit
for argument in "$@"; do
  case $argument in
    --stepgate_record=*) record=${argument#*=} ;;
    --stepgate_group=*) group=${argument#*=} ;;
    --stepgate_replicate=*) replicate=${argument#*=} ;;
    --stepgate_seed=*) seed=${argument#*=} ;;
    --stepgate_param=*) param="$param ${argument#*=}" ;;
  esac
done
good() { cp "$here/$group-$replicate.json" "$record"; }
)";

bool is_alive(pid_t pid) {
  const auto status = read_pseudo_file("/proc/" + std::to_string(pid) + "/status");
  const auto state = status ? value_after(*status, "State") : std::nullopt;
  return state && !state->starts_with("Z") && !state->starts_with("X");
}

}  // namespace

RunRecord valid_record(Group group, std::int64_t replicate) {
  RunRecord record;
  record.case_name = group == Group::reference ? "reference/matmul_copy/fixed" : "fake/case/tiny";
  record.group = group;
  record.seed = Plan{}.seed;
  record.replicate = replicate;
  record.fingerprint = {{"torch", "2.11.0"}};
  if (group == Group::exact) {
    record.counts = WorkCounts{.per_step = {{"operators_per_step", {7, 7}}}, .by_boundary = {}, .operators = {}};
    record.numerics =
        NumericTrace{.loss = {2.5, 2.25}, .grad_norm = {1, 1}, .loss_digest = "a", .parameter_digest = "b"};
    return record;
  }
  if (group == Group::profile) {
    record.profile.emplace().blocks = {{.variant = "baseline", .wall_ns = 1000, .steps = 10}};
    return record;
  }
  record.warmup = Warmup{.first_step_ns = 10, .steps = 3, .steady = true, .reasons = {}};
  TimedPass pass;
  pass.clock = "virtual";
  pass.windows.push_back({.wall_ns = 1000, .first_step = 0, .steps = 10, .cold_shape = false});
  record.timed["e2e"] = pass;
  return record;
}

FakeProgram::FakeProgram(const std::string& body) {
  for (Group group : all_groups) {
    for (std::int64_t replicate = 0; replicate < 5; ++replicate) {
      root_.write(fmt::format("{}-{}.json", name_of(group), replicate), to_text(valid_record(group, replicate)));
    }
  }
  root_.write("cases.json", R"({"schema": {"name": "stepgate.cases", "major": 1, "minor": 0},
  "cases": [{"name": "fake/case/tiny", "params": {"batch_size": "8", "width": "1"}}]})");
  // The folder by its absolute path: copies of the program lie elsewhere.
  root_.write("program", fmt::format("#!/bin/sh\nhere='{}'\n", root_.path().string()) + script_head + body + "\n");
  std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
}

LaunchRequest FakeProgram::request(const std::vector<Group>& groups) const {
  LaunchRequest request;
  request.case_name = "fake/case/tiny";
  request.program = path();
  request.groups = groups;
  request.out_dir = root_.path() / "out";
  request.plan.timed_replicates = 2;
  request.plan.exact_replicates = 1;
  request.plan.timeout_s = 20;
  for (const auto& [key, limit] : default_taint_limits()) request.taint_limits[key] = 1e9;
  return request;
}

std::string FakeProgram::text_of(const std::string& file) const {
  return read_pseudo_file(root_.path() / file).value_or("");
}

std::int64_t FakeProgram::lines_in(const std::string& file) const {
  return static_cast<std::int64_t>(lines_of(text_of(file)).size());
}

void write_short_steps(const FakeRoot& folder) {
  for (std::int64_t replicate = 0; replicate < 5; ++replicate) {
    RunRecord record = valid_record(Group::timed, replicate);
    TimedPass& e2e = record.timed.at("e2e");
    e2e.clock = "steady_clock";
    e2e.windows = {{.wall_ns = 50'000, .steps = 10}};
    folder.write(fmt::format("timed-{}.json", replicate), to_text(record));
    for (auto count : {&StepCounts::e2e, &StepCounts::window, &StepCounts::phase, &StepCounts::synthetic,
                       &StepCounts::loader, &StepCounts::logging}) {
      record.steps.*count *= 64;
    }
    record.fingerprint["timed_steps"] = "e2e=3840,window=640,phase=1920,synthetic=1920,loader=2560,h2d=7,logging=5120";
    e2e.windows = {{.wall_ns = 3'200'000, .steps = 640}};
    folder.write(fmt::format("long-{}.json", replicate), to_text(record));
  }
}

bool is_gone(pid_t pid) {
  for (int attempt = 0; attempt < 200 && is_alive(pid); ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return !is_alive(pid);
}

}  // namespace stepgate
