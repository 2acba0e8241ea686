// The main of every perftest program. This file, perftest_end and perftest_ranks are the only ones of this layer that
// print, besides Google Benchmark in by_hand.
#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>

#include "measure/program/by_hand.h"
#include "measure/program/case/process_fingerprint.h"
#include "measure/program/case_list.h"
#include "measure/program/perftest_arguments.h"
#include "measure/program/perftest_end.h"
#include "measure/program/record_case.h"
#include "measure/program/reference/reference_case.h"
#include "stepgate/perftest.h"

namespace stepgate {
namespace {

void pin_process() {
  drop_isa_pin_beyond_cpu();
  if (at::get_num_interop_threads() == 1) return;
  try {
    at::set_num_interop_threads(1);
  } catch (const c10::Error&) {
    // Can be set once per process, and the program was first. The record says what it set, and the launcher refuses it.
  }
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
      return record_case(cases, arguments);
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
