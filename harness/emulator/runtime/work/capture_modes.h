// The runtime's numbers of capture modes and states, and the machine's.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <optional>

#include "emulator/work/stream_capture.h"

namespace stepgate::emulator {

struct CaptureModeRow {
  cudaStreamCaptureMode number;
  CaptureMode mode;
};

inline constexpr CaptureModeRow capture_mode_rows[] = {
    {cudaStreamCaptureModeGlobal, CaptureMode::global},
    {cudaStreamCaptureModeThreadLocal, CaptureMode::thread_local_only},
    {cudaStreamCaptureModeRelaxed, CaptureMode::relaxed},
};

/// Absent for a number that is no mode.
inline std::optional<CaptureMode> capture_mode_of(cudaStreamCaptureMode number) {
  for (const CaptureModeRow& row : capture_mode_rows) {
    if (row.number == number) return row.mode;
  }
  return std::nullopt;
}

inline cudaStreamCaptureMode number_of(CaptureMode mode) {
  return capture_mode_rows[static_cast<std::size_t>(mode)].number;
}

inline cudaStreamCaptureStatus number_of(CaptureStatus status) {
  switch (status) {
    case CaptureStatus::active:
      return cudaStreamCaptureStatusActive;
    case CaptureStatus::invalidated:
      return cudaStreamCaptureStatusInvalidated;
    case CaptureStatus::none:
      break;
  }
  return cudaStreamCaptureStatusNone;
}

}  // namespace stepgate::emulator
