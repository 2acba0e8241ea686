// The calls of the part with the operators' values.
#include "emulator/process/value_calls.h"

#include <cstdint>
#include <memory>

#include "emulator/machine/refusal.h"
#include "emulator/process/api_scope.h"
#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"
#include "emulator/process/value_library.h"

using namespace stepgate::emulator;

extern "C" {

int stepgate_emulated_add_effect(void* stream, void (*run)(void*), void* state, void (*drop)(void*)) {
  const std::shared_ptr<void> kept(state, drop);
  const ApiScope scope(ApiDomain::runtime, 0, "stepgate_emulated_add_effect");
  const auto handle = static_cast<StreamHandle>(reinterpret_cast<std::uintptr_t>(stream));
  return static_cast<int>(process_machine().add_effect(scope.caller(), handle, [kept, run] { run(kept.get()); }));
}

int stepgate_emulated_settle(void* stream) {
  const ApiScope scope(ApiDomain::runtime, 0, "stepgate_emulated_settle");
  const auto handle = static_cast<StreamHandle>(reinterpret_cast<std::uintptr_t>(stream));
  return static_cast<int>(process_machine().settle_stream(scope.caller(), handle));
}

OperatorScope stepgate_emulated_exchange_operator(OperatorScope next) {
  OperatorScope& scope = thread_state().operator_scope;
  const OperatorScope before = scope;
  scope = next;
  return before;
}

void stepgate_emulated_watch_calls(void (*call)()) { watch_calls(call); }

void stepgate_emulated_refuse(const char* what, const char* why) { refuse(what, why); }

}  // extern "C"
