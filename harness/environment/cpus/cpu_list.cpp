#include "environment/cpus/cpu_list.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <iterator>
#include <memory>

#include "core/error.h"

namespace stepgate {
namespace {

// Far above any machine that exists; keeps "0-4000000000" from filling the memory.
constexpr int highest_cpu = 1 << 16;

struct CpuRange {
  int first = 0;
  int last = 0;
};

std::optional<int> number_from(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value >= highest_cpu) {
    return std::nullopt;
  }
  return value;
}

std::optional<CpuRange> range_from(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = number_from(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number_from(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return CpuRange{*first, *last};
}

struct FreeCpuSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};
using CpuSet = std::unique_ptr<cpu_set_t, FreeCpuSet>;

}  // namespace

std::optional<CpuList> cpu_list_from_text(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  CpuList cpus;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const auto range = range_from(text.substr(0, comma));
    if (!range) return std::nullopt;
    for (int cpu = range->first; cpu <= range->last; ++cpu) cpus.push_back(cpu);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return std::nullopt;
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string text_of(const CpuList& cpus) {
  std::string text;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += last == first ? fmt::format("{}", cpus[first]) : fmt::format("{}-{}", cpus[first], cpus[last]);
    first = last + 1;
  }
  return text;
}

CpuList intersection(const CpuList& left, const CpuList& right) {
  CpuList both;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
  return both;
}

CpuList difference(const CpuList& from, const CpuList& removed) {
  CpuList rest;
  std::set_difference(from.begin(), from.end(), removed.begin(), removed.end(), std::back_inserter(rest));
  return rest;
}

CpuList allowed_cpus() {
  // The kernel refuses (EINVAL) a set smaller than its own, whose size it does not tell: grow until it fits.
  for (int capacity = CPU_SETSIZE; capacity <= highest_cpu; capacity *= 2) {
    const CpuSet set(CPU_ALLOC(static_cast<std::size_t>(capacity)));
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    if (sched_getaffinity(0, bytes, set.get()) != 0) {
      if (errno == EINVAL) continue;
      break;
    }
    CpuList cpus;
    for (int cpu = 0; cpu < capacity; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set.get())) cpus.push_back(cpu);
    }
    return cpus;
  }
  throw Error(ErrorKind::measure, fmt::format("cannot read the CPUs that may be used: {}", std::strerror(errno)),
              "check whether a sandbox forbids sched_getaffinity");
}

AffinityMask::AffinityMask(const CpuList& cpus) {
  const int bits = static_cast<int>(sizeof(unsigned long)) * CHAR_BIT;
  words_.resize(cpus.empty() ? 1 : static_cast<std::size_t>(cpus.back() / bits + 1));
  for (int cpu : cpus) words_[static_cast<std::size_t>(cpu / bits)] |= 1UL << (cpu % bits);
}

int AffinityMask::apply_to_calling_thread() const noexcept {
  // The kernel reads an array of longs; the C library's fixed cpu_set_t would end at CPU 1023.
  return ::syscall(SYS_sched_setaffinity, 0, words_.size() * sizeof(unsigned long), words_.data()) == 0 ? 0 : errno;
}

bool AffinityMask::is_of_calling_thread() const noexcept {
  constexpr std::size_t most_words = 1024;  // 65 536 CPUs: the kernel refuses a set smaller than its own
  unsigned long found[most_words];
  const long bytes = ::syscall(SYS_sched_getaffinity, 0, sizeof found, found);
  if (bytes <= 0) return false;
  const auto words = static_cast<std::size_t>(bytes) / sizeof(unsigned long);
  for (std::size_t i = 0; i < std::max(words, words_.size()); ++i) {
    const unsigned long wanted = i < words_.size() ? words_[i] : 0;
    if ((i < words ? found[i] : 0) != wanted) return false;
  }
  return true;
}

}  // namespace stepgate
