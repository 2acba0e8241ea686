// Faults of GPUs (Xid), as the driver's library tells them. It tells each once, and several threads may watch one GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "environment/gpu/gpu_driver.h"
#include "environment/gpu/nvml_session.h"

namespace stepgate::nvml {

class XidListener {
 public:
  /// The session must outlive this.
  explicit XidListener(const Session& session) : session_(session) {}
  XidListener(const XidListener&) = delete;
  XidListener& operator=(const XidListener&) = delete;
  ~XidListener();

  /// GpuDriver::xids_after().
  GpuAnswer<std::vector<std::int64_t>> after(const std::string& uuid, std::size_t known);

 private:
  /// What a GPU's set of events has told.
  struct Heard {
    EventSet* events = nullptr;
    std::vector<std::int64_t> xids = {};
  };
  GpuOutcome listen(const std::string& uuid);
  GpuOutcome hear(Heard& heard) const;

  const Session& session_;
  std::mutex mutex_;
  std::map<std::string, Heard> heard_of_;  ///< by UUID
};

}  // namespace stepgate::nvml
