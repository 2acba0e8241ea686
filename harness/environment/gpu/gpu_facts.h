// Facts of GPUs for a measurement's fingerprint, as their driver tells them.
#pragma once

#include <string>
#include <vector>

#include "core/record/fingerprint.h"
#include "environment/gpu/gpu_driver.h"

namespace stepgate {

/// gpu_power_limit_w ("700"), gpu_ecc ("on"), gpu_compute_mode ("exclusive process"), gpu_mig ("off"), gpu_pcie_link
/// ("gen5 x16", the best of GPU and slot: the present link of an idle GPU is slower). A fact that the driver does not
/// tell of every GPU is missing. Facts of several GPUs that differ are joined, in the order of `uuids`: "700;350".
/// Throws nothing.
Fingerprint gpu_facts(GpuDriver& driver, const std::vector<std::string>& uuids);

}  // namespace stepgate
