// Applies, reads and restores one change of the host, of every kind.
#pragma once

#include <optional>
#include <string>

#include "core/host/knob_change.h"
#include "environment/gpu/gpu_driver.h"
#include "environment/host_files/host_files.h"

namespace stepgate {

/// What changes are made through. `gpu` is nullptr without a driver: changes of GPUs then fail with ENODEV.
struct Host {
  HostFiles& files;
  GpuDriver* gpu = nullptr;
};

/// The present value of the change's target, in the form of `original` and `wanted`; absent if it cannot be read or is
/// gone.
std::optional<std::string> current_value(const Host& host, const KnobChange& change);

/// Makes `wanted` true. Returns errno, 0 for no error. Only current_value() shows whether it took effect.
int apply(const Host& host, const KnobChange& change);

/// Makes `original` true. Returns errno. Waits up to `patience_s` for the last process of a folder to end.
int put_back(const Host& host, const KnobChange& change, double patience_s);

/// True if both mean the same to the kernel: "0,1" and "0-1", "isolated" and "isolated\n".
bool same_value(const KnobChange& change, const std::string& left, const std::string& right);

}  // namespace stepgate
