#include "json/traces/trace_categories.h"

#include <algorithm>
#include <iterator>

namespace stepgate {
namespace {

struct CategoryName {
  std::string_view name;
  TraceCategory category;
};

/// As Kineto writes them, and below as PyTorch 1.8 to 1.11 did.
constexpr CategoryName category_names[] = {
    {"cpu_op", TraceCategory::operator_call},   {"user_annotation", TraceCategory::annotation},
    {"kernel", TraceCategory::kernel},          {"mtia_ccp_events", TraceCategory::kernel},
    {"Operator", TraceCategory::operator_call}, {"Runtime", TraceCategory::runtime_call},
    {"Kernel", TraceCategory::kernel},          {"Memcpy", TraceCategory::copy},
    {"Memset", TraceCategory::memset},
};

/// Each device has names of its own: cuda_runtime, xpu_runtime, privateuse1_driver, gpu_memcpy, mlu_memcpy.
constexpr CategoryName category_endings[] = {
    {"_runtime", TraceCategory::runtime_call}, {"_driver", TraceCategory::runtime_call},
    {"_kernel", TraceCategory::kernel},        {"_memcpy", TraceCategory::copy},
    {"_memset", TraceCategory::memset},
};

/// Events without a category, of torch.autograd.profiler before Kineto and without it.
constexpr CategoryName process_names[] = {
    {"CPU functions", TraceCategory::operator_call},
    {"CUDA functions", TraceCategory::kernel},
    {"XPU functions", TraceCategory::kernel},
};

constexpr std::string_view known_categories[] = {
    "python_function", "overhead", "Trace", "external_correlation", "cpu_instant_event", "cuda_profiler_range",
    "mtia_insight",    "ac2g",     "fwdbwd"};
/// The same ranges on the line of the device, and what it waited for.
constexpr std::string_view known_endings[] = {"_user_annotation", "_sync", "_event"};

TraceKind kind_in(const auto& rows, const auto& fits) {
  const auto row = std::find_if(std::begin(rows), std::end(rows), fits);
  return row == std::end(rows) ? TraceKind{} : TraceKind{row->category, true};
}

bool is_known(std::string_view category) {
  const auto ends = [&](std::string_view ending) { return category.ends_with(ending); };
  return std::find(std::begin(known_categories), std::end(known_categories), category) != std::end(known_categories) ||
         std::any_of(std::begin(known_endings), std::end(known_endings), ends);
}

}  // namespace

TraceKind trace_kind(std::string_view category, std::string_view process) {
  if (category.empty()) return kind_in(process_names, [&](const CategoryName& row) { return row.name == process; });
  TraceKind kind = kind_in(category_names, [&](const CategoryName& row) { return row.name == category; });
  if (!kind.category)
    kind = kind_in(category_endings, [&](const CategoryName& row) { return category.ends_with(row.name); });
  if (!kind.category) kind.known = is_known(category);
  return kind;
}

}  // namespace stepgate
