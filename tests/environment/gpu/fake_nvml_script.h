// What the stand-in for NVIDIA's management library was told to do, and what it remembers.
#pragma once

#include <string>

namespace stepgate::fake_nvml {

/// Environment variable FAKE_NVML_<name>; fake_nvml.h lists them.
std::string setting(const std::string& name, const std::string& otherwise);
unsigned number(const std::string& name, unsigned otherwise);

/// "key=value key=value" -> the value of `key`, `otherwise` where it is not there.
std::string value_of(const std::string& pairs, const std::string& key, const std::string& otherwise);

/// What this function is to fail with, 0 where it may go on. Before the first start everything fails.
int scripted(const char* function);
/// The same of the function that starts the library.
int scripted_start(const char* function);
void end();

/// One line more in FAKE_NVML_LOG.
void write_log(const std::string& word);

/// "1500,1500,1200": one for each call, over and over.
unsigned next_of(const std::string& clocks);

std::string uuid_of(unsigned index);

/// What a driver keeps of one GPU; clocks are 0 where they are not locked.
struct State {
  int persistence = 0;
  unsigned core_mhz = 0;
  unsigned memory_mhz = 0;
};

/// In FAKE_NVML_STATE, so that other processes see it; without it, while this library is loaded.
State read_state(unsigned index);
void write_state(unsigned index, const State& state);

}  // namespace stepgate::fake_nvml
