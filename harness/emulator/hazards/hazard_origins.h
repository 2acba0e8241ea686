// Which operator and which lines of the program made an access.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emulator/work/operation.h"

namespace stepgate::emulator {

struct HazardOrigin {
  std::string operator_name;           ///< "aten::add"; "" outside of operators
  std::vector<std::uint64_t> offsets;  ///< of the program's file, innermost first (machine/program_offsets.h)
  bool for_forward = false;            ///< in backward: the offsets are those of the forward operator

  auto operator<=>(const HazardOrigin&) const = default;
};

/// An operator that a thread begins.
struct OperatorCall {
  std::string name;
  std::uint64_t sequence = 0;    ///< by which its backward names it; 0 where it has none
  std::uint64_t forward_of = 0;  ///< in backward: the sequence of the forward operator
};

/// A stream as the program names it.
struct KernelStream {
  int device = 0;
  StreamHandle stream = default_stream;

  bool operator==(const KernelStream&) const = default;
};

/// What each thread is in, and a number for each place that made an access. Calls come one at a time.
class HazardOrigins {
 public:
  void begin_operator(std::uint64_t thread, OperatorCall call);
  void end_operator(std::uint64_t thread);
  /// A kernel that the thread launches in this stream belongs to its innermost operator. False where it is in none.
  bool add_kernel(std::uint64_t thread, const KernelStream& stream);
  /// The streams of the kernels of the innermost operator itself, without those of operators that it called.
  std::vector<KernelStream> streams_of_operator(std::uint64_t thread) const;

  /// Of the call that the thread makes now, from its stack; never 0.
  std::uint32_t number_of(std::uint64_t thread);
  /// Of no place for 0.
  const HazardOrigin& at(std::uint32_t number) const { return origins_.at(number); }

 private:
  struct Frame {
    OperatorCall call;
    std::vector<KernelStream> streams = {};
  };

  std::map<std::uint64_t, std::vector<Frame>> frames_;
  std::map<HazardOrigin, std::uint32_t> numbers_;
  std::vector<HazardOrigin> origins_ = {HazardOrigin()};
  std::map<std::uint64_t, std::vector<std::uint64_t>> forward_offsets_;  ///< by sequence
};

}  // namespace stepgate::emulator
