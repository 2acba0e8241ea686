// The queues of a device that stepgate uses: one for the workload's compute, one for copies.
#pragma once

namespace stepgate {

enum class Stream { compute, copy };

}  // namespace stepgate
