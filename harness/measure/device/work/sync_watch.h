// Counts calls that make the host wait for the device.
#pragma once

#include <cstdint>

namespace stepgate {

class SyncWatch {
 public:
  virtual ~SyncWatch() = default;
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual std::int64_t count() const = 0;  ///< since start()

 protected:
  SyncWatch() = default;
  SyncWatch(const SyncWatch&) = default;
  SyncWatch& operator=(const SyncWatch&) = default;
};

}  // namespace stepgate
