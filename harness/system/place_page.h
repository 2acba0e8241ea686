// The memory that the launcher shares with a measured process, in which that process notes where it is. It stays
// readable after the process has crashed or was stopped.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/process_place.h"
#include "system/descriptor.h"

namespace stepgate {

/// The measured process finds the number of the descriptor in it. The value always has the same length: the environment
/// lies above the stack, and moves it.
inline constexpr const char* place_variable = "STEPGATE_PLACE";

/// A case may train on more ranks; the others note nothing.
inline constexpr std::size_t most_places = 8;

/// First bytes of the page. A program whose layout is another one leaves the page alone.
inline constexpr std::uint64_t place_page_mark = 0x73'67'70'6c'61'63'65'31;  // "sgplace1"

struct PlacePageLayout {
  std::uint64_t mark = place_page_mark;
  std::array<ProcessPlace, most_places> ranks;
};

/// The launcher's side.
class PlacePage {
 public:
  /// If the kernel refuses such memory, there is no page and places stay unknown.
  PlacePage();

  /// The process must get it under this number; -1: none.
  int number() const { return file_.number(); }
  /// The value of place_variable.
  std::string value() const;
  /// The place of each rank, with RunStage::unknown for those that wrote nothing.
  std::vector<ProcessPlace> places() const;

 private:
  Descriptor file_;
};

/// The measured process's side: the descriptor that place_variable names. -1 where there is none, or where it is not
/// the page of a launcher with this layout.
int place_descriptor();

/// The memory of one rank in that page, which is written with plain stores. nullptr where `descriptor` is -1 or the
/// page has no room for the rank. The descriptor is not passed on to programs that this process starts.
std::shared_ptr<ProcessPlace> shared_place(int descriptor, std::int64_t rank);

/// What a rank wrote into the page. "" where nothing is known.
std::string text_of_place(int descriptor, std::int64_t rank);

}  // namespace stepgate
