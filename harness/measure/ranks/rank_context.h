// The number of this process among those that train one case together.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace stepgate {

struct RankContext {
  std::int64_t rank = 0;
  std::int64_t ranks = 1;
  std::filesystem::path folder = {};          ///< shared by the ranks and by nobody else; "" with one rank
  std::function<bool(bool mine)> agree = {};  ///< RankLink::agree; empty with one rank

  /// Waits for the other ranks, so that none of them begins to measure while another still builds.
  void meet() const {
    if (agree) static_cast<void>(agree(true));
  }
};

}  // namespace stepgate
