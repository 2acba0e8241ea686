#include "json/traces/foreign_format.h"

#include <algorithm>
#include <iterator>

namespace stepgate {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view record_a_trace =
    "record a trace with torch.profiler and name it: prof.export_chrome_trace(\"FILE.json.gz\")";

constexpr ForeignFormat foreign_files[] = {
    {"PK\x03\x04"sv, "a zip archive", "unpack it, unzip FILE, and name the .json file in it"},
    {"\x28\xB5\x2F\xFD"sv, "compressed by zstd", "unpack it: zstd -d FILE"},
    {"\xFD\x37zXZ"sv, "compressed by xz", "unpack it: xz -d FILE"},
    {"\x1F\x8B"sv, "compressed twice", "unpack it once: gzip -dc FILE > trace.json.gz"},
    {"BZh"sv, "compressed by bzip2", "unpack it: bzip2 -d FILE"},
    {"\xFF\xFE"sv, "text in UTF-16", "convert it: iconv -f UTF-16 -t UTF-8 FILE"},
    {"\xFE\xFF"sv, "text in UTF-16", "convert it: iconv -f UTF-16 -t UTF-8 FILE"},
    {"\x80\x02"sv, "a pickle of Python, such as a snapshot of memory", record_a_trace},
    {"\x80\x03"sv, "a pickle of Python, such as a snapshot of memory", record_a_trace},
    {"\x80\x04"sv, "a pickle of Python, such as a snapshot of memory", record_a_trace},
    {"\x80\x05"sv, "a pickle of Python, such as a snapshot of memory", record_a_trace},
    {"SQLite format 3"sv, "a database of SQLite, such as an export of Nsight Systems", record_a_trace},
    {"<"sv, "a page of HTML or a document of XML", "download the file itself, not the page that shows it"},
    {"version https://git-lfs"sv, "a pointer of Git LFS", "fetch what it points to: git lfs pull"},
};

constexpr ForeignFormat foreign_documents[] = {
    {"nodes", "an execution trace of PyTorch, which has no times of devices", record_a_trace},
    {"device_traces", "a snapshot of memory", record_a_trace},
    {"resourceSpans", "traces of OpenTelemetry", record_a_trace},
    {"profiles", "a profile of speedscope", record_a_trace},
    {"benchmarks", "results of benchmarks",
     "read them with stepgate history import FILE --to DIR, or name a trace of PyTorch's profiler"},
};

}  // namespace

const ForeignFormat* foreign_file(std::string_view text) {
  const auto found = std::find_if(std::begin(foreign_files), std::end(foreign_files),
                                  [&](const ForeignFormat& row) { return text.starts_with(row.begins); });
  return found == std::end(foreign_files) ? nullptr : found;
}

const ForeignFormat* foreign_document(std::string_view key) {
  const auto found = std::find_if(std::begin(foreign_documents), std::end(foreign_documents),
                                  [&](const ForeignFormat& row) { return row.begins == key; });
  return found == std::end(foreign_documents) ? nullptr : found;
}

}  // namespace stepgate
