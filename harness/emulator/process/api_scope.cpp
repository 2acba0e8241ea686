#include "emulator/process/api_scope.h"

#include <atomic>

#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"
#include "emulator/process/value_library.h"

namespace stepgate::emulator {
namespace {

/// Numbers count from 1: CUPTI has 0 for work without a call.
std::uint32_t next_correlation() {
  static std::atomic<std::uint32_t> last{0};
  return ++last;
}

}  // namespace

ApiScope::ApiScope(ApiDomain domain, unsigned id, const char* name, const void* parameters)
    : ApiScope(ApiCall{.domain = domain, .id = id, .name = name, .parameters = parameters}) {}

ApiScope::ApiScope(ApiDomain domain, unsigned id, const char* name, const LaunchedKernel& kernel)
    : ApiScope(ApiCall{
          .domain = domain, .id = id, .name = name, .symbol = kernel.name.empty() ? nullptr : kernel.name.data()}) {}

ApiScope::ApiScope(const ApiCall& call) : call_(call) {
  tell_value_library();
  const ThreadState& state = thread_state();
  const std::uint32_t correlation = next_correlation();
  caller_ = {.device = state.device,
             .capture_mode = state.capture_mode,
             .thread = state.number,
             .correlation = correlation,
             .function = call.name};
  call_.correlation = correlation;
  call_.thread = state.number;
  call_.correlation_data = &correlation_data_;
  if (call.id == 0) return;
  for (MachineObserver* observer : process_machine().observers()) observer->entered(call_);
}

ApiScope::~ApiScope() {
  if (call_.id == 0) return;
  for (MachineObserver* observer : process_machine().observers()) observer->left(call_);
}

}  // namespace stepgate::emulator
