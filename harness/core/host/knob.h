// The settings that quiet a machine, and the outcome of each.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace stepgate {

/// How far the guard may go. `observe` changes nothing. `process` sets what belongs to one measured process and ends
/// with it; it needs no privilege. `host` changes the machine: the user must ask for it, and it needs privileges and a
/// journal.
enum class GuardMode { observe, process, host };
inline constexpr std::array<GuardMode, 3> all_guard_modes = {GuardMode::observe, GuardMode::process, GuardMode::host};

enum class KnobState {
  achieved,     ///< set, and read back as wanted
  already,      ///< had the wanted value before
  available,    ///< could be set, but this mode does not set it
  unsupported,  ///< this machine does not have it
  denied,       ///< the kernel or the driver refused: see `error`
  overridden,   ///< the write succeeded, but the value is another
};
inline constexpr std::array<KnobState, 6> all_knob_states = {KnobState::achieved,  KnobState::already,
                                                             KnobState::available, KnobState::unsupported,
                                                             KnobState::denied,    KnobState::overridden};

constexpr std::string_view name_of(GuardMode mode) {
  constexpr std::array<std::string_view, 3> names = {"observe", "process", "host"};
  return names[static_cast<std::size_t>(mode)];
}
constexpr std::string_view name_of(KnobState state) {
  constexpr std::array<std::string_view, 6> names = {"achieved",    "already", "available",
                                                     "unsupported", "denied",  "overridden"};
  return names[static_cast<std::size_t>(state)];
}
constexpr std::optional<GuardMode> guard_mode_named(std::string_view name) {
  for (GuardMode mode : all_guard_modes) {
    if (name_of(mode) == name) return mode;
  }
  return std::nullopt;
}
constexpr std::optional<KnobState> knob_state_named(std::string_view name) {
  for (KnobState state : all_knob_states) {
    if (name_of(state) == name) return state;
  }
  return std::nullopt;
}

/// One knob on one machine. Values are as the kernel prints them; "" if there is none or it is unknown.
struct KnobReport {
  std::string name;                     ///< "governor", "turbo", "interrupts", "priority", ...
  GuardMode mode = GuardMode::process;  ///< the lowest mode that sets it
  KnobState state = KnobState::unsupported;
  std::string before = {};
  std::string wanted = {};
  std::string after = {};
  int error = 0;            ///< errno of the refused call, else 0
  std::string reason = {};  ///< one sentence: what was found, or why it is not set
  std::string remedy = {};  ///< the command or permission that would allow it; "" if nothing would

  bool operator==(const KnobReport&) const = default;
};

}  // namespace stepgate
