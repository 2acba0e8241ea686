#include "launch/source_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>
#include <set>
#include <system_error>

#include "core/error.h"
#include "launch/braced_call.h"
#include "launch/function_name.h"
#include "launch/source_tree.h"
#include "launch/user_file.h"
#include "system/command_output.h"
#include "system/elapsed.h"
#include "system/elf/elf_symbols.h"
#include "system/repository.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// It answers in some 30 ms; a cold disk takes longer.
constexpr double addr2line_patience_s = 10;
constexpr std::size_t most_addr2line_bytes = std::size_t{16} << 20U;
/// Line tables that take more take longer than its patience, too.
constexpr std::size_t most_addr2line_memory_bytes = std::size_t{4} << 30U;
/// The kernel knows no longer path.
constexpr std::size_t most_path_bytes = 4096;
/// Names of thousands of symbols take milliseconds. A hostile one may take a tenth of a second.
constexpr double symbols_patience_s = 5;
/// Recursion would give thousands.
constexpr std::size_t most_frames = 16;

/// Takes the first line off `text`. Absent where no whole line is left.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

/// "0x000000000040127e"
std::optional<std::uint64_t> address_in(std::string_view line) {
  if (!line.starts_with("0x")) return std::nullopt;
  std::uint64_t address = 0;
  const auto [end, error] = std::from_chars(line.data() + 2, line.data() + line.size(), address, 16);
  return error == std::errc() && end == line.data() + line.size() ? std::optional(address) : std::nullopt;
}

constexpr std::string_view own_namespace = "stepgate::";

/// Whether the name alone says so.
bool is_user_function(std::string_view name) {
  constexpr std::array<std::string_view, 10> others = {
      "std::", "at::", "torch::", "c10::", "caffe2::", "c10d::", "fmt::", "boost::", "benchmark::", "_"};
  return !name.empty() && name != "main" &&
         std::none_of(others.begin(), others.end(), [&](std::string_view other) { return name.starts_with(other); });
}

bool is_in_folder_of_harness(std::string_view file) {
  constexpr std::array<std::string_view, 6> folders = {"/harness/measure/", "/harness/marks/", "/harness/core/",
                                                       "/harness/system/",  "/harness/json/",  "/harness/stats/"};
  return std::any_of(folders.begin(), folders.end(),
                     [&](std::string_view folder) { return file.find(folder) != std::string_view::npos; });
}

/// The path alone does not tell: a user may have a folder harness/core, too. The program's debug information also names
/// the namespace. Root folders of a build would not do: a shared compiler cache and a base build have other ones.
bool is_of_harness(std::string_view function, std::string_view file) {
  if (!is_in_folder_of_harness(file)) return false;
  const std::string name = qualified_name(function);
  return name == "??" || name.starts_with(own_namespace) || !is_user_function(name);
}

/// "/x/model.cpp:61 (discriminator 3)"; "??:0" and "model.cpp:?" name no line.
SourceFrame frame_of(std::string_view function, std::string_view place) {
  SourceFrame frame{function == "??" ? "" : function_name(function)};
  place = place.substr(0, place.find(" (discriminator "));
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) return frame;
  std::int64_t line = 0;
  std::from_chars(place.data() + colon + 1, place.data() + place.size(), line);
  const std::string_view file = place.substr(0, colon);
  if (line <= 0 || colon > most_path_bytes || place.starts_with("??") || is_of_harness(function, file)) return frame;
  frame.file = std::string(file);
  frame.line = line;
  return frame;
}

std::vector<std::uint64_t> offsets_of(const ObservedWork& work) {
  std::set<std::uint64_t> offsets;
  for (const CodePlace& place : work.places) offsets.insert(place.offsets.begin(), place.offsets.end());
  return {offsets.begin(), offsets.end()};
}

