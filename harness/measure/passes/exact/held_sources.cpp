#include "measure/passes/exact/held_sources.h"

#include <fmt/format.h>
#include <malloc.h>
#include <pthread.h>

#include <algorithm>
#include <utility>

#include "measure/memory/page_memory.h"
#include "measure/passes/exact/step_end_counters.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

/// More than the mappings of a process with LibTorch and CUDA need: 1 000 lines of 150 characters.
constexpr std::size_t usual_maps_bytes = 256 * 1024;

/// What a folder may have when it is first read. A walk over so many entries takes about 4 ms, and one with more is a
/// store of files.
constexpr std::int64_t most_entries_at_begin = 2'000;

/// What glibc's malloc has mapped, used or not.
std::int64_t malloc_mapped_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<std::int64_t>(heap.arena + heap.hblkhd);
}

std::int64_t default_stack_bytes() {
  pthread_attr_t attributes;
  std::size_t bytes = 0;
  if (pthread_getattr_default_np(&attributes) != 0) return 0;
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return static_cast<std::int64_t>(bytes);
}

/// "size resident shared text lib data dt": the first and the sixth change with each mapping.
std::string sizes_in(std::string_view statm) {
  std::string sizes;
  for (int word = 0; !statm.empty() && word < 6; ++word) {
    const std::size_t end = std::min(statm.find(' '), statm.size());
    if (word == 0 || word == 5) sizes += fmt::format("{} ", statm.substr(0, end));
    statm.remove_prefix(std::min(end + 1, statm.size()));
  }
  return sizes;
}

}  // namespace

HeldSources::HeldSources(HeldPlaces places) : places_(std::move(places)), children_(places_.process) {
  maps_.reserve(usual_maps_bytes);  // so that reading the mappings maps nothing
}

void HeldSources::look() {
  status_.clear();
  temporary_.reset();
  working_is_new_ = false;
}

const std::string& HeldSources::maps() {
  read_to_end(places_.process / "maps", maps_);
  return maps_;
}

/// Walks the mappings only where the sizes of the memory have changed.
void HeldSources::read_mapped() {
  std::string statm;
  read_to_end(places_.process / "statm", statm);
  std::string sizes = sizes_in(statm);
  if (mapped_ && sizes == statm_of_mapped_) return;
  statm_of_mapped_ = std::move(sizes);
  mapped_.reset();
  if (!read_to_end(places_.process / "maps", maps_) || maps_.empty()) return;
  // Read at once after the mappings, with no allocation in between.
  const std::int64_t of_others = places_.has_driver ? 0 : malloc_mapped_bytes() + PageMemory::held_bytes();
  mapped_ = Mapped{mapped_memory(maps_, !places_.has_driver), of_others};
}

HeldReading HeldSources::mapped_bytes() {
  if (!places_.has_driver && !glibc_serves_malloc())
    return fmt::format("the mappings of malloc, which is that of {}, cannot be told from others", malloc_library());
  read_mapped();
  if (!mapped_) return "/proc/self/maps cannot be read";
  if (places_.has_driver) return mapped_->memory.bytes;
  // A stack is mapped for as long as its thread runs. Threads have a level of their own.
  static const std::int64_t stack = default_stack_bytes();
  const HeldReading running = threads();
  const auto* others = std::get_if<std::int64_t>(&running);
  return mapped_->memory.bytes - mapped_->of_others - (others == nullptr ? 0 : (*others - 1) * stack);
}

HeldReading HeldSources::mapped_files() {
  read_mapped();
  if (!mapped_) return "/proc/self/maps cannot be read";
  return mapped_->memory.files;
}

HeldReading HeldSources::status_bytes(std::initializer_list<std::string_view> keys) {
  if (status_.empty()) read_to_end(places_.process / "status", status_);
  std::optional<std::int64_t> sum;
  for (const std::string_view key : keys) {
    const auto kib = number_after(status_, key);
    if (kib) sum = sum.value_or(0) + *kib * 1024;
  }
  if (!sum) return fmt::format("/proc/self/status has no {}", *keys.begin());
  return *sum;
}

HeldReading HeldSources::threads() {
  if (status_.empty()) read_to_end(places_.process / "status", status_);
  const auto number = number_after(status_, "Threads:");
  if (!number) return "/proc/self/status has no Threads";
  return *number;
}

FolderQuestion HeldSources::temporary_question() const { return {.folder = places_.temporary}; }

/// Its own entries and those of its folders: what other programs build or fetch meanwhile mostly lies deeper.
FolderQuestion HeldSources::working_question() const {
  return {
      .folder = places_.working, .left_out = {places_.records, places_.temporary}, .depth = 2, .enters_hidden = false};
}

HeldReading HeldSources::temporary(std::int64_t FolderCount::*figure) {
  if (places_.temporary.empty()) return "TMPDIR names no folder";
  if (!temporary_) {
    FolderQuestion question = temporary_question();
    if (!std::exchange(was_temporary_read_, true)) question.most_entries = most_entries_at_begin;
    temporary_ = count_folder(question);
  }
  if (!temporary_->is_complete)
    return fmt::format("the folder that TMPDIR names has more than {} entries, or cannot be read",
                       most_entries_at_begin);
  return *temporary_.*figure;
}

std::optional<HeldSources::Written> HeldSources::written() const {
  std::string io;
  read_to_end(places_.process / "io", io);
  const auto calls = number_after(io, "syscw:");
  const auto bytes = number_after(io, "wchar:");
  if (!calls || !bytes) return std::nullopt;
  return Written{*calls, *bytes};
}

/// Other programs work in the same folder. So it is counted anew only after this process wrote something.
void HeldSources::read_working() {
  if (std::exchange(working_is_new_, true) || !why_no_working_.empty()) return;
  const auto now = written();
  if (!now) {
    why_no_working_ = "/proc/self/io does not say what this process writes";
    return;
  }
  const bool is_first = !written_at_begin_;
  if (!is_first && now->calls == written_.calls) return;
  FolderQuestion question = working_question();
  if (is_first) question.most_entries = most_entries_at_begin;
  working_ = count_folder(question);
  written_ = *now;
  if (!is_first) return;
  written_at_begin_ = *now;
  working_at_begin_ = working_;
  if (!working_.is_complete)
    why_no_working_ =
        fmt::format("the working folder has more than {} entries, or cannot be read", most_entries_at_begin);
}

HeldReading HeldSources::working_entries() {
  read_working();
  if (!why_no_working_.empty()) return why_no_working_;
  return working_.entries;
}

/// No more than this process wrote: the rest is of others.
HeldReading HeldSources::working_bytes() {
  read_working();
  if (!why_no_working_.empty()) return why_no_working_;
  return working_at_begin_.bytes +
         std::min(working_.bytes - working_at_begin_.bytes, written_.bytes - written_at_begin_->bytes);
}

}  // namespace stepgate
