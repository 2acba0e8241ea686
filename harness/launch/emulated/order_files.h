// The files into which the processes of one run wrote the order of their work. How each of them names its own is said
// in emulator/machine/output_path.h.
#pragma once

#include <filesystem>
#include <vector>

namespace stepgate {

/// All in the folder of `order` (order_path()) whose names begin with its name, sorted by name.
std::vector<std::filesystem::path> order_files(const std::filesystem::path& order);

/// What an earlier run left must not be read as this one's.
void remove_order_files(const std::filesystem::path& order);

/// What two runs wrote in the place of one process; empty where one of the two wrote nothing.
struct OrderPair {
  std::filesystem::path one;
  std::filesystem::path other;
};

/// Of the processes that both runs name alike: the first one, and each rank ("order.txt.rank1").
std::vector<OrderPair> named_pairs(const std::filesystem::path& one, const std::filesystem::path& other);

/// Of processes without a rank, which have their process number in the name ("order.txt.4242"). It pairs nothing, so
/// both sides are sorted by size, then by text: where the same orders are on both sides, each meets its like. Throws
/// Error(measure) where one run has more of them than the other, and where one cannot be read.
std::vector<OrderPair> numbered_pairs(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace stepgate
