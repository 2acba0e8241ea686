// Sets of CPU numbers as the kernel writes them: "0-3,8".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// CPU numbers, ascending, each once.
using CpuList = std::vector<int>;

/// Reads the kernel's list format ("0-3,8", trailing newline allowed). Absent for anything else, "(null)" included; an
/// empty text is an empty list.
std::optional<CpuList> cpu_list_from_text(std::string_view text);

/// The same format back: {0,1,2,5} -> "0-2,5".
std::string text_of(const CpuList& cpus);

CpuList intersection(const CpuList& left, const CpuList& right);
CpuList difference(const CpuList& from, const CpuList& removed);

/// The CPUs that this process may run on (sched_getaffinity), on machines with any number of CPUs.
/// Throws Error(measure) where the kernel refuses to say.
CpuList allowed_cpus();

/// A set of CPUs in the kernel's form. It is built beforehand: applying it allocates nothing, which is required between
/// fork and exec.
class AffinityMask {
 public:
  explicit AffinityMask(const CpuList& cpus);

  /// Moves the calling thread onto these CPUs. Returns errno, 0 where it worked. Async-signal-safe.
  int apply_to_calling_thread() const noexcept;

  /// Whether the calling thread may run on these CPUs and no others. False where the kernel does not say.
  /// Async-signal-safe.
  bool is_of_calling_thread() const noexcept;

 private:
  std::vector<unsigned long> words_;
};

}  // namespace stepgate
