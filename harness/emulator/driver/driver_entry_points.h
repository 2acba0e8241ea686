// The functions of the driver by their names: LibTorch and extensions link none of them and ask for each.
#pragma once

#include <string_view>

namespace stepgate::emulator {

enum class EntryStatus { found, no_such_name, older_version_asked };

struct DriverEntry {
  EntryStatus status = EntryStatus::no_such_name;
  void* address = nullptr;
};

/// `version`: of CUDA, 12000 for 12.0. The function where the machine models it; else the generated stub, which refuses
/// when it is called rather than when it is asked for, because LibTorch asks for more than it calls.
DriverEntry driver_entry(std::string_view name, unsigned version);

}  // namespace stepgate::emulator
