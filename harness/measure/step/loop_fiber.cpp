#include "measure/step/loop_fiber.h"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstddef>
#include <utility>

namespace stepgate {
namespace {

// What Linux gives a main thread: a loop that ran there runs here. Only touched pages take memory.
constexpr std::size_t stack_bytes = std::size_t{8} << 20;

}  // namespace

struct LoopFiber::Contexts {
  boost::context::fiber body;
  boost::context::fiber caller;
};

LoopFiber::LoopFiber(std::function<void()> body) : body_(std::move(body)), contexts_(std::make_unique<Contexts>()) {
  const auto entry = [this](boost::context::fiber&& caller) {
    contexts_->caller = std::move(caller);
    run_body();
    return std::move(contexts_->caller);
  };
  contexts_->body =
      boost::context::fiber(std::allocator_arg, boost::context::protected_fixedsize_stack(stack_bytes), entry);
}

LoopFiber::~LoopFiber() = default;

void LoopFiber::run_body() {
  try {
    body_();
  } catch (const boost::context::detail::forced_unwind&) {
    throw;  // Boost unwinds an abandoned stack by this exception
  } catch (...) {
    thrown_ = std::current_exception();
  }
  ended_ = true;
}

void LoopFiber::resume() {
  contexts_->body = std::move(contexts_->body).resume();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void LoopFiber::pause() { contexts_->caller = std::move(contexts_->caller).resume(); }

}  // namespace stepgate
