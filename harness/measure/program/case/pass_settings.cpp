#include "measure/program/case/pass_settings.h"

#include <sched.h>
#include <sys/resource.h>

#include <cerrno>

#include "core/record/fingerprint_mismatches.h"

namespace stepgate {
namespace {

/// "0-3,8", as the launcher writes a list of CPUs.
std::string text_of(const cpu_set_t& cpus) {
  std::string text;
  for (int first = 0; first < CPU_SETSIZE; ++first) {
    if (!CPU_ISSET(first, &cpus)) continue;
    int last = first;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &cpus)) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(first);
    if (last > first) text += "-" + std::to_string(last);
    first = last;
  }
  return text;
}

}  // namespace

Fingerprint pass_settings(int threads) {
  Fingerprint settings = {{"threads", std::to_string(threads)}};
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (::sched_getaffinity(0, sizeof cpus, &cpus) == 0) settings["affinity"] = text_of(cpus);
  errno = 0;
  const int nice = ::getpriority(PRIO_PROCESS, 0);
  if (errno == 0) settings["priority"] = "nice " + std::to_string(nice);
  return settings;
}

void note_changes(const Fingerprint& before, const Fingerprint& after, Fingerprint& changed) {
  for (const FingerprintMismatch& one : mismatches(before, after)) changed.emplace(one.key, one.found);
}

}  // namespace stepgate
