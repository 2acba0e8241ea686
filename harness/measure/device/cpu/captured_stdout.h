// What this process prints, taken from its descriptor: C++ streams, printf and libraries alike. Exact passes only.
#pragma once

#include <string>

#include "system/descriptor.h"

namespace stepgate {

/// From its construction on, stdout goes into memory; its destructor restores stdout. Use one at a time.
class CapturedStdout {
 public:
  /// Throws Error(measure) if the kernel refuses a descriptor.
  CapturedStdout();
  ~CapturedStdout();
  CapturedStdout(const CapturedStdout&) = delete;
  CapturedStdout& operator=(const CapturedStdout&) = delete;

  /// Everything printed since construction or the last call.
  std::string take();
  /// Prints to where stdout led before.
  void pass_on(const std::string& text) const;

 private:
  Descriptor before_;
  Descriptor memory_;
};

}  // namespace stepgate
