// How the part with the operators' values queues its work.
#include <cstdint>
#include <memory>

#include "emulator/process/api_scope.h"
#include "emulator/process/process_machine.h"

extern "C" {

/// Calls run(state) when the work that the stream holds is done, and again with each launch of a graph that captured
/// it; drop(state) when that is over. Returns the number of the Outcome, 0 for ok.
int stepgate_emulated_add_effect(void* stream, void (*run)(void*), void* state, void (*drop)(void*));

int stepgate_emulated_add_effect(void* stream, void (*run)(void*), void* state, void (*drop)(void*)) {
  using namespace stepgate::emulator;
  const std::shared_ptr<void> kept(state, drop);
  const ApiScope scope(ApiDomain::runtime, 0, "stepgate_emulated_add_effect");
  const auto handle = static_cast<StreamHandle>(reinterpret_cast<std::uintptr_t>(stream));
  return static_cast<int>(process_machine().add_effect(scope.caller(), handle, [kept, run] { run(kept.get()); }));
}
}
