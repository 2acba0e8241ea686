#include "emulator/process/process_machine.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/hazards/hazard_finder.h"
#include "emulator/machine/call_log.h"
#include "emulator/machine/call_order.h"
#include "emulator/machine/output_path.h"
#include "emulator/machine/refusal.h"
#include "emulator/machine/size_reads.h"
#include "emulator/machine/value_room.h"
#include "emulator/memory/host_room.h"
#include "emulator/model/device_script.h"
#include "emulator/model/machine_options.h"
#include "emulator/process/value_library.h"

namespace stepgate::emulator {
namespace {

constexpr std::string_view own_prefix = "libstepgate_emulated_";

[[noreturn]] void end_with_message(const std::string& message) {
  constexpr int usage_status = 2;
  end_process("stepgate: " + message + "\n", usage_status);
}

/// What the process was started with, and what watches its machine. Nothing of it is freed: LibTorch calls the library
/// from destructors that run after those of this library.
struct ProcessState {
  std::optional<MachineOptions> options;  ///< absent without the variable
  std::string title;
  DeviceScript script;
  std::unique_ptr<CallLog> log;
  std::unique_ptr<CallOrder> order;
  std::unique_ptr<HazardFinder> hazards;
  /// "NAME=value" of what was taken out of the environment: a child gets the same machine with them.
  std::vector<std::string> taken;
  ::pid_t process = 0;
};

ProcessState& process_state() {
  static ProcessState& state = *new ProcessState;
  return state;
}

std::vector<MachineObserver*>& registered_observers() {
  static std::vector<MachineObserver*>& observers = *new std::vector<MachineObserver*>;
  return observers;
}

std::optional<std::string> environment_value(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// "/folder/" of this library; "" where the loader does not tell.
std::string own_folder() {
  ::Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&process_state), &info) == 0 || info.dli_fname == nullptr) return "";
  const std::string path = info.dli_fname;
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

bool is_own_entry(std::string_view entry, std::string_view folder) {
  const std::size_t slash = entry.rfind('/');
  const bool has_folder = slash != std::string_view::npos;
  const std::string_view name = has_folder ? entry.substr(slash + 1) : entry;
  if (name.starts_with(own_prefix)) return true;
  return has_folder && !folder.empty() && entry.substr(0, slash + 1) == folder;
}

/// Takes our entries out of a list of libraries, so that no child of the process inherits them. Others stay.
void clean_library_list(const char* variable, std::string_view separators, std::string_view folder) {
  const std::optional<std::string> list = environment_value(variable);
  if (!list) return;
  std::string kept;
  std::string_view rest = *list;
  while (!rest.empty()) {
    const std::string_view entry = rest.substr(0, rest.find_first_of(separators));
    rest.remove_prefix(entry.size() == rest.size() ? rest.size() : entry.size() + 1);
    if (entry.empty() || is_own_entry(entry, folder)) continue;
    if (!kept.empty()) kept += ':';
    kept += entry;
  }
  if (kept.empty()) {
    ::unsetenv(variable);
  } else {
    ::setenv(variable, kept.c_str(), 1);
  }
}

/// Own choice: a script has a line for each event of a test.
constexpr std::uintmax_t most_script_bytes = 1 << 20;

DeviceScript script_of(const MachineOptions& options) {
  if (options.script_path.empty()) return {};
  std::error_code error;
  if (!std::filesystem::is_regular_file(options.script_path, error)) {
    throw std::invalid_argument("the script " + options.script_path + " is no regular file");
  }
  if (std::filesystem::file_size(options.script_path, error) > most_script_bytes) {
    throw std::invalid_argument("the script " + options.script_path + " is longer than 1 MiB");
  }
  std::ifstream file(options.script_path);
  if (!file) throw std::invalid_argument("cannot read the script " + options.script_path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return read_device_script(text);
}

/// A log that cannot be written would else be silently none.
void require_writable(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status found = std::filesystem::status(path, error);
  const bool may_be_written = !std::filesystem::exists(found) || std::filesystem::is_regular_file(found);
  if (path.empty() || (may_be_written && std::ofstream(path, std::ios::app))) return;
  throw std::invalid_argument("cannot write " + path);
}

void read_options(ProcessState& state, const std::string& text, const std::string& rank) {
  try {
    state.options = read_machine_options(text);
    state.script = script_of(*state.options);
    for (std::string* path : {&state.options->log_path, &state.options->order_path}) {
      *path = output_path(*path, rank);
      require_writable(*path);
    }
    require_writable(state.options->hazards_path);  // ranks share it
  } catch (const std::invalid_argument& error) {
    end_with_message(std::string(machine_variable) + ": " + error.what());
  }
  state.title = machine_title(*state.options);
  const std::string lack = lack_of_room(*state.options, read_host_room(""));
  if (!lack.empty()) end_with_message(lack);
}

/// The variables that make this machine, as they are now.
std::vector<std::string> machine_variables() {
  std::vector<std::string> found;
  for (const char* name : {"LD_AUDIT", "LD_PRELOAD", machine_variable}) {
    if (const auto value = environment_value(name)) found.push_back(std::string(name) + "=" + *value);
  }
  return found;
}

/// Ends the files. A child that was forked has copies of them, and writes nothing.
void close_files() {
  ProcessState& state = process_state();
  if (state.process != ::getpid()) return;
  if (state.log) state.log->close();
  if (state.hazards) state.hazards->close();
}

/// Before main: a program may start others in its first line, and they must not inherit the variables.
__attribute__((constructor)) void read_environment() {
  ProcessState& state = process_state();
  state.process = ::getpid();
  const std::string folder = own_folder();
  std::vector<std::string> variables = machine_variables();
  clean_library_list("LD_AUDIT", ":", folder);
  clean_library_list("LD_PRELOAD", ": ", folder);
  const std::optional<std::string> text = environment_value(machine_variable);
  if (!text) return;  // the first call that needs a machine says so
  const std::string rank =
      environment_value(rank_variable).value_or(environment_value(common_rank_variable).value_or(""));
  ::unsetenv(machine_variable);
  ::unsetenv(rank_variable);
  state.taken = std::move(variables);
  read_options(state, *text, rank);
  state.log = std::make_unique<CallLog>(state.options->log_path);
  if (!state.options->order_path.empty()) state.order = std::make_unique<CallOrder>(state.options->order_path);
  const std::string& hazards_path = state.options->hazards_path;
  if (!hazards_path.empty()) state.hazards = std::make_unique<HazardFinder>(hazards_path);
  std::atexit(close_files);
}

/// Ends the process where the host does not give the address space after all.
EmulatedMachine& machine_of(const ProcessState& state) {
  try {
    return *new EmulatedMachine(*state.options, environment_value("CUDA_VISIBLE_DEVICES"), state.script);
  } catch (const std::exception& error) {
    end_with_message("cannot make the emulated machine: " + std::string(error.what()));
  }
}

EmulatedMachine& make_machine() {
  const ProcessState& state = process_state();
  if (!state.options) {
    end_with_message(
        "an emulated CUDA library was loaded without --device emulated:; take its folder out of LD_AUDIT, "
        "LD_PRELOAD and LD_LIBRARY_PATH");
  }
  if (state.options->mode == ValueMode::values || state.hazards) {
    if (const std::string lack = open_value_library(own_folder()); !lack.empty()) end_with_message(lack);
  }
  EmulatedMachine& machine = machine_of(state);
  machine.add_observer(*state.log);
  if (state.order) machine.add_observer(*state.order);
  const bool has_sizes = state.options->mode == ValueMode::values || state.options->sizes == SizeAnswers::held;
  if (!has_sizes) machine.add_observer(*new SizeReads);  // lives as long as the machine
  if (state.options->mode == ValueMode::values) {
    machine.add_observer(*new ValueRoom(read_host_room(""), end_with_message));
  }
  if (state.hazards) machine.add_observer(*state.hazards);
  for (MachineObserver* observer : registered_observers()) machine.add_observer(*observer);
  return machine;
}

}  // namespace

// Made at the first call rather than before main: a program may set CUDA_VISIBLE_DEVICES until then, and the
// observers of the other shims are registered by then.
EmulatedMachine& process_machine() {
  static EmulatedMachine& machine = make_machine();
  return machine;
}

HazardFinder* process_hazards() {
  const ProcessState& state = process_state();
  return state.hazards && state.process == ::getpid() ? state.hazards.get() : nullptr;
}

bool register_observer(MachineObserver& observer) {
  registered_observers().push_back(&observer);
  return true;
}

}  // namespace stepgate::emulator

