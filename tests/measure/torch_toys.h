// Small workloads for the tests with LibTorch, with faults for tests.
#pragma once

#include "stepgate/perftest.h"

namespace stepgate {

/// A fault of a toy workload; each is one line of its step.
enum class Fault {
  no,
  extra_operator,
  item_in_forward,
  keeps_activation,
  leaks,
  extra_tensor,
  throws,
  bad_loss,
  evaluates,            ///< no fault: runs the net in log_step, with NoGradGuard
  evaluates_unguarded,  ///< the same without
  loads_on_a_thread,    ///< an operator of next_batch runs on a thread of its own
  forward_on_a_thread,  ///< the net runs on a thread of its own
  sets_threads,         ///< asks LibTorch for two threads
  keeps_a_journal       ///< each 16th step takes a mebibyte of malloc's, from its step 8 on
};

/// Linear, ReLU, Linear with AdamW on 32 random samples.
Case toy_mlp(Fault fault = Fault::no);

/// What the one call of a whole step does besides its work.
enum class WholeFault {
  no,
  keeps_gradients,  ///< no fault: the gradients of the step are still there after it
  hides_operators,  ///< no fault: says that operators bypass the dispatcher
  captures_late,    ///< says that it made a CUDA graph in its first step and another one in its fourth
  holds_graphs,     ///< keeps the loss of every step with its graph
  no_number         ///< returns more than one number
};

/// Linear, ReLU, Linear with SGD on 32 random samples, with a step that is one call. The same work for every fault but
/// `holds_graphs`.
Case toy_whole_step(WholeFault fault = WholeFault::no);

/// The same model, data and optimizer with the usual boundaries.
Case toy_eager_twin();

/// Convolution, batch norm, GELU, linear with SGD: the operators that oneDNN runs (docs/design/metrics.md, "Portable
/// scope").
Case toy_conv();

}  // namespace stepgate
