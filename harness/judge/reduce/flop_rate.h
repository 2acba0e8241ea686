// Model FLOPs utilisation: the declared FLOPs per second against what the device could do.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/record/fingerprint.h"
#include "core/verdict/case_values.h"
#include "core/verdict/paired_values.h"

namespace stepgate {

/// Dense TFLOP/s by dtype ("bfloat16"), as a policy states them for a runner class; they go before the table.
using StatedPeaks = std::map<std::string, double>;

/// The peak of one device, or why it is not known.
struct DevicePeak {
  std::optional<double> tflop_per_s = std::nullopt;
  std::string reason = {};  ///< "" where it is known
};

/// By the facts gpu, dtype, tf32_matmul and tf32_cudnn of a process. The table holds dense rates (without structured
/// sparsity) of whole GPUs; a MIG slice and a CPU have a peak only where `stated` gives it. `convolves`: the step has
/// convolutions, which LibTorch lets cuDNN compute in TF32 by default. Absent: not known, and then float32 has no peak
/// where only convolutions may use TF32.
DevicePeak device_peak(const Fingerprint& facts, const StatedPeaks& stated, std::optional<bool> convolves);

/// Adds mfu_ratio = tflop_per_s / (peak * ranks), one value per process, or the reason why it is absent.
void add_utilisation(const StatedPeaks& stated, CaseValues& values);

/// Adds mfu_ratio to pairs whose processes on both sides have the peak of the head's: the facts that it depends on are
/// in the key that both builds must agree in. `head` is what the function above gave; without its MFU nothing is added.
void add_utilisation(const CaseValues& head, PairedValues& pairs);

}  // namespace stepgate
