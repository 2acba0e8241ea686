// Finds the lines of the user's code behind the program offsets that an observer recorded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/observed_work.h"
#include "launch/frames_by_offset.h"

namespace stepgate {

/// What `addr2line -a -ifC` printed for these offsets, in their order. Names are as in function_name.h, files as
/// printed; functions in sources of the harness come without their place. Parts that are cut off or broken are dropped.
/// Pure.
FramesByOffset frames_in(std::string_view printed, const std::vector<std::uint64_t>& offsets);

/// The path within the repository of the file, as GitHub names it: the nearest folder above it with a .git. A file
/// without one is relative to `source_root`, where it or its equal lies below that, and else stays as it is.
std::string path_in_repository(const std::string& file, const std::filesystem::path& source_root);

/// Resolved places, for processes of the same program.
struct KnownPlaces {
  std::filesystem::path program = {};
  std::string build_id = {};
  std::string not_lines = {};
  bool is_silent = false;  ///< addr2line did not answer: it is not asked again
  FramesFrom frames_from = FramesFrom::nothing;
  FramesByOffset frames = {};  ///< frames of the user's code only
};

/// The place of a program's sources, and what was resolved before.
struct SourcePlace {
  std::filesystem::path program;
  std::filesystem::path source_root = {};  ///< source folder of its project; empty: unknown
  KnownPlaces* known = nullptr;            ///< may be nullptr
};

/// Fills CodePlace::frames: lines by addr2line (one process for all offsets), else functions by the program's symbols,
/// and says in `not_lines` why there are no lines. Only frames of the user's code are kept; offsets stay. Does nothing
/// where the program's build id is another one than the observed, i.e. the program was replaced meanwhile. Never
/// throws.
void resolve_places(ObservedWork& work, const SourcePlace& place);

/// The same without a known source folder.
void resolve_places(ObservedWork& work, const std::filesystem::path& program);

}  // namespace stepgate
