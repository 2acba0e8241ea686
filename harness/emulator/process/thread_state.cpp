#include "emulator/process/thread_state.h"

#include <pthread.h>

#include <atomic>

namespace stepgate::emulator {
namespace {

void drop_state(void* state) { delete static_cast<ThreadState*>(state); }

/// A key of POSIX rather than a thread_local: destructors of static variables in LibTorch call the library when the
/// thread_locals of the main thread are gone. The key's value of that thread stays.
pthread_key_t state_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, drop_state);
    return made;
  }();
  return key;
}

ThreadState& make_state() {
  static std::atomic<std::uint64_t> threads{0};
  auto* state = new ThreadState;
  state->number = ++threads;
  pthread_setspecific(state_key(), state);
  return *state;
}

}  // namespace

ThreadState& thread_state() {
  void* state = pthread_getspecific(state_key());
  return state == nullptr ? make_state() : *static_cast<ThreadState*>(state);
}

}  // namespace stepgate::emulator
