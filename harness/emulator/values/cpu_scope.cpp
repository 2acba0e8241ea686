#include "emulator/values/cpu_scope.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include <cstdlib>

namespace stepgate::emulator {
namespace {

c10::DispatchKeySet left_out() {
  return c10::default_excluded_set | c10::autocast_dispatch_keyset | c10::autograd_dispatch_keyset |
         c10::DispatchKeySet(c10::DispatchKey::ADInplaceOrView);
}

}  // namespace

CpuScope::CpuScope() : keys_(c10::default_included_set, left_out()), threads_before_(at::get_num_threads()) {
  if (threads_before_ != 1) at::set_num_threads(1);
}

CpuScope::~CpuScope() {
  if (threads_before_ != 1) at::set_num_threads(threads_before_);
}

void pin_instructions() {
  constexpr int keep = 0;
  if (__builtin_cpu_supports("avx2") == 0) return;
  ::setenv("ATEN_CPU_CAPABILITY", "avx2", keep);
  ::setenv("ONEDNN_MAX_CPU_ISA", "AVX2", keep);
  static_cast<void>(at::get_cpu_capability());  // reads the variable once
}

}  // namespace stepgate::emulator