FramesByOffset frames_by_lines(const fs::path& program, const std::vector<std::uint64_t>& offsets) {
  std::string input;
  for (const std::uint64_t offset : offsets) input += fmt::format("{:#x}\n", offset);
  const CommandInput limits{.text = std::move(input),
                            .patience_s = addr2line_patience_s,
                            .most_bytes = most_addr2line_bytes,
                            .most_memory_bytes = most_addr2line_memory_bytes};
  return frames_in(command_output({"LC_ALL=C", "addr2line", "-a", "-ifC", "-e", program.string()}, limits), offsets);
}

/// Frames of the user's code with paths of the repository, without main, which only starts the harness. True where one
/// of them has a line.
bool keep_user_lines(FramesByOffset& frames, const fs::path& source_root) {
  std::map<std::string, std::string> paths;
  bool any = false;
  for (auto& [offset, list] : frames) {
    std::erase_if(list, [](const SourceFrame& frame) {
      return frame.file.empty() || frame.function == "main" || !is_user_file(frame.file);
    });
    for (SourceFrame& frame : list) {
      const auto [at, is_new] = paths.try_emplace(frame.file);
      if (is_new) at->second = path_in_repository(frame.file, source_root);
      frame.file = at->second;
      any = true;
    }
  }
  return any;
}

/// Functions of the harness are not the user's. If nothing else is left, the user's are in its namespace, too, as
/// those of stepgate's own workloads are.
FramesByOffset frames_by_symbols(const ElfSymbols& symbols, const std::vector<std::uint64_t>& offsets) {
  FramesByOffset frames;
  FramesByOffset own;
  const auto start = std::chrono::steady_clock::now();
  for (const std::uint64_t offset : offsets) {
    if (seconds_since(start) > symbols_patience_s) break;
    const std::string name = qualified_name_of_symbol(function_at(symbols, offset));
    if (!is_user_function(name)) continue;
    (name.starts_with(own_namespace) ? own : frames)[offset] = {SourceFrame{function_name(name)}};
  }
  return frames.empty() ? own : frames;
}

bool any_frame(const FramesByOffset& frames) {
  return std::any_of(frames.begin(), frames.end(), [](const auto& entry) { return !entry.second.empty(); });
}

bool is_known(const SourcePlace& place, const std::string& build_id) {
  return place.known != nullptr && place.known->build_id == build_id && place.known->program == place.program;
}

/// How the offsets of one program become frames.
KnownPlaces find_places(const SourcePlace& place, const std::string& build_id,
                        const std::vector<std::uint64_t>& offsets) {
  KnownPlaces found{.program = place.program, .build_id = build_id};
  const std::string name = place.program.filename().string();
  const bool was_silent = is_known(place, build_id) && place.known->is_silent;
  FramesByOffset frames = was_silent ? FramesByOffset{} : frames_by_lines(place.program, offsets);
  found.is_silent = frames.empty();
  mend_braced_calls(frames, place.source_root);
  if (keep_user_lines(frames, place.source_root)) {
    found.frames_from = FramesFrom::lines;
    found.frames = std::move(frames);
    return found;
  }
  found.not_lines = frames.empty() ? "addr2line (binutils) is not installed here or does not answer"
                                   : fmt::format("{} holds no line information of the user's code", name);
  const ElfSymbols symbols = read_elf_symbols(place.program);
  found.frames = frames_by_symbols(symbols, offsets);
  if (any_frame(found.frames)) {
    found.frames_from = FramesFrom::symbols;
  } else {
    found.not_lines += symbols.functions.empty() ? fmt::format(", and {} is stripped of its symbols", name)
                                                 : ", and its symbols name no function of the user's code";
  }
  return found;
}

/// The calls of the observer, and those that started the program. They are on every stack and tell no place.
std::set<std::uint64_t> offsets_on_every_stack(const ObservedWork& work) {
  if (work.places.size() < 2) return {};
  std::set<std::uint64_t> shared(work.places.front().offsets.begin(), work.places.front().offsets.end());
  for (const CodePlace& place : work.places) {
    const std::set<std::uint64_t> here(place.offsets.begin(), place.offsets.end());
    std::erase_if(shared, [&](std::uint64_t offset) { return !here.contains(offset); });
  }
  return shared;
}

