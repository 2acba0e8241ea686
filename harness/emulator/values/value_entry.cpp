// What happens when the shims open this library.
#include <torch/library.h>

#include "emulator/process/value_calls.h"
#include "emulator/values/cpu_scope.h"
#include "emulator/values/value_dispatch.h"

namespace stepgate::emulator {
namespace {

__attribute__((constructor)) void open_values() {
  pin_instructions();
  stepgate_emulated_watch_calls(watch_thread);
  watch_thread();
}

}  // namespace
}  // namespace stepgate::emulator

TORCH_LIBRARY_IMPL(_, Fake, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&stepgate::emulator::run_with_values>());
}
