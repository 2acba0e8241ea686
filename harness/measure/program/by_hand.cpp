#include "measure/program/by_hand.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>

#include "measure/device/emulated_gpu.h"
#include "measure/program/asked_case.h"
#include "measure/program/benchmark_passes.h"
#include "measure/program/case/case_passes.h"
#include "measure/program/case/case_run.h"
#include "measure/program/case/fitted_case.h"
#include "measure/program/perftest_end.h"

namespace stepgate {
namespace {

/// The case whose workload is alive: one at a time, so that cases do not share memory.
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
    const std::string device_name = arguments.device.value_or(test_case.device);
    require_asked_library(device_name, arguments.emulated);
    stage.device = open_device(device_name);
    stage.run = std::make_unique<CaseRun>(fitted_to(*stage.device, test_case), *stage.device,
                                          settings_for(test_case, arguments));
    stage.case_name = test_case.name;
  }
  stage.run->run(pass);
  return report_of(stage.run->found(), pass);
}

void initialize_benchmark(const std::vector<std::string>& flags, std::string& program) {
  std::vector<std::string> texts = flags;
  std::vector<char*> argv = {program.data()};
  for (std::string& text : texts) argv.push_back(text.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  benchmark::Initialize(&argc, argv.data());
  if (argc > 1) throw Error(ErrorKind::usage, fmt::format("unknown flag {}", argv[1]), "--help lists all flags");
}

}  // namespace

int run_by_hand(const std::vector<Case>& given, const PerftestArguments& arguments, std::string& program) {
  initialize_benchmark(arguments.benchmark_arguments, program);
  std::vector<Case> cases;
  for (const Case& one : given) cases.push_back(with_params(one, arguments.params));
  Stage stage;
  std::vector<FirstFailure> failures(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& test_case = cases[i];
    const StepCounts steps = settings_for(test_case, arguments).steps;
    for (const PassRow& row : pass_table) {
      if (row.group == Group::profile || !can_run(test_case, row.pass, steps)) continue;
      const auto body = [&, pass = row.pass] { return run_on(stage, test_case, arguments, pass); };
      register_pass({fmt::format("{}/{}", test_case.name, row.name), steps.*row.steps, body}, failures[i]);
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

}  // namespace stepgate
