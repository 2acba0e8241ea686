#include "measure/passes/exact/held_kinds.h"

#include <dirent.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// Names of the entries except that of the descriptor which reads them; absent where the folder cannot be read.
std::optional<std::vector<std::string>> entries_of(const fs::path& folder) {
  const std::unique_ptr<DIR, CloseFolder> open(::opendir(folder.c_str()));
  if (!open) return std::nullopt;
  const std::string own = std::to_string(::dirfd(open.get()));
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && name != own) names.emplace_back(name);
  }
  return names;
}

std::string text_in(const fs::path& path) {
  std::string text;
  read_to_end(path, text);
  return text.substr(0, text.find('\n'));
}

HeldReading read_mapped_bytes(HeldSources& sources) { return sources.mapped_bytes(); }
HeldReading read_mapped_files(HeldSources& sources) { return sources.mapped_files(); }
HeldReading read_shared(HeldSources& sources) { return sources.status_bytes({"RssShmem:"}); }
/// By mlock(), and pinned for a device by the kernel.
HeldReading read_locked(HeldSources& sources) { return sources.status_bytes({"VmLck:", "VmPin:"}); }
HeldReading read_threads(HeldSources& sources) { return sources.threads(); }

HeldReading read_descriptors(HeldSources& sources) {
  const fs::path folder = sources.places().process / "fd";
  auto names = entries_of(folder);
  if (!names) return "/proc/self/fd cannot be read";
  // The driver of a GPU opens its devices when it likes.
  if (sources.places().has_driver) {
    std::erase_if(*names, [&](const std::string& name) {
      std::error_code closed;
      return fs::read_symlink(folder / name, closed).native().starts_with("/dev/nvidia");
    });
  }
  return std::ssize(*names);
}

HeldReading read_children(HeldSources& sources) {
  const auto children = sources.children().ids();
  if (!children) return "/proc does not tell the parents of processes";
  return std::ssize(*children);
}

HeldReading read_timers(HeldSources& sources) {
  std::string text;
  if (!read_to_end(sources.places().process / "timers", text)) return "this kernel lists no timers (/proc/self/timers)";
  std::int64_t timers = text.starts_with("ID:") ? 1 : 0;
  for (std::size_t at = 0; (at = text.find("\nID:", at)) != std::string::npos; ++at) ++timers;
  return timers;
}

HeldReading read_temporary_files(HeldSources& sources) { return sources.temporary(&FolderCount::entries); }
HeldReading read_temporary_bytes(HeldSources& sources) { return sources.temporary(&FolderCount::bytes); }
HeldReading read_working_files(HeldSources& sources) { return sources.working_entries(); }
HeldReading read_working_bytes(HeldSources& sources) { return sources.working_bytes(); }

HeldThings name_mapped_bytes(HeldSources& sources) {
  return mapped_bytes_by_name(sources.maps(), !sources.places().has_driver);
}
HeldThings name_mapped_files(HeldSources& sources) { return mapped_files_by_name(sources.maps()); }

HeldThings name_descriptors(HeldSources& sources) {
  HeldThings things;
  const fs::path folder = sources.places().process / "fd";
  for (const std::string& name : entries_of(folder).value_or(std::vector<std::string>{})) {
    std::error_code closed;
    const fs::path link = fs::read_symlink(folder / name, closed);
    if (!closed) ++things[descriptor_thing(link.native())];
  }
  return things;
}

HeldThings name_threads(HeldSources& sources) {
  HeldThings things;
  const fs::path tasks = sources.places().process / "task";
  for (const std::string& task : entries_of(tasks).value_or(std::vector<std::string>{})) {
    ++things[{"", text_in(tasks / task / "comm")}];
  }
  return things;
}

HeldThings name_children(HeldSources& sources) {
  HeldThings things;
  for (const std::string& child : sources.children().ids().value_or(std::vector<std::string>{})) {
    ++things[{"", text_in(sources.places().process.parent_path() / child / "comm")}];
  }
  return things;
}

HeldThings name_temporary_files(HeldSources& sources) { return entries_by_name(sources.temporary_question()); }
HeldThings name_temporary_bytes(HeldSources& sources) { return bytes_by_name(sources.temporary_question()); }
HeldThings name_working_files(HeldSources& sources) { return entries_by_name(sources.working_question()); }
HeldThings name_working_bytes(HeldSources& sources) { return bytes_by_name(sources.working_question()); }

constexpr std::array held_kind_table = {
    HeldKind{"mapped_bytes", read_mapped_bytes, name_mapped_bytes},
    HeldKind{"mapped_files", read_mapped_files, name_mapped_files},
    HeldKind{"shared_bytes", read_shared, nullptr},
    HeldKind{"locked_bytes", read_locked, nullptr},
    HeldKind{"descriptors", read_descriptors, name_descriptors},
    HeldKind{"threads", read_threads, name_threads},
    HeldKind{"child_processes", read_children, name_children},
    HeldKind{"timers", read_timers, nullptr},
    HeldKind{"temporary_files", read_temporary_files, name_temporary_files},
    HeldKind{"temporary_bytes", read_temporary_bytes, name_temporary_bytes},
    HeldKind{"working_files", read_working_files, name_working_files},
    HeldKind{"working_bytes", read_working_bytes, name_working_bytes},
};

}  // namespace

std::span<const HeldKind> held_kinds() { return held_kind_table; }

HeldThing descriptor_thing(std::string_view link) {
  constexpr std::string_view anonymous = "anon_inode:";
  constexpr std::string_view deleted = " (deleted)";
  if (link.starts_with(anonymous)) {
    link.remove_prefix(anonymous.size());
    if (link.starts_with('[') && link.ends_with(']')) link = link.substr(1, link.size() - 2);
    return {std::string(link), ""};
  }
  if (link.starts_with("/memfd:")) return {"memfd", std::string(link)};
  if (link.starts_with("/dev/") && !link.starts_with("/dev/shm/")) return {"device", std::string(link)};
  if (link.starts_with('/') && link.ends_with(deleted)) return {"deleted file", std::string(link)};
  if (link.starts_with('/')) return {"file", std::string(link)};
  return {std::string(link.substr(0, link.find(':'))), ""};  // "socket:[4711]", "pipe:[4712]"
}

}  // namespace stepgate
