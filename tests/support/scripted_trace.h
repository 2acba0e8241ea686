// A chrome trace as PyTorch's profiler writes it, event by event. Times are microseconds since an instant of 2024, so
// that they need more digits than a double has.
#pragma once

#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace stepgate {

class ScriptedTrace {
 public:
  void range(const std::string& name, double at, double length, int thread = 1) {
    add("user_annotation", name, at, length, host(thread), "");
  }
  void operator_call(const std::string& name, double at, double length, int thread = 1) {
    add("cpu_op", name, at, length, host(thread), R"("Input Dims": [[8, 64], [[2], []]], "Call stack": "")");
  }
  void call(const std::string& name, double at, double length, int correlation, int thread = 1) {
    add("cuda_runtime", name, at, length, host(thread), joined(correlation));
  }
  void kernel(const std::string& name, double at, double length, int correlation, int stream = 7, int device = 0) {
    add("kernel", name, at, length, on(device, stream), on_device(correlation, device));
  }
  void copy(const std::string& name, double at, double length, int correlation, int stream = 7) {
    add("gpu_memcpy", name, at, length, on(0, stream), on_device(correlation, 0));
  }
  void step(int number, double at, double length) { range("ProfilerStep#" + std::to_string(number), at, length); }
  /// One object of any form, as it stands in the file.
  void raw(const std::string& event) { events_ += (events_.empty() ? "" : ",\n") + event; }

  std::string text() const {
    return R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "Toy GPU", "numSms": 4}], )"
           R"("distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8}, "traceEvents": [)" +
           events_ + R"(], "traceName": "toy.json"})";
  }

 private:
  static std::string time_text(double us) {
    constexpr std::int64_t instant_us = 1'712'195'495'000'000;
    const std::int64_t ns = std::llround(us * 1000);
    const std::string below = std::to_string(1000 + ns % 1000).substr(1);
    return std::to_string(instant_us + ns / 1000) + "." + below;
  }
  static std::string joined(int correlation) {
    return correlation == 0 ? std::string() : "\"correlation\": " + std::to_string(correlation);
  }
  static std::string on_device(int correlation, int device) {
    return "\"device\": " + std::to_string(device) + ", \"grid\": [64, 1, 1]" +
           (correlation == 0 ? "" : ", " + joined(correlation));
  }
  static std::string host(int thread) { return R"("pid": 17, "tid": )" + std::to_string(thread); }
  static std::string on(int device, int stream) {
    return "\"pid\": " + std::to_string(device) + ", \"tid\": " + std::to_string(stream);
  }
  void add(const std::string& category, const std::string& name, double at, double length, const std::string& where,
           const std::string& arguments) {
    raw(R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name + "\", " + where +
        ", \"ts\": " + time_text(at) + ", \"dur\": " + std::to_string(length) + ", \"args\": {" + arguments + "}}");
  }

  std::string events_;
};

/// `text` as a gzip file.
inline std::filesystem::path write_gzip(const std::filesystem::path& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb");
  if (file == nullptr) throw std::runtime_error("cannot write " + path.string());
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return path;
}

}  // namespace stepgate
