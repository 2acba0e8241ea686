// The processes of a later look join those of the earlier ones.
#pragma once

#include <iterator>
#include <utility>

#include "core/record/measurement.h"

namespace stepgate {

/// They get the next numbers.
inline void join_further_processes(Measurement further, Measurement& all) {
  const std::int64_t first = std::ssize(all.replicates);
  for (Replicate& replicate : further.replicates) {
    replicate.index += first;
    all.replicates.push_back(std::move(replicate));
  }
}

}  // namespace stepgate
