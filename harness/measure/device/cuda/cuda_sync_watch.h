// Counts calls that make the host wait for the GPU, through LibTorch's own debug mode for them.
#pragma once

#include <memory>

#include "measure/device/work/sync_watch.h"

namespace stepgate {

/// Synchronising operators warn in that mode. The watch counts these warnings and passes all others to the previous
/// handler. It does not see an explicit device synchronisation, which does not warn. Autograd passes the warnings of
/// its threads to the thread that called backward, so call start() on that thread.
std::unique_ptr<SyncWatch> make_cuda_sync_watch();

}  // namespace stepgate
