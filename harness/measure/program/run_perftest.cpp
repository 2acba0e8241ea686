// The main of every perftest program. This file, perftest_end and perftest_ranks are all of this layer that prints.
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <memory>

#include "json/records/run_record_json.h"
#include "measure/passes/benchmark_passes.h"
#include "measure/program/case_list.h"
#include "measure/program/case_run.h"
#include "measure/program/perftest_arguments.h"
#include "measure/program/perftest_end.h"
#include "measure/program/perftest_ranks.h"
#include "measure/program/process_fingerprint.h"
#include "measure/program/reference_case.h"
#include "measure/program/window_token.h"
#include "measure/step/step_counts_text.h"
#include "stepgate/perftest.h"
#include "system/file.h"

namespace stepgate {
namespace {

#ifdef STEPGATE_DEFAULT_DATA_DIR
constexpr const char* default_data_dir = STEPGATE_DEFAULT_DATA_DIR;
#else
constexpr const char* default_data_dir = "";
#endif

/// Google Benchmark's results are not shown: the launcher reads the record.
class SilentReporter final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& /*runs*/) override {}
};

void require_release_build(const PerftestArguments& arguments) {
#ifndef NDEBUG
  if (arguments.allow_debug) return;
  throw Error(ErrorKind::usage, "a debug build cannot be measured",
              "configure with CMAKE_BUILD_TYPE=Release (or, to try something out, --stepgate_allow_debug)");
#else
  static_cast<void>(arguments);
#endif
}

void pin_process() {
  drop_isa_pin_beyond_cpu();
  // Can be set once per process, and only before the first parallel work.
  if (at::get_num_interop_threads() != 1) at::set_num_interop_threads(1);
}

RunSettings settings_for(const Case& test_case, const PerftestArguments& arguments) {
  RunSettings settings;
  settings.seed = arguments.seed;
  settings.threads = arguments.threads;
  settings.data_dir = arguments.data_dir.empty() ? default_data_dir : arguments.data_dir;
  settings.steps = override_steps(test_case.steps, arguments.steps);
  settings.rank_context = rank_context_of(test_case, arguments);
  return settings;
}

std::int64_t steps_of(Pass pass, const StepCounts& steps) {
  switch (pass) {
    case Pass::e2e:
      return steps.e2e;
    case Pass::phase:
      return steps.phase;
    case Pass::synthetic:
      return steps.synthetic;
    case Pass::loader:
      return steps.loader;
    case Pass::h2d:
      return steps.h2d;
    case Pass::logging:
      return steps.logging;
    case Pass::counts:
      return steps.counts;
    case Pass::memory:
      return steps.memory;
    case Pass::numerics:
      return steps.numerics;
  }
  return 1;
}

/// The case that the launcher asked for. Group reference takes the reference case only, on whichever device is asked
/// for: it is the yardstick of the machine.
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

/// Waits for the first turn, so that the two processes of a pair never build or warm up at the same time.
std::function<void()> yield_of(const PerftestArguments& arguments) {
  if (arguments.turns < 0) return {};
  const auto token = std::make_shared<WindowToken>(arguments.turns);
  token->take();
  return [token] {
    token->give();
    token->take();
  };
}

/// Ranks wait for each other, so they cannot share a turn: all of them run whole in one.
int run_ranks_in_one_turn(const Case& test_case, PerftestArguments arguments) {
  static_cast<void>(yield_of(arguments));
  std::erase_if(arguments.given, [](const std::string& word) { return word.starts_with("--stepgate_turns"); });
  return run_all_ranks(test_case, arguments);
}

int write_record(const std::vector<Case>& cases, const PerftestArguments& arguments) {
  require_release_build(arguments);
  const Case test_case = with_params(asked_case(cases, arguments), arguments.params);
  if (test_case.ranks > 1 && !arguments.rank) return run_ranks_in_one_turn(test_case, arguments);
  RunSettings settings = settings_for(test_case, arguments);
  settings.yield = yield_of(arguments);
  const std::unique_ptr<DeviceSide> device =
      open_device(arguments.device.value_or(test_case.device), settings.rank_context.rank);
  CaseRun run(test_case, *device, settings);
  FirstFailure failure;
  for (const Pass pass : passes_of(arguments.group)) {
    if (!can_run(test_case, pass)) continue;
    const auto body = [&run, pass, group = arguments.group] {
      run.run(pass);
      return report_of(run.record(group), pass);
    };
    register_pass({fmt::format("{}/{}", test_case.name, name_of(pass)), steps_of(pass, settings.steps), body}, failure);
  }
  SilentReporter silent;
  benchmark::RunSpecifiedBenchmarks(&silent, ".");
  benchmark::ClearRegisteredBenchmarks();
  if (failure.thrown && arguments.rank) end_rank(arguments, failure.thrown);
  if (failure.thrown) std::rethrow_exception(failure.thrown);
  RunRecord record = run.record(arguments.group);
  record.replicate = arguments.replicate;
  write_file_atomically(arguments.record, to_text(record));
  return done;
}

