// Outcomes of the machine as error numbers of the runtime and of the driver, and their names and texts.
#pragma once

#include <cuda.h>
#include <driver_types.h>

#include "emulator/model/outcome.h"

namespace stepgate::emulator {

cudaError_t runtime_error_of(Outcome outcome);
CUresult driver_error_of(Outcome outcome);

/// "cudaErrorInvalidValue"; nullptr for a number that no outcome has.
const char* name_of_runtime_error(cudaError_t error);
/// Own words; "unrecognized error code" for a number that no outcome has.
const char* text_of_runtime_error(cudaError_t error);
const char* name_of_driver_error(CUresult error);
const char* text_of_driver_error(CUresult error);

}  // namespace stepgate::emulator
