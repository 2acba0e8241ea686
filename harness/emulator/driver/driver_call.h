// A call of the driver: its scope, and its error number. The driver keeps no last error.
#pragma once

#include <cuda.h>
#include <cupti_driver_cbid.h>

#include "emulator/process/api_scope.h"
#include "emulator/runtime/cuda_outcomes.h"

namespace stepgate::emulator {

/// Use: as RuntimeCall.
class DriverCall {
 public:
  DriverCall(CUpti_driver_api_trace_cbid id, const char* name, const void* parameters = nullptr)
      : scope_(ApiDomain::driver, static_cast<unsigned>(id), name, parameters) {}

  const Caller& caller() const { return scope_.caller(); }
  CUresult end(Outcome outcome) { return end(driver_error_of(outcome)); }
  CUresult end(CUresult error) {
    scope_.set_outcome(static_cast<int>(error));
    return error;
  }

 private:
  ApiScope scope_;
};

}  // namespace stepgate::emulator
