// How far a measured process has come: it writes this while it runs, and the launcher reads it after a crash or a hang.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/boundary.h"

namespace stepgate {

/// How far the user's code is within the steps of one workload or loop. Boundaries are named in here, so that a reader
/// needs no table.
struct StepPlace {
  using Name = std::array<char, max_boundary_name + 8>;  ///< ends with a zero

  std::int64_t step = 0;  ///< number within this workload or loop, from 0; the warm-up counts
  std::uint32_t boundary = 0;
  std::uint32_t is_in_step = 0;  ///< 0: before the first boundary of `step`
  std::array<Name, boundary_slots> names = names_of_table();

  /// What `named` is called from now on.
  void set_name(Boundary named, std::string_view text);

 private:
  static std::array<Name, boundary_slots> names_of_table();
};

enum class RunStage : std::uint32_t {
  unknown,  ///< the program does not say: it is from an older stepgate, or it is not a perftest program
  before_passes,
  warm_up,  ///< with the build of the workload before it
  pass,
  after_passes,
  no_device,      ///< it ended because its device does not exist
  gpu_too_small,  ///< it ended because the case needs more memory than its GPU has
};

/// The layout is part of what two builds of stepgate agree on: change place_page_mark with it (system/place_page.h).
struct ProcessPlace {
  RunStage stage = RunStage::unknown;
  std::array<char, 20> pass = {};  ///< its name
  StepPlace step;

  void enter_pass(std::string_view name);
};

/// Whether it says that the process runs the pass of this name. A measured program can write anything into its place,
/// also a name without an end.
bool is_in_pass(const ProcessPlace& place, std::string_view name);

/// "boundary forward, step 3", "before its first step", "after step 3". "" for what no program of stepgate writes.
std::string text_of(const StepPlace& place);

/// "in pass counts, boundary forward, step 3", "in warm-up, before its first step", "before its first pass". "" where
/// nothing is known.
std::string text_of(const ProcessPlace& place);

}  // namespace stepgate
