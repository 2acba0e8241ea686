#include "emulator/cupti/cupti_external_ids.h"

#include <pthread.h>

namespace stepgate::emulator {
namespace {

void drop_external_ids(void* ids) { delete static_cast<ExternalIds*>(ids); }

/// A key of POSIX rather than a thread_local: a call that a destructor of another thread_local makes comes after the
/// destructor of this one would have run. Those of keys run when all of these are done, and again where one makes a new
/// value.
pthread_key_t external_ids_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, drop_external_ids);
    return made;
  }();
  return key;
}

}  // namespace

ExternalIds& external_ids_of_thread() {
  void* ids = pthread_getspecific(external_ids_key());
  if (ids == nullptr) {
    ids = new ExternalIds;
    pthread_setspecific(external_ids_key(), ids);
  }
  return *static_cast<ExternalIds*>(ids);
}

}  // namespace stepgate::emulator
