// Control of the fake CUPTI (fake_cupti.cpp): what CUDA would do in a real process. Looked up in the loaded library.
//
// Environment variables, read at each call:
//   FAKE_CUPTI_FAIL     "cuptiSubscribe=39 cuptiActivityFlushAll=999": the error that a function returns
//   FAKE_CUPTI_VERSION  what cuptiGetVersion says; 130001 if it is not set
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "fake_cupti_path.h"
#include "measure/device/cupti/cupti_library.h"

namespace stepgate::test {

/// CUDA in a process with the fake library. Starts without a subscriber, records or failures.
class FakeCuda {
 public:
  explicit FakeCuda(const std::string& path = STEPGATE_FAKE_CUPTI) : handle_(::dlopen(path.c_str(), RTLD_NOW)) {
    EXPECT_NE(handle_, nullptr) << ::dlerror();
    ::unsetenv("FAKE_CUPTI_FAIL");
    ::unsetenv("FAKE_CUPTI_VERSION");
    function<void()>("fake_cupti_reset")();
  }
  ~FakeCuda() {
    ::unsetenv("FAKE_CUPTI_FAIL");
    ::unsetenv("FAKE_CUPTI_VERSION");
    ::dlclose(handle_);
  }
  FakeCuda(const FakeCuda&) = delete;
  FakeCuda& operator=(const FakeCuda&) = delete;

  std::shared_ptr<const cupti::Library> library() const {
    return std::get<std::shared_ptr<const cupti::Library>>(cupti::open_library(STEPGATE_FAKE_CUPTI));
  }
  static void fail(const std::string& script) { ::setenv("FAKE_CUPTI_FAIL", script.c_str(), 1); }
  static void version(const std::string& number) { ::setenv("FAKE_CUPTI_VERSION", number.c_str(), 1); }

  /// Begin and end of a call by its callback name ("cudaLaunchKernel_v7000"); `direction` is a cudaMemcpyKind.
  void enter(const std::string& name, int direction = -1) const { site(name, cupti::call_enter, direction); }
  void leave(const std::string& name) const { site(name, cupti::call_exit, -1); }
  void call(const std::string& name, int direction = -1) const {
    enter(name, direction);
    leave(name);
  }
  /// A call of the runtime, which calls the driver.
  void call_both(const std::string& runtime, const std::string& driver, int direction = -1) const {
    enter(runtime, direction);
    call(driver);
    leave(runtime);
  }
  /// The name of the kernels that are launched from here on; "": CUPTI gives none.
  void symbol(const std::string& name) const { function<void(const char*)>("fake_cupti_symbol")(name.c_str()); }
  /// The driver reports that the host waited.
  void waited() const { function<void()>("fake_cupti_waited")(); }
  bool subscribed() const { return function<int()>("fake_cupti_subscribed")() != 0; }
  int enabled_activities() const { return function<int()>("fake_cupti_activities")(); }

  /// The device works; records reach the program at the next flush.
  void work(int kind, std::uint64_t begin_ns, std::uint64_t end_ns) const {
    function<void(int, std::uint64_t, std::uint64_t)>("fake_cupti_work")(kind, begin_ns, end_ns);
  }
  void drop(std::size_t records) const { function<void(std::size_t)>("fake_cupti_drop")(records); }
  /// The next buffer says that it holds more than it does, ends in the middle of a record, or is none at all.
  void damage_next_buffer(int how) const { function<void(int)>("fake_cupti_damage")(how); }
  void clock(std::uint64_t ns) const { function<void(std::uint64_t)>("fake_cupti_clock")(ns); }

 private:
  template <typename Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(::dlsym(handle_, name));
  }
  void site(const std::string& name, int where, int direction) const {
    function<void(const char*, int, int)>("fake_cupti_call")(name.c_str(), where, direction);
  }

  void* handle_;
};

/// Of damage_next_buffer.
inline constexpr int unreadable_buffer = 1;
inline constexpr int no_buffer = 2;
inline constexpr int endless_buffer = 3;

}  // namespace stepgate::test
