// The script and the state of the fake NVIDIA management library.
#pragma once

#include <string>

namespace stepgate::fake_nvml {

/// Environment variable FAKE_NVML_<name>; fake_nvml.h lists them.
std::string setting(const std::string& name, const std::string& otherwise);
unsigned number(const std::string& name, unsigned otherwise);

/// "key=value key=value" -> the value of `key`, else `otherwise`.
std::string value_of(const std::string& pairs, const std::string& key, const std::string& otherwise);

/// "0,1,0": one per call of this name, the last one from then on. Counted from the start of the library.
std::string next_value(const std::string& name, const std::string& list);

/// The error that this function shall return, 0 for none. Before the library starts everything fails.
int scripted(const char* function);
/// The same of the function that starts the library.
int scripted_start(const char* function);
void end();

/// One line more in FAKE_NVML_LOG.
void write_log(const std::string& word);

/// "1500,1500,1200": one per call, repeated.
unsigned next_of(const std::string& clocks);

std::string uuid_of(unsigned index);

/// The driver's state of one GPU. A clock of 0 is not locked.
struct State {
  int persistence = 0;
  unsigned core_mhz = 0;
  unsigned memory_mhz = 0;
};

/// Kept in the file FAKE_NVML_STATE, so that other processes see it, else in memory.
State read_state(unsigned index);
void write_state(unsigned index, const State& state);

}  // namespace stepgate::fake_nvml
