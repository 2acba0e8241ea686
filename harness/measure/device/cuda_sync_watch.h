// Counts calls that make the host wait for the GPU, through LibTorch's own debug mode for them.
#pragma once

#include <cstdint>
#include <memory>

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

/// Synchronising operators warn in that mode. The watch counts these warnings and passes all others to the previous
/// handler. It does not see an explicit device synchronisation, which does not warn. Autograd passes the warnings of
/// its threads to the thread that called backward, so call start() on that thread.
std::unique_ptr<SyncWatch> make_cuda_sync_watch();

}  // namespace stepgate
