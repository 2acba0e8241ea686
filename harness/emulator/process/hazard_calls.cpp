#include "emulator/process/hazard_calls.h"

#include "emulator/process/api_scope.h"
#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"

using namespace stepgate::emulator;

extern "C" {

bool stepgate_emulated_seeks_hazards() { return process_hazards() != nullptr; }

void stepgate_emulated_begin_operator(const char* name, std::uint64_t sequence, std::uint64_t forward_of) {
  if (HazardFinder* finder = process_hazards()) {
    finder->begin_operator(thread_state().number, {name, sequence, forward_of});
  }
}

void stepgate_emulated_end_operator(const MemoryAccess* accesses, std::size_t count) {
  HazardFinder* finder = process_hazards();
  if (finder == nullptr) return;
  const std::uint64_t thread = thread_state().number;
  for (const KernelStream& stream : finder->streams_of_operator(thread)) {
    const ApiScope scope(ApiDomain::runtime, 0, "stepgate_emulated_end_operator");
    Caller caller = scope.caller();
    caller.device = stream.device;
    process_machine().add_accesses(caller, stream.stream, {accesses, accesses + count});
  }
  finder->end_operator(thread);
}

void stepgate_emulated_host_accesses(const MemoryAccess* accesses, std::size_t count) {
  if (process_hazards() == nullptr) return;
  const ApiScope scope(ApiDomain::runtime, 0, "stepgate_emulated_host_accesses");
  process_machine().add_host_accesses(scope.caller(), {accesses, accesses + count});
}

void stepgate_emulated_hand_out(const void* address, std::uint64_t bytes) {
  if (HazardFinder* finder = process_hazards()) finder->hand_out(address, bytes);
}

/// What a measured program finds by name: the waits of the calling thread for the device are those of the harness (1),
/// or the program's again (0). Without the harness the program would not have waited.
void stepgate_emulated_own_waits(int are_own);

void stepgate_emulated_own_waits(int are_own) {
  if (HazardFinder* finder = process_hazards()) finder->set_own_waits(thread_state().number, are_own != 0);
}

}  // extern "C"
