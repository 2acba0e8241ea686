// One change of the host, done, looked at and undone. Every kind of change is here and nowhere else.
#pragma once

#include <optional>
#include <string>

#include "core/host/knob_change.h"
#include "environment/gpu/gpu_driver.h"
#include "environment/host_files/host_files.h"

namespace stepgate {

/// What changes are made through. `gpu` is nullptr where there is no driver: changes of GPUs then fail with ENODEV.
struct Host {
  HostFiles& files;
  GpuDriver* gpu = nullptr;
};

/// How the change's target reads now, in the form of `original` and `wanted`; absent where it cannot be read or is
/// gone.
std::optional<std::string> current_value(const Host& host, const KnobChange& change);

/// Makes `wanted` true. Returns errno, 0 where nothing complained; whether it took effect, current_value() tells.
int apply(const Host& host, const KnobChange& change);

/// Makes `original` true. Returns errno. Folders are given up to `patience_s` to lose their last process.
int put_back(const Host& host, const KnobChange& change, double patience_s);

/// True where both mean the same to the kernel: "0,1" and "0-1", "isolated" and "isolated\n".
bool same_value(const KnobChange& change, const std::string& left, const std::string& right);

}  // namespace stepgate
