#include "measure/program/record_case.h"

#include <functional>
#include <memory>

#include "json/records/run_record_json.h"
#include "measure/device/emulated_gpu.h"
#include "measure/program/asked_case.h"
#include "measure/program/case/case_passes.h"
#include "measure/program/case/case_run.h"
#include "measure/program/case/emulated_times.h"
#include "measure/program/case/fitted_case.h"
#include "measure/program/perftest_end.h"
#include "measure/program/perftest_ranks.h"
#include "measure/program/window_token.h"
#include "system/files/file.h"
#include "system/place_page.h"

namespace stepgate {
namespace {

void require_release_build(const PerftestArguments& arguments) {
#ifndef NDEBUG
  if (arguments.allow_debug) return;
  throw Error(ErrorKind::usage, "a debug build cannot be measured",
              "configure with CMAKE_BUILD_TYPE=Release (or, to try something out, --stepgate_allow_debug)");
#else
  static_cast<void>(arguments);
#endif
}

/// Waits for the first turn, so that the two processes of a pair never build or warm up at the same time. nullptr where
/// this process is alone.
std::shared_ptr<WindowToken> first_turn(const PerftestArguments& arguments) {
  if (arguments.turns < 0) return nullptr;
  const auto token = std::make_shared<WindowToken>(arguments.turns);
  token->take();
  return token;
}

std::function<void()> yield_of(const std::shared_ptr<WindowToken>& token) {
  if (!token) return {};
  return [token] {
    token->give();
    token->take();
  };
}

/// The ranks wait for each other, so they cannot alternate with another process window by window: all of them run their
/// whole group in one turn.
int run_ranks_in_one_turn(const Case& test_case, PerftestArguments arguments) {
  static_cast<void>(first_turn(arguments));
  std::erase_if(arguments.given, [](const std::string& word) { return word.starts_with("--stepgate_turns"); });
  return run_all_ranks(test_case, arguments);
}

/// A rank that fails ends here, while its workload is still alive: destroying it would wait for the other ranks.
void run_passes(CaseRun& run, const std::vector<Pass>& passes, const PerftestArguments& arguments) {
  try {
    for (const Pass pass : passes) run.run(pass);
  } catch (...) {
    if (arguments.rank) end_rank(arguments, std::current_exception());
    throw;
  }
}

/// If there is no device, notes that for the launcher, which knows whether there should be one.
std::unique_ptr<DeviceSide> device_for(const RunSettings& settings, const std::string& name) {
  try {
    return open_device(name, settings.rank_context.rank);
  } catch (const NoCudaDevice&) {
    if (settings.place) settings.place->stage = RunStage::no_device;
    throw;
  }
}

/// Notes for the launcher that this machine cannot run the case at all.
Case fitted_case(const RunSettings& settings, const DeviceSide& device, const Case& asked) {
  try {
    return fitted_to(device, asked);
  } catch (const GpuTooSmall&) {
    if (settings.place) settings.place->stage = RunStage::gpu_too_small;
    throw;
  }
}

void record_in_this_process(const Case& asked, const PerftestArguments& arguments) {
  RunSettings settings = settings_for(asked, arguments);
  const std::shared_ptr<WindowToken> token = first_turn(arguments);
  settings.yield = yield_of(token);
  settings.place = shared_place(place_descriptor(), settings.rank_context.rank);
  if (settings.place) settings.place->stage = RunStage::before_passes;
  const std::string device_name = arguments.device.value_or(asked.device);
  require_asked_library(device_name, arguments.emulated);
  const std::unique_ptr<DeviceSide> device = device_for(settings, device_name);
  const Case test_case = fitted_case(settings, *device, asked);
  CaseRun run(test_case, *device, settings);
  std::vector<Pass> passes = passes_of(arguments.group);
  std::erase_if(passes, [&](Pass pass) { return !can_run(test_case, pass, settings.steps); });
  run_passes(run, passes, arguments);
  RunRecord record = run.take_record(arguments.group);
  record.replicate = arguments.replicate;
  if (arguments.emulated) drop_emulated_times(record);
  if (token) record.waiting = token->waiting();
  write_file_atomically(arguments.record, to_text(record));
}

}  // namespace

int record_case(const std::vector<Case>& cases, const PerftestArguments& arguments) {
  try {
    require_release_build(arguments);
    const Case test_case = with_params(asked_case(cases, arguments), arguments.params);
    if (test_case.ranks > 1 && !arguments.rank) return run_ranks_in_one_turn(test_case, arguments);
    record_in_this_process(test_case, arguments);
    return done;
  } catch (...) {
    if (arguments.rank) end_rank(arguments, std::current_exception());
    throw;
  }
}

}  // namespace stepgate
