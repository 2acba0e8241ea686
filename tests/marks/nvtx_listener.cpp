#include "marks/nvtx_listener.h"

// Declarations only: the implementation would add a weak definition of the symbol that this file defines.
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

namespace stepgate::test {

std::vector<std::string>& nvtx_events() {
  static std::vector<std::string> events;
  return events;
}

namespace {

int NVTX_API on_push(const char* name) {
  nvtx_events().push_back(std::string("push ") + name);
  return 0;
}

int NVTX_API on_pop() {
  nvtx_events().push_back("pop");
  return 0;
}

int NVTX_API listen(NvtxGetExportTableFunc_t export_table) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(export_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) == 0) return 0;
  *table[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(on_push);
  *table[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(on_pop);
  return 1;
}

}  // namespace
}  // namespace stepgate::test

extern "C" {
NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr = stepgate::test::listen;
}
