// The three ways to ask for a function of the driver by its name.
#include <cuda_runtime_api.h>

#include "emulator/driver/driver_call.h"
#include "emulator/driver/driver_entry_points.h"
#include "emulator/machine/refusal.h"
#include "emulator/runtime/runtime_call.h"

using namespace stepgate::emulator;

namespace {

struct EntryQuestion {
  const char* function;  ///< that the program called
  const char* name;
  unsigned version = 0;
  unsigned long long flags = 0;
};

/// Equal numbers in the runtime's and the driver's header, with other names.
constexpr unsigned long long legacy_streams = CU_GET_PROC_ADDRESS_LEGACY_STREAM;
constexpr unsigned long long thread_streams = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
static_assert(legacy_streams == static_cast<unsigned long long>(cudaEnableLegacyStream));
static_assert(thread_streams == static_cast<unsigned long long>(cudaEnablePerThreadDefaultStream));

struct EntryAnswer {
  Outcome outcome = Outcome::ok;
  DriverEntry entry = {};
};

EntryAnswer answer_of(const EntryQuestion& question) {
  if (question.name == nullptr || question.version > CUDA_VERSION) return {Outcome::invalid_value};
  if (question.flags == thread_streams) refuse(question.function, "a default stream for each thread");
  if (question.flags != 0 && question.flags != legacy_streams) return {Outcome::invalid_value};
  return {Outcome::ok, driver_entry(question.name, question.version)};
}

cudaDriverEntryPointQueryResult runtime_status(EntryStatus status) {
  if (status == EntryStatus::found) return cudaDriverEntryPointSuccess;
  return status == EntryStatus::no_such_name ? cudaDriverEntryPointSymbolNotFound
                                             : cudaDriverEntryPointVersionNotSufficent;
}

CUdriverProcAddressQueryResult driver_status(EntryStatus status) {
  if (status == EntryStatus::found) return CU_GET_PROC_ADDRESS_SUCCESS;
  return status == EntryStatus::no_such_name ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
                                             : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
}

cudaError_t answer(RuntimeCall& call, const EntryQuestion& question, void** address,
                   cudaDriverEntryPointQueryResult* status) {
  if (address == nullptr) return call.end(Outcome::invalid_value);
  const EntryAnswer found = answer_of(question);
  if (found.outcome != Outcome::ok) return call.end(found.outcome);
  *address = found.entry.address;
  if (status != nullptr) *status = runtime_status(found.entry.status);
  return call.end(Outcome::ok);
}

}  // namespace

cudaError_t cudaGetDriverEntryPoint(const char* name, void** address, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGetDriverEntryPoint_v11030, "cudaGetDriverEntryPoint");
  return answer(call, {"cudaGetDriverEntryPoint", name, CUDART_VERSION, flags}, address, status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** address, unsigned version,
                                             unsigned long long flags, cudaDriverEntryPointQueryResult* status) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGetDriverEntryPointByVersion_v12050,
                   "cudaGetDriverEntryPointByVersion");
  return answer(call, {"cudaGetDriverEntryPointByVersion", name, version, flags}, address, status);
}

CUresult cuGetProcAddress(const char* name, void** address, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuGetProcAddress_v2, "cuGetProcAddress");
  if (address == nullptr || version < 0) return call.end(Outcome::invalid_value);
  const EntryAnswer found = answer_of({"cuGetProcAddress", name, static_cast<unsigned>(version), flags});
  if (found.outcome != Outcome::ok) return call.end(found.outcome);
  *address = found.entry.address;
  if (status != nullptr) *status = driver_status(found.entry.status);
  return call.end(Outcome::ok);
}
