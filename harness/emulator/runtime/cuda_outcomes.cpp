#include "emulator/runtime/cuda_outcomes.h"

#include <array>
#include <cstddef>

namespace stepgate::emulator {
namespace {

struct ErrorRow {
  Outcome outcome;
  cudaError_t runtime;
  const char* runtime_name;
  CUresult driver;
  const char* driver_name;
};

#define STEPGATE_ROW(outcome, runtime, driver) \
  { Outcome::outcome, runtime, #runtime, driver, #driver }

// In the order of Outcome. A device that is lost has no number of its own: programs report an unknown error.
constexpr std::array<ErrorRow, outcome_rows.size()> rows = {{
    STEPGATE_ROW(ok, cudaSuccess, CUDA_SUCCESS),
    STEPGATE_ROW(not_ready, cudaErrorNotReady, CUDA_ERROR_NOT_READY),
    STEPGATE_ROW(invalid_value, cudaErrorInvalidValue, CUDA_ERROR_INVALID_VALUE),
    STEPGATE_ROW(invalid_handle, cudaErrorInvalidResourceHandle, CUDA_ERROR_INVALID_HANDLE),
    STEPGATE_ROW(invalid_device, cudaErrorInvalidDevice, CUDA_ERROR_INVALID_DEVICE),
    STEPGATE_ROW(no_device, cudaErrorNoDevice, CUDA_ERROR_NO_DEVICE),
    STEPGATE_ROW(out_of_memory, cudaErrorMemoryAllocation, CUDA_ERROR_OUT_OF_MEMORY),
    STEPGATE_ROW(illegal_state, cudaErrorIllegalState, CUDA_ERROR_ILLEGAL_STATE),
    STEPGATE_ROW(not_supported, cudaErrorNotSupported, CUDA_ERROR_NOT_SUPPORTED),
    STEPGATE_ROW(not_mapped, cudaErrorNotMapped, CUDA_ERROR_NOT_MAPPED),
    STEPGATE_ROW(already_registered, cudaErrorHostMemoryAlreadyRegistered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    STEPGATE_ROW(not_registered, cudaErrorHostMemoryNotRegistered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
    STEPGATE_ROW(peer_access_enabled, cudaErrorPeerAccessAlreadyEnabled, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED),
    STEPGATE_ROW(peer_access_missing, cudaErrorPeerAccessNotEnabled, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED),
    STEPGATE_ROW(capture_unsupported, cudaErrorStreamCaptureUnsupported, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
    STEPGATE_ROW(capture_invalidated, cudaErrorStreamCaptureInvalidated, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
    STEPGATE_ROW(capture_merge, cudaErrorStreamCaptureMerge, CUDA_ERROR_STREAM_CAPTURE_MERGE),
    STEPGATE_ROW(capture_unmatched, cudaErrorStreamCaptureUnmatched, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED),
    STEPGATE_ROW(capture_unjoined, cudaErrorStreamCaptureUnjoined, CUDA_ERROR_STREAM_CAPTURE_UNJOINED),
    STEPGATE_ROW(capture_isolation, cudaErrorStreamCaptureIsolation, CUDA_ERROR_STREAM_CAPTURE_ISOLATION),
    STEPGATE_ROW(capture_implicit, cudaErrorStreamCaptureImplicit, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT),
    STEPGATE_ROW(capture_wrong_thread, cudaErrorStreamCaptureWrongThread, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD),
    STEPGATE_ROW(captured_event, cudaErrorCapturedEvent, CUDA_ERROR_CAPTURED_EVENT),
    STEPGATE_ROW(illegal_address, cudaErrorIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS),
    STEPGATE_ROW(uncorrectable_memory, cudaErrorECCUncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE),
    STEPGATE_ROW(device_lost, cudaErrorUnknown, CUDA_ERROR_UNKNOWN),
}};

#undef STEPGATE_ROW

constexpr bool is_in_order() {
  for (std::size_t place = 0; place < rows.size(); ++place) {
    if (static_cast<std::size_t>(rows[place].outcome) != place) return false;
  }
  return true;
}
static_assert(is_in_order());

/// Errors that the runtime's calls find themselves, before the machine hears of them.
struct RuntimeErrorRow {
  cudaError_t error;
  const char* name;
  const char* text;
};

constexpr std::array<RuntimeErrorRow, 6> runtime_rows = {{
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "no library has registered this kernel"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "the device has no room for such a grid or block"},
    {cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration", "the launch has no configuration"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "no library has registered this variable"},
    {cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported", "the devices have no link to each other"},
    {cudaErrorUnsupportedLimit, "cudaErrorUnsupportedLimit", "the device has no such limit"},
}};

const ErrorRow& row_of(Outcome outcome) { return rows[static_cast<std::size_t>(outcome)]; }

const ErrorRow* row_of(cudaError_t error) {
  for (const ErrorRow& row : rows) {
    if (row.runtime == error) return &row;
  }
  return nullptr;
}

const ErrorRow* row_of(CUresult error) {
  for (const ErrorRow& row : rows) {
    if (row.driver == error) return &row;
  }
  return nullptr;
}

const RuntimeErrorRow* runtime_row_of(cudaError_t error) {
  for (const RuntimeErrorRow& row : runtime_rows) {
    if (row.error == error) return &row;
  }
  return nullptr;
}

constexpr const char* no_such_error = "unrecognized error code";

/// The texts of outcomes are literals, so they end with a zero.
const char* text_of(const ErrorRow& row) { return meaning_of(row.outcome).data(); }

}  // namespace

cudaError_t runtime_error_of(Outcome outcome) { return row_of(outcome).runtime; }

CUresult driver_error_of(Outcome outcome) { return row_of(outcome).driver; }

const char* name_of_runtime_error(cudaError_t error) {
  if (const ErrorRow* row = row_of(error)) return row->runtime_name;
  const RuntimeErrorRow* row = runtime_row_of(error);
  return row == nullptr ? nullptr : row->name;
}

const char* text_of_runtime_error(cudaError_t error) {
  if (const ErrorRow* row = row_of(error)) return text_of(*row);
  const RuntimeErrorRow* row = runtime_row_of(error);
  return row == nullptr ? no_such_error : row->text;
}

const char* name_of_driver_error(CUresult error) {
  const ErrorRow* row = row_of(error);
  return row == nullptr ? nullptr : row->driver_name;
}

const char* text_of_driver_error(CUresult error) {
  const ErrorRow* row = row_of(error);
  return row == nullptr ? no_such_error : text_of(*row);
}

}  // namespace stepgate::emulator
