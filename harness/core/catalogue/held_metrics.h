// The metrics of what a process holds and may only gather: mappings, descriptors, threads, files. The memory pass reads
// their levels (measure/passes/exact/held_kinds.cpp); what is judged is their growth per step, from zero.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/catalogue/memory_metrics.h"

namespace stepgate::catalogue {

/// The growth of a level. `noise_floor` is also what a difference to a measured base has to exceed. A level that a
/// machine cannot read is absent there, so a growth of 0 is not stored: a baseline from another machine then does not
/// ask for it.
constexpr Metric held(std::string_view series, Metric metric, std::int64_t noise_floor) {
  metric.stores_zero = false;
  return growth(series, from_zero(metric), noise_floor, noise_floor);
}

constexpr Metric held_bytes(std::string_view name, std::string_view label, std::string_view advice) {
  return memory(name, true, label, advice);
}

constexpr Metric held_count(std::string_view name, std::string_view label, std::string_view advice) {
  Metric metric = memory(name, true, label, advice);
  metric.unit = count;
  return metric;
}

/// The least growth that there is. A floor also takes one jump out of a level (judge/reduce/reduce_levels.cpp): a
/// thread or a library that comes late.
inline constexpr std::int64_t one_page = 4096;
inline constexpr std::int64_t one_more = 1;

/// Some 300 lines of 200 characters, more than a step logs. A checkpoint or the dump of a tensor is larger.
inline constexpr std::int64_t log_bytes = 65'536;  // 64 KiB

inline constexpr std::string_view unmapped =
    "memory that malloc does not own: look for mmap() without munmap(), a file or shared memory that each step maps, "
    "or a "
    "library whose handles each step opens.";

inline constexpr std::string_view not_closed =
    "close what each step opens: look for open(), fopen(), socket(), pipe(), eventfd() or memfd_create() without "
    "close(), "
    "and for a stream or a reader that a container keeps.";

inline constexpr std::string_view not_removed =
    "delete what each step writes, or write to one name: look for a temporary file without remove(), a dump or a "
    "checkpoint that is numbered by the step.";

/// Nothing tells who made a file: its owner is the user, and /proc/PID/io counts writes without names.
inline constexpr std::string_view not_removed_or_of_others =
    "delete what each step writes, or write to one name: look for a dump or a checkpoint that is numbered by the step. "
    "If the example is a file of another program, let nothing else make files in the working folder while stepgate "
    "measures.";

inline constexpr std::array held_metrics = {
    held("mapped_bytes", held_bytes("mapped_growth_bytes_per_step", "growth of mapped memory", unmapped), one_page),
    held("mapped_files", held_count("mapped_files_growth_per_step", "new mapped files", unmapped), one_more),
    informative(held("shared_bytes",
                     held_bytes("shared_growth_bytes_per_step", "growth of shared memory",
                                "look for a shared mapping that each step fills further."),
                     one_page)),
    held("locked_bytes",
         held_bytes("locked_growth_bytes_per_step", "growth of locked memory",
                    "memory that can never be swapped: look for mlock() without munlock()."),
         one_page),
    held("descriptors", held_count("descriptors_growth_per_step", "new descriptors", not_closed), one_more),
    held("threads",
         held_count("threads_growth_per_step", "new threads",
                    "join what each step starts: look for a thread, a pool or an executor that is made in a step and "
                    "does not end."),
         one_more),
    held("child_processes",
         held_count("child_processes_growth_per_step", "new child processes",
                    "wait for what each step starts: look for fork(), posix_spawn() or popen() without waitpid() or "
                    "pclose(). A process that ended and was not waited for counts too."),
         one_more),
    held("timers",
         held_count("timers_growth_per_step", "new timers", "look for timer_create() without timer_delete()."),
         one_more),
    held("temporary_files", held_count("temporary_files_growth_per_step", "new temporary files", not_removed),
         one_more),
    held("temporary_bytes", held_bytes("temporary_growth_bytes_per_step", "growth of temporary files", not_removed),
         log_bytes),
    held("working_files",
         held_count("working_files_growth_per_step", "new files in the working folder", not_removed_or_of_others),
         one_more),
    held("working_bytes",
         held_bytes("working_growth_bytes_per_step", "growth of files in the working folder", not_removed_or_of_others),
         log_bytes),
};

}  // namespace stepgate::catalogue
