// How many kernels and memsets the libraries of a real GPU start for a call, as one trace of that GPU shows.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace stepgate {

/// Over equal calls.
struct LeastAndMost {
  std::int64_t least = 0;
  std::int64_t most = 0;

  bool operator==(const LeastAndMost&) const = default;
};

/// One library call: all calls of the trace with that operator, dtypes, sizes, layout and arguments.
struct CalibratedCall {
  std::int64_t calls = 0;  ///< how often the trace has it, at least 1
  LeastAndMost kernels;
  LeastAndMost memsets;

  /// Equal calls started different numbers of kernels: the trace says nothing of the next one, so it is not used.
  bool is_ambiguous() const { return kernels.least != kernels.most; }
  bool operator==(const CalibratedCall&) const = default;
};

/// Library kernels of the trace that are in no row.
struct UncalibratedKernels {
  std::int64_t outside_operators = 0;  ///< launched while no operator ran, or before the recording
  std::int64_t in_graphs = 0;          ///< of CUDA graphs, whose nodes no operator launches
  std::int64_t without_operands = 0;   ///< the trace does not hold dtypes, sizes, strides and arguments of the call

  bool operator==(const UncalibratedKernels&) const = default;
};

struct LibraryCalibration {
  std::string source;                           ///< the file's name, for messages; not stored
  std::string gpu;                              ///< "NVIDIA H100 80GB HBM3"
  std::string cuda_runtime;                     ///< "12.4"; "" where the trace does not say
  std::string cuda_driver;                      ///< "12.9", the newest CUDA that the driver knows; likewise
  std::map<std::string, CalibratedCall> calls;  ///< by calibration_key()
  UncalibratedKernels left_out;

  bool operator==(const LibraryCalibration&) const = default;
};

}  // namespace stepgate
