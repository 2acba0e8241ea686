// What happens when the shims open this library.
#include <torch/library.h>

#include "emulator/process/hazard_calls.h"
#include "emulator/process/value_calls.h"
#include "emulator/values/cpu_scope.h"
#include "emulator/values/hazard_dispatch.h"
#include "emulator/values/value_dispatch.h"

/// 0: kernels do nothing; 1: operators have values.
extern "C" int stepgate_emulated_mode();

namespace stepgate::emulator {
namespace {

bool has_values() {
  static const bool has = stepgate_emulated_mode() == 1;
  return has;
}

bool seeks_hazards() {
  static const bool seeks = stepgate_emulated_seeks_hazards();
  return seeks;
}

void run_operator(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const OperatorRun run = has_values() ? run_with_values : run_without_values;
  if (seeks_hazards()) {
    run_with_accesses(run, op, keys, stack);
  } else {
    run(op, keys, stack);
  }
}

__attribute__((constructor)) void open_values() {
  if (has_values()) pin_instructions();
  stepgate_emulated_watch_calls(watch_thread);
  watch_thread();
}

}  // namespace
}  // namespace stepgate::emulator

TORCH_LIBRARY_IMPL(_, Fake, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&stepgate::emulator::run_operator>());
}
