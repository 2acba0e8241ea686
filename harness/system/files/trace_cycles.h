// How the files of a chrome trace are named that was taken several times.
#pragma once

#include <cstdint>
#include <filesystem>

namespace stepgate {

/// The file of one cycle, from 0: trace.json.gz, trace-2.json.gz, trace-3.json.gz. Without ".json" the number is at the
/// end.
std::filesystem::path trace_file_of_cycle(const std::filesystem::path& first, std::int64_t cycle);

}  // namespace stepgate
