// Listens to NVTX as Nsight would, from inside this program (NVTX's static injection).
#pragma once

#include <string>
#include <vector>

namespace stepgate::test {

/// "push NAME" and "pop", in order, since the program's first range.
std::vector<std::string>& nvtx_events();

}  // namespace stepgate::test
