// The same work on many files, on all CPUs, with the result of a loop.
#pragma once

#include <cstddef>
#include <functional>

namespace stepgate {

/// Calls work(0) to work(count - 1), each once, and returns when all have ended. They begin in order, on `threads`
/// threads; 0: as many as there are CPUs. After an error no further one begins. The error of the first in order is
/// thrown, as by a loop, whichever thread is the first to fail.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work, std::size_t threads = 0);

/// For work that mostly waits until files are on the disk: several for each CPU.
std::size_t threads_that_wait();

}  // namespace stepgate
