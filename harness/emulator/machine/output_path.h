// Where a process writes a file that several processes of one program are told to write.
#pragma once

#include <string>
#include <string_view>

namespace stepgate::emulator {

/// The rank of a process that trains with others. stepgate sets it for its ranks beside the machine; programs that
/// start ranks by themselves set RANK.
inline constexpr const char* rank_variable = "STEPGATE_RANK";
inline constexpr const char* common_rank_variable = "RANK";

/// "log.rank1" for "log" in a process of rank "1". Without a rank ("" or no number): "log" for the first process, and
/// "log.4242" with its number for one that comes while another still has "log". A process keeps what it got until it
/// ends: the file is made, and locked. "" stays "".
std::string output_path(const std::string& path, std::string_view rank);

}  // namespace stepgate::emulator
