// The key of a baseline: the facts of a fingerprint that are compared first. core/record/fact_table.h lists them.
#pragma once

#include "core/metric.h"
#include "core/record/fingerprint.h"

namespace stepgate {

/// From the in-process facts of group exact. Hardware is not among them: under the pins of this group counts, bytes and
/// losses are bit-equal on every machine (docs/design/metrics.md, "Portable scope"). A missing fact stays missing.
Fingerprint portable_key(const Fingerprint& exact_fingerprint);

/// From the facts of group timed: those that times depend on. For a case on a CPU the driver of a GPU is left out.
Fingerprint runner_key(const Fingerprint& timed_fingerprint);

/// From the facts of group exact on a GPU: what decides which kernels and copies a process starts and how its allocator
/// rounds (docs/decisions/0014-exact-baselines-of-a-gpu.md); and gpu_driver_major, the first number of gpu_driver
/// ("580.65.06" -> "580"). Neither the CPU nor the number of CPUs is among them: they change no counter. A missing fact
/// stays missing.
Fingerprint device_exact_key(const Fingerprint& exact_fingerprint);

/// NumericTrace::key: where these are facts of an emulated GPU, those in the portable key and not in the device key: on
/// them the losses that a CPU computes depend, and no count of a GPU does. Else empty.
Fingerprint numerics_key(const Fingerprint& exact_fingerprint);

/// The switches of LibTorch (FactKind::program) that are no part of the key of that scope. A missing one stays missing.
Fingerprint switches_beside_key(const Fingerprint& facts, Scope scope);

}  // namespace stepgate