void put_frames(const KnownPlaces& found, ObservedWork& work) {
  work.frames_from = found.frames_from;
  work.not_lines = found.not_lines;
  // Files tell the harness from its user. Names do not where the user's code is in the namespace of the harness.
  const auto left_out =
      found.frames_from == FramesFrom::symbols ? offsets_on_every_stack(work) : std::set<std::uint64_t>();
  for (CodePlace& place : work.places) {
    place.frames.clear();
    for (const std::uint64_t offset : place.offsets) {
      const auto frames = found.frames.find(offset);
      if (frames == found.frames.end() || left_out.contains(offset)) continue;
      for (const SourceFrame& frame : frames->second) {
        if (place.frames.size() < most_frames) place.frames.push_back(frame);
      }
    }
  }
}

bool knows_all(const SourcePlace& place, const std::string& build_id, const std::vector<std::uint64_t>& offsets) {
  if (build_id.empty() || !is_known(place, build_id)) return false;
  // Only offsets with lines are sure to be in it; without lines a new question costs little.
  return place.known->frames_from == FramesFrom::lines &&
         std::all_of(offsets.begin(), offsets.end(),
                     [&](std::uint64_t offset) { return place.known->frames.contains(offset); });
}

void resolve(ObservedWork& work, const SourcePlace& place) {
  const std::vector<std::uint64_t> offsets = offsets_of(work);
  if (offsets.empty()) return;
  const std::string build_id = build_id_of(place.program);
  if (build_id != work.build_id) {
    work.not_lines =
        fmt::format("{} was replaced since it ran: its build id is another one", place.program.filename().string());
    return;
  }
  if (knows_all(place, build_id, offsets)) return put_frames(*place.known, work);
  KnownPlaces found = find_places(place, build_id, offsets);
  put_frames(found, work);
  if (place.known != nullptr) *place.known = std::move(found);
}

/// What is inlined into a function of the harness, and lies in its folders, is of the harness.
void drop_inlined(std::vector<SourceFrame>& frames) {
  for (SourceFrame& frame : frames) {
    if (is_in_folder_of_harness(frame.file)) frame.file.clear();
  }
}

}  // namespace

FramesByOffset frames_in(std::string_view printed, const std::vector<std::uint64_t>& offsets) {
  FramesByOffset frames;
  std::size_t next = 0;
  std::vector<SourceFrame>* current = nullptr;
  while (const auto line = take_line(printed)) {
    // A function's name may look like an address, but hardly like the next one that was asked for.
    if (next < offsets.size() && address_in(*line) == offsets[next]) {
      current = &frames[offsets[next++]];
      continue;
    }
    const auto place = take_line(printed);
    if (current == nullptr || !place) break;
    // No namespace is known of an inlined function. The last frame of an address is the function that holds the code.
    if (is_of_harness(*line, *place) && qualified_name(*line).starts_with(own_namespace)) drop_inlined(*current);
    if (current->size() < most_frames) current->push_back(frame_of(*line, *place));
  }
  return frames;
}

std::string path_in_repository(const std::string& file, const fs::path& source_root) {
  const fs::path path = fs::path(file).lexically_normal();
  std::error_code error;
  if (path.is_absolute() && fs::exists(path, error)) {
    if (const fs::path repository = repository_around(path); !repository.empty())
      return path.lexically_relative(repository).string();
  }
  if (source_root.empty()) return path.string();
  const fs::path relative = path.lexically_relative(source_root.lexically_normal());
  if (!relative.empty() && *relative.begin() != "..") return relative.string();
  const fs::path tail = tail_within(path, source_root);
  return tail.empty() ? path.string() : tail.string();
}

void resolve_places(ObservedWork& work, const SourcePlace& place) {
  try {
    resolve(work, place);
  } catch (const Error& error) {
    work.not_lines = error.what();
  } catch (const std::exception& error) {
    work.not_lines = fmt::format("addr2line cannot be run: {}", error.what());
  }
}

void resolve_places(ObservedWork& work, const fs::path& program) { resolve_places(work, SourcePlace{program}); }

}  // namespace stepgate
