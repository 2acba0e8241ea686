// Facts about this process: versions, pins, build. They are part of a baseline's key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/record/fingerprint.h"
#include "core/record/run_record.h"
#include "measure/program/case/cuda_settings.h"
#include "stepgate/perftest.h"

namespace stepgate {

/// Facts that the process itself cannot be asked for.
struct FingerprintInput {
  const Case& test_case;
  Group group = Group::timed;
  StepCounts steps;
  std::string device;  ///< where it ran, which may differ from what the case declares
  std::uint64_t seed = 0;
  std::string data_digest;
  std::optional<std::int64_t> compile_seconds = std::nullopt;  ///< set for a step that was compiled ahead of time
  Fingerprint device_facts;                                    ///< DeviceSide::facts()
};

/// Keys as listed in core/record/fingerprint.h; on cuda with the switches of LibTorch and the allocator's text, where
/// `device_facts` does not hold them; default_dtype where it is not float32; instead of `steps` there is `exact_steps`
/// or `timed_steps`, depending on the group. Call it after the passes, so that it says what they ran with.
Fingerprint process_fingerprint(const FingerprintInput& input);

/// "tuned" where both glibc thresholds stand as the launcher sets them (docs/design/measurement.md, "The C allocator":
/// one alone is worse than none), "system" where nothing is set, else what is set, e.g. "MALLOC_TOP_PAD_=67108864".
std::string malloc_setting(const EnvironmentReader& environment);

/// The instruction set that oneDNN may use: its own limit, or "default". A limit above what the CPU has
/// reads as the CPU's own.
std::string onednn_setting(const EnvironmentReader& environment, bool cpu_has_avx2);

/// LibTorch obeys ATEN_CPU_CAPABILITY even where the CPU lacks those instructions. This removes such a pin, so that the
/// process runs and its fingerprint says what it ran with. Call it before the first operator.
void drop_isa_pin_beyond_cpu();

}  // namespace stepgate
