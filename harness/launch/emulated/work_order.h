// The order of all work that a process gave its emulated GPU, one line each, as the GPU writes it. Two processes of
// which one gets other numbers from the GPU show whether the program's way depends on them, and where first.
// Each thread has an order of its own, since chance decides which of two threads comes first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// "copy device 0 stream 1 device_to_host pageable bytes 4 by _local_scalar_dense at 1a2b30,1a2c10".
struct OrderedWork {
  std::string what;                         ///< without operator and place, at most 200 bytes of it
  std::string operator_name = {};           ///< "aten::_local_scalar_dense"; "" where no operator caused it
  std::vector<std::uint64_t> offsets = {};  ///< calls in the program's own file, innermost first; of copies to the host
};

/// Never throws: what is no place or operator is part of the text.
OrderedWork ordered_work(std::string_view line);

/// Whether the GPU stopped to write it, since it had become too long.
bool is_cut(std::string_view order);

/// Where two orders differ first.
struct OrderDifference {
  std::int64_t line = 0;                ///< counted from 1, of the first order where it has one
  std::optional<OrderedWork> one = {};  ///< absent where this process had ended
  std::optional<OrderedWork> other = {};
  std::optional<OrderedWork> read = {};  ///< the last copy to the host before: what the program may have followed
};

/// Absent where each thread of one did what a thread of the other did. Lines of all but the first thread begin with
/// "thread 2 "; its number is by chance, so it does not count. Nor does the order in which blocks of a pool are freed
/// with nothing in between. Pure; takes any bytes.
std::optional<OrderDifference> order_difference(std::string_view one, std::string_view other);

}  // namespace stepgate
