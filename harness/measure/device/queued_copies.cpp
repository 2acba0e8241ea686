#include "measure/device/queued_copies.h"

namespace stepgate {

bool queue_copies(DeviceQueue& queue, std::span<const HostBytes> from, std::span<const DeviceBlock> to, CallSite site) {
  bool may_free = true;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].bytes == 0) continue;
    site.tensor = i;
    const bool noted = queue.copy_to_device(from[i], to[i], Stream::copy, site);
    may_free = may_free && noted;
  }
  return may_free;
}

}  // namespace stepgate
