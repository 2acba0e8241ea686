// This machine as text, so that measurements of two machines are not taken for those of one.
#pragma once

#include <string>

#include "experiment/plan/measured_host.h"

namespace stepgate {

/// Host, and the CPUs and GPUs of it that measured processes may use: "node3 CPU 0-15 GPU-5a1c...".
std::string place_here(const MeasuredHost& host);

/// The same with the kind of its CPUs and the id of its start: equal texts are one machine between two starts.
std::string machine_here(const MeasuredHost& host);

}  // namespace stepgate
