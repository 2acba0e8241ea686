// What a call of the emulated machine ends with. The runtime and the driver have error numbers of their own; each shim
// maps these values to its numbers.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace stepgate::emulator {

enum class Outcome {
  ok,
  not_ready,  ///< of a query: the work goes on
  invalid_value,
  invalid_handle,
  invalid_device,
  no_device,
  out_of_memory,
  illegal_state,
  not_supported,
  not_mapped,
  already_registered,
  not_registered,
  peer_access_enabled,
  peer_access_missing,
  capture_unsupported,
  capture_invalidated,
  capture_merge,
  capture_unmatched,
  capture_unjoined,
  capture_isolation,
  capture_implicit,
  capture_wrong_thread,
  captured_event,
  illegal_address,       ///< stays: each later call on the device ends with it
  uncorrectable_memory,  ///< stays
  device_lost,           ///< stays
};

struct OutcomeRow {
  Outcome outcome;
  std::string_view name;
  std::string_view meaning;
};

inline constexpr std::array<OutcomeRow, 26> outcome_rows = {{
    {Outcome::ok, "ok", "no error"},
    {Outcome::not_ready, "not_ready", "the work is not done yet"},
    {Outcome::invalid_value, "invalid_value", "an argument is outside what the call accepts"},
    {Outcome::invalid_handle, "invalid_handle", "no such stream, event, graph or kernel"},
    {Outcome::invalid_device, "invalid_device", "no device has this number"},
    {Outcome::no_device, "no_device", "the process sees no device"},
    {Outcome::out_of_memory, "out_of_memory", "the device has not enough free memory"},
    {Outcome::illegal_state, "illegal_state", "the object is in a state that does not allow the call"},
    {Outcome::not_supported, "not_supported", "the device does not support the call"},
    {Outcome::not_mapped, "not_mapped", "the addresses hold no memory"},
    {Outcome::already_registered, "already_registered", "the host memory is registered already"},
    {Outcome::not_registered, "not_registered", "the host memory is not registered"},
    {Outcome::peer_access_enabled, "peer_access_enabled", "access between the two devices is enabled already"},
    {Outcome::peer_access_missing, "peer_access_missing", "access between the two devices is not enabled"},
    {Outcome::capture_unsupported, "capture_unsupported", "the call is not permitted while a stream is captured"},
    {Outcome::capture_invalidated, "capture_invalidated", "an earlier error has invalidated the capture"},
    {Outcome::capture_merge, "capture_merge", "two independent captures would become one"},
    {Outcome::capture_unmatched, "capture_unmatched", "the capture began in another stream"},
    {Outcome::capture_unjoined, "capture_unjoined", "a forked stream was not joined to the stream of the capture"},
    {Outcome::capture_isolation, "capture_isolation", "a dependency would cross the border of the capture"},
    {Outcome::capture_implicit, "capture_implicit", "the legacy stream would wait for a captured stream"},
    {Outcome::capture_wrong_thread, "capture_wrong_thread", "the capture began in another thread"},
    {Outcome::captured_event, "captured_event", "the event was recorded in a captured stream"},
    {Outcome::illegal_address, "illegal_address", "a kernel read or wrote memory that is not there"},
    {Outcome::uncorrectable_memory, "uncorrectable_memory", "the device's memory has an uncorrectable error"},
    {Outcome::device_lost, "device_lost", "the device has fallen off the bus"},
}};

constexpr std::string_view name_of(Outcome outcome) { return outcome_rows[static_cast<std::size_t>(outcome)].name; }
constexpr std::string_view meaning_of(Outcome outcome) {
  return outcome_rows[static_cast<std::size_t>(outcome)].meaning;
}

}  // namespace stepgate::emulator
