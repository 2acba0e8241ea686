// Names a stretch of your own code in traces: a range of LibTorch's profiler, and of NVTX (Nsight) if its headers are
// installed.
//
//   {
//     const stepgate::Annotation range("forward");
//     loss = model->forward(batch);
//   }
//
// Annotations are off unless STEPGATE_ANNOTATIONS=1 is in the environment or set_annotations(true) was called. A range
// that is off costs one relaxed load and a branch. With STEPGATE_NO_ANNOTATIONS defined before this header a range
// compiles to nothing and LibTorch is not included. docs/figures.md compares both costs with LibTorch's
// record_function.
#pragma once

#if !defined(STEPGATE_NO_ANNOTATIONS)
#include <ATen/record_function.h>

#include <atomic>
#include <cstdlib>
#include <optional>
#include <string_view>
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define STEPGATE_ANNOTATES_NVTX 1
#endif
#endif

#include <cstddef>

namespace stepgate {

/// The name of a range: a string literal, which the compiler checks. Tools may read it long after the range ended, so
/// it must live forever; nothing is copied or allocated.
class RangeName {
 public:
  template <std::size_t size>
  consteval RangeName(const char (&literal)[size]) : text_(literal) {}  // NOLINT(google-explicit-constructor)
  constexpr const char* text() const { return text_; }

 private:
  const char* text_;
};

// Each variant has a namespace of its own, so that files of one program may use different variants.
#if defined(STEPGATE_NO_ANNOTATIONS)

inline namespace annotations_compiled_out {

constexpr bool annotations_on() noexcept { return false; }
constexpr void set_annotations(bool /*on*/) noexcept {}

class Annotation {
 public:
  constexpr explicit Annotation(RangeName /*name*/) noexcept {}
  constexpr ~Annotation() {}  // NOLINT(modernize-use-equals-default): avoids an unused-variable warning
  Annotation(const Annotation&) = delete;
  Annotation& operator=(const Annotation&) = delete;
};

}  // namespace annotations_compiled_out

#else

enum class AnnotationSwitch : unsigned char { off, on, environment };

/// One per program, because tracing is on or off for the whole program. Do not read it directly.
inline constinit std::atomic<AnnotationSwitch> annotation_switch{AnnotationSwitch::environment};

/// Reads STEPGATE_ANNOTATIONS ("1" is on) unless the switch is set already.
[[gnu::noinline]] inline bool annotations_by_environment() noexcept {
  const char* const value = std::getenv("STEPGATE_ANNOTATIONS");
  const bool on = value != nullptr && std::string_view(value) == "1";
  AnnotationSwitch expected = AnnotationSwitch::environment;
  annotation_switch.compare_exchange_strong(expected, on ? AnnotationSwitch::on : AnnotationSwitch::off,
                                            std::memory_order_relaxed);
  return annotation_switch.load(std::memory_order_relaxed) == AnnotationSwitch::on;
}

/// May be called from any thread. Open ranges do not change.
inline void set_annotations(bool on) noexcept {
  annotation_switch.store(on ? AnnotationSwitch::on : AnnotationSwitch::off, std::memory_order_relaxed);
}

inline bool annotations_on() noexcept {
  const AnnotationSwitch now = annotation_switch.load(std::memory_order_relaxed);
  if (now == AnnotationSwitch::off) [[likely]]
    return false;
  return now == AnnotationSwitch::on || annotations_by_environment();
}

#if defined(STEPGATE_ANNOTATES_NVTX)
inline namespace annotations_with_nvtx {
#else
inline namespace annotations_without_nvtx {
#endif

/// A range from here to the end of the scope, on the calling thread; ranges nest. An exception that leaves the scope
/// ends the range too. Throws only what a callback of the profiler throws.
class Annotation {
 public:
  explicit Annotation(RangeName name) {
    if (annotations_on()) [[unlikely]]
      begin(name);
  }
  ~Annotation() {
    if (range_) [[unlikely]]
      end();
  }
  Annotation(const Annotation&) = delete;
  Annotation& operator=(const Annotation&) = delete;

 private:
  [[gnu::noinline]] void begin(RangeName name) {
    range_.emplace(at::RecordScope::USER_SCOPE);
    if (range_->isActive()) range_->before(name.text());
#if defined(STEPGATE_ANNOTATES_NVTX)
    nvtxRangePushA(name.text());  // last: if the profiler throws, there is nothing to pop
#endif
  }
  [[gnu::noinline]] void end() noexcept {
#if defined(STEPGATE_ANNOTATES_NVTX)
    nvtxRangePop();
#endif
    range_.reset();
  }

  std::optional<at::RecordFunction> range_;
};

}  // namespace annotations_with(out)_nvtx

#endif

}  // namespace stepgate