/// The case whose workload is alive, by hand: one at a time, so that cases do not share memory.
struct Stage {
  std::string case_name;
  std::unique_ptr<DeviceSide> device;
  std::unique_ptr<CaseRun> run;
};

PassReport run_on(Stage& stage, const Case& test_case, const PerftestArguments& arguments, Pass pass) {
  if (test_case.ranks > 1) {
    PassReport nothing;
    nothing.label = fmt::format("not run: trains on {} processes, see --stepgate_record", test_case.ranks);
    return nothing;
  }
  if (stage.case_name != test_case.name) {
    stage = {};
    stage.device = open_device(arguments.device.value_or(test_case.device));
    stage.run = std::make_unique<CaseRun>(test_case, *stage.device, settings_for(test_case, arguments));
    stage.case_name = test_case.name;
  }
  stage.run->run(pass);
  return report_of(stage.run->record(is_timed(pass) ? Group::timed : Group::exact), pass);
}

/// Hands Google Benchmark its own flags; throws Error(usage) for one that it does not know. Keeps a pointer into
/// `program` for its report.
void initialize_benchmark(const std::vector<std::string>& flags, std::string& program) {
  std::vector<std::string> texts = flags;
  std::vector<char*> argv = {program.data()};
  for (std::string& text : texts) argv.push_back(text.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  benchmark::Initialize(&argc, argv.data());
  if (argc > 1) throw Error(ErrorKind::usage, fmt::format("unknown flag {}", argv[1]), "--help lists all flags");
}

int run_by_hand(const std::vector<Case>& given, const PerftestArguments& arguments, std::string& program) {
  initialize_benchmark(arguments.benchmark_arguments, program);
  std::vector<Case> cases;
  for (const Case& one : given) cases.push_back(with_params(one, arguments.params));
  Stage stage;
  std::vector<FirstFailure> failures(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& test_case = cases[i];
    const StepCounts steps = settings_for(test_case, arguments).steps;
    for (const Pass pass : all_passes) {
      if (!can_run(test_case, pass)) continue;
      const auto body = [&stage, &test_case, &arguments, pass] { return run_on(stage, test_case, arguments, pass); };
      register_pass({fmt::format("{}/{}", test_case.name, name_of(pass)), steps_of(pass, steps), body}, failures[i]);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::ClearRegisteredBenchmarks();
  int status = done;
  for (const FirstFailure& failure : failures) {
    if (failure.thrown) status = report_failure(failure.thrown);
  }
  return status;
}

int dispatch(const std::vector<Case>& cases, const PerftestArguments& arguments, std::string& program) {
  switch (arguments.mode) {
    case PerftestMode::help:
      fmt::print("{}", perftest_help(program));
      return done;
    case PerftestMode::list:
      fmt::print("{}", list_text(cases));
      return done;
    case PerftestMode::list_json:
      fmt::print("{}", list_json(cases));
      return done;
    case PerftestMode::record:
      pin_process();
      try {
        return write_record(cases, arguments);
      } catch (...) {
        if (arguments.rank) end_rank(arguments, std::current_exception());
        throw;
      }
    case PerftestMode::by_hand:
      pin_process();
      return run_by_hand(cases, arguments, program);
  }
  return usage;
}

}  // namespace

int run_perftest(int argc, char** argv, const std::vector<Case>& given) {
  std::string program = argc > 0 ? argv[0] : "perftest";
  try {
    std::vector<Case> cases = given;
    cases.push_back(reference_case("cpu"));
    require_well_formed(cases);
    return dispatch(cases, parse_perftest_arguments({argv + std::min(argc, 1), argv + argc}), program);
  } catch (...) {
    return report_failure(std::current_exception());
  }
}

}  // namespace stepgate
