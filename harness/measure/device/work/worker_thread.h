// Which thread runs an operator: one that works for the step, or a worker that loads data ahead of it.
#pragma once

#include <thread>

namespace stepgate {

/// True on a thread that is neither `of_step` nor one that LibTorch runs for the step: autograd's device threads, its
/// thread pools, and the threads that exchange gradients. Called from within an operator.
bool runs_on_worker(std::thread::id of_step);

}  // namespace stepgate
