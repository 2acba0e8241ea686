#include "experiment/studies/trace_profile.h"

#include "diagnose/trace/account_of_trace.h"
#include "json/traces/trace_file.h"

namespace stepgate {

TraceAccount profile_trace(const std::filesystem::path& file) { return account_of_trace(read_trace_file(file)); }

}  // namespace stepgate