// What a measured program finds by name, without a header of this library.
extern "C" {

/// "emulated H100, model 1". Its being there is the evidence that the library is emulated.
const char* stepgate_emulated_gpu();
/// Ends a stretch of the log: "counts 3".
void stepgate_emulated_mark(const char* text);
/// 0: kernels do nothing; 1: operators have values; -1: no machine was asked for.
int stepgate_emulated_mode();
/// The variables that a child needs for the same machine, one by one: "NAME=value"; nullptr behind the last. They are
/// not in the environment, so a program passes them to its ranks and to no other child.
const char* stepgate_emulated_variable(int index);

const char* stepgate_emulated_gpu() {
  const std::string& title = stepgate::emulator::process_state().title;
  return title.empty() ? "emulated GPU without a model" : title.c_str();
}

void stepgate_emulated_mark(const char* text) {
  const auto& state = stepgate::emulator::process_state();
  if (state.log && state.process == ::getpid()) state.log->mark(text);
}

int stepgate_emulated_mode() {
  const auto& options = stepgate::emulator::process_state().options;
  if (!options) return -1;
  return options->mode == stepgate::emulator::ValueMode::values ? 1 : 0;
}

const char* stepgate_emulated_variable(int index) {
  const std::vector<std::string>& taken = stepgate::emulator::process_state().taken;
  const auto at = static_cast<std::size_t>(index);
  return index < 0 || at >= taken.size() ? nullptr : taken[at].c_str();
}
}
