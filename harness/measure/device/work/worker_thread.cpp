#include "measure/device/work/worker_thread.h"

#include <ATen/Parallel.h>
#include <pthread.h>
#include <torch/csrc/autograd/graph_task.h>

#include <array>
#include <string_view>

namespace stepgate {
namespace {

/// LibTorch names the threads that it starts itself ("pt_autograd_0", "pt_gloo_runloop"), and those of its pools. A
/// loader's worker has the name of the thread that started it.
bool is_named_by_libtorch() {
  std::array<char, 16> text{};  // the kernel's limit, with the final 0
  if (::pthread_getname_np(::pthread_self(), text.data(), text.size()) != 0) return false;
  const std::string_view name = text.data();
  return name.starts_with("pt_") || name.starts_with("PTThreadPool") || name.starts_with("CaffeTaskThread");
}

}  // namespace

bool runs_on_worker(std::thread::id of_step) {
  if (std::this_thread::get_id() == of_step) return false;
  const bool in_backward = torch::autograd::get_current_graph_task_id() != -1;
  if (in_backward || at::in_parallel_region()) return false;
  static thread_local const bool of_libtorch = is_named_by_libtorch();
  return !of_libtorch;
}

}  // namespace stepgate
