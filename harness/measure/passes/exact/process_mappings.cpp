#include "measure/passes/exact/process_mappings.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace stepgate {
namespace {

constexpr std::string_view heap_name = "[heap]";

struct Mapping {
  std::int64_t bytes = 0;
  std::string_view access;  ///< "rw-p"
  std::string_view name;    ///< a path, "[heap]", or "" for anonymous memory

  bool is_file() const { return name.starts_with('/'); }
};

std::string_view take_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t end = std::min(line.find(' ', begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

std::int64_t length_of(std::string_view range) {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  const char* const last = range.data() + range.size();
  const auto [middle, error] = std::from_chars(range.data(), last, begin, 16);
  if (error != std::errc{} || middle == last || std::from_chars(middle + 1, last, end, 16).ec != std::errc{}) return 0;
  return static_cast<std::int64_t>(end - begin);
}

/// "7f01a000-7f01b000 rw-p 00000000 00:00 0      [heap]"
Mapping mapping_of(std::string_view line) {
  Mapping mapping;
  mapping.bytes = length_of(take_word(line));
  mapping.access = take_word(line);
  for (int skipped = 0; skipped < 3; ++skipped) take_word(line);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  mapping.name = line;
  return mapping;
}

bool is_device(std::string_view name) {
  // Shared anonymous memory is shown as a deleted /dev/zero.
  return name.starts_with("/dev/") && !name.starts_with("/dev/shm/") && !name.starts_with("/dev/zero");
}

bool is_kernels(std::string_view name) {
  return name.starts_with("[stack") || name.starts_with("[vdso") || name.starts_with("[vvar") ||
         name.starts_with("[vsyscall") || name.starts_with("[uprobes");
}

bool is_counted_mapping(const Mapping& mapping, bool with_anonymous) {
  if (mapping.access.size() < 3 || mapping.access.starts_with("---") || is_kernels(mapping.name)) return false;
  if (mapping.is_file()) return !is_device(mapping.name);
  return with_anonymous && mapping.access[2] != 'x';
}

template <typename Use>
void for_each_counted(std::string_view maps, bool with_anonymous, Use use) {
  while (!maps.empty()) {
    const std::size_t end = std::min(maps.find('\n'), maps.size());
    const Mapping mapping = mapping_of(maps.substr(0, end));
    if (is_counted_mapping(mapping, with_anonymous)) use(mapping);
    maps.remove_prefix(std::min(end + 1, maps.size()));
  }
}

HeldThing thing_of(const Mapping& mapping) {
  if (mapping.is_file()) return {"file", std::string(mapping.name)};
  return {"anonymous memory", std::string(mapping.name)};
}

}  // namespace

MappedMemory mapped_memory(std::string_view maps, bool with_anonymous) {
  MappedMemory memory;
  for_each_counted(maps, with_anonymous, [&](const Mapping& mapping) {
    memory.bytes += mapping.bytes;
    if (mapping.is_file()) ++memory.files;
  });
  return memory;
}

HeldThings mapped_bytes_by_name(std::string_view maps, bool with_anonymous) {
  HeldThings things;
  for_each_counted(maps, with_anonymous, [&](const Mapping& mapping) {
    if (mapping.name != heap_name) things[thing_of(mapping)] += mapping.bytes;
  });
  return things;
}

HeldThings mapped_files_by_name(std::string_view maps) {
  HeldThings things;
  for_each_counted(maps, false, [&](const Mapping& mapping) { ++things[{"", std::string(mapping.name)}]; });
  return things;
}

}  // namespace stepgate
