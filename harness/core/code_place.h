// Places in the code of a perftest program: as program offsets, which the process records, and as source lines, which
// the launcher finds for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stepgate {

/// One function on a call stack.
struct SourceFrame {
  std::string function;   ///< demangled, without parameters: "CharLm::forward"; "" if unknown
  std::string file = {};  ///< relative to the project where it lies in it; "" if only the function is known
  std::int64_t line = 0;  ///< 0 if unknown

  bool operator==(const SourceFrame&) const = default;
};

/// A call stack inside the perftest program. Frames of LibTorch, of system libraries and of the harness are left out.
struct CodePlace {
  /// Calls in the program's own file, innermost first: addresses as in the file, each inside its call instruction.
  std::vector<std::uint64_t> offsets;
  /// The same with inlined functions, innermost first. Empty until the launcher has resolved the offsets.
  std::vector<SourceFrame> frames = {};

  bool operator==(const CodePlace&) const = default;
};

/// How frames were found. Function names of one kind are not compared with those of the other: only `lines` knows
/// inlined functions.
enum class FramesFrom { nothing, symbols, lines };

constexpr const char* name_of(FramesFrom from) {
  constexpr const char* names[] = {"nothing", "symbols", "lines"};
  return names[static_cast<std::size_t>(from)];
}

}  // namespace stepgate
