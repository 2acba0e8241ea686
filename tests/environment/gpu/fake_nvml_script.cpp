#include "environment/gpu/fake_nvml_script.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace stepgate::fake_nvml {
namespace {

constexpr int uninitialized = 1;  // nvmlReturn_t
std::atomic<int> open_count = 0;
std::atomic<std::size_t> clock_reads = 0;
std::map<std::string, unsigned> counts;  // of calls and of values read, since the library was started

/// "15@3": the error 15 from the third call on; "15@3!": at the third call only; "15": at each.
int failure_of(const char* function) {
  const std::string text = value_of(setting("FAIL", ""), function, "0");
  const unsigned call = ++counts[function];
  const std::size_t at = text.find('@');
  if (at == std::string::npos) return std::stoi(text);
  const auto from = static_cast<unsigned>(std::stoul(text.substr(at + 1)));
  return (text.back() == '!' ? call == from : call >= from) ? std::stoi(text) : 0;
}

using States = std::map<std::string, State>;  // by UUID
States in_memory;

States all_states() {
  const std::string file = setting("STATE", "");
  if (file.empty()) return in_memory;
  States states;
  std::ifstream in(file);
  State one;
  for (std::string uuid; in >> uuid >> one.persistence >> one.core_mhz >> one.memory_mhz;) states[uuid] = one;
  return states;
}

}  // namespace

std::string setting(const std::string& name, const std::string& otherwise) {
  const char* value = std::getenv(("FAKE_NVML_" + name).c_str());
  return value == nullptr ? otherwise : value;
}

unsigned number(const std::string& name, unsigned otherwise) {
  return static_cast<unsigned>(std::stoul(setting(name, std::to_string(otherwise))));
}

std::string next_value(const std::string& name, const std::string& list) {
  std::istringstream values(list);
  std::string value;
  for (unsigned i = counts["value " + name]++; std::getline(values, value, ',') && i > 0; --i) {
  }
  return value;
}

std::string value_of(const std::string& pairs, const std::string& key, const std::string& otherwise) {
  std::istringstream words(pairs);
  for (std::string word; words >> word;) {
    if (word.starts_with(key + "=")) return word.substr(key.size() + 1);
  }
  return otherwise;
}

int scripted(const char* function) {
  const int failure = failure_of(function);
  return failure == 0 && open_count == 0 ? uninitialized : failure;
}

int scripted_start(const char* function) {
  if (open_count == 0) {
    counts.clear();
    clock_reads = 0;
  }
  const int failure = failure_of(function);
  if (failure == 0) ++open_count;
  return failure;
}

void end() { --open_count; }

void write_log(const std::string& word) {
  const std::string file = setting("LOG", "");
  if (!file.empty()) std::ofstream(file, std::ios::app) << word << '\n';
}

unsigned next_of(const std::string& clocks) {
  const auto separators = static_cast<std::size_t>(std::count(clocks.begin(), clocks.end(), ','));
  std::size_t at = 0;
  for (std::size_t skip = clock_reads++ % (separators + 1); skip > 0; --skip) at = clocks.find(',', at) + 1;
  return static_cast<unsigned>(std::stoul(clocks.substr(at)));
}

std::string uuid_of(unsigned index) {
  const std::string own = value_of(setting("UUIDS", ""), std::to_string(index), "");
  if (!own.empty()) return own;
  return "GPU-fa4e0000-0000-0000-0000-00000000000" + std::to_string(index);
}

State read_state(unsigned index) { return all_states()[uuid_of(index)]; }

void write_state(unsigned index, const State& state) {
  States states = all_states();
  states[uuid_of(index)] = state;
  const std::string file = setting("STATE", "");
  if (file.empty()) {
    in_memory = states;
    return;
  }
  // A reader, or a process that is killed meanwhile, finds the old state or the new one.
  {
    std::ofstream out(file + ".new");
    for (const auto& [uuid, one] : states) {
      out << uuid << ' ' << one.persistence << ' ' << one.core_mhz << ' ' << one.memory_mhz << '\n';
    }
  }
  std::filesystem::rename(file + ".new", file);
}

}  // namespace stepgate::fake_nvml
