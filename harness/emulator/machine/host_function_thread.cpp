#include "emulator/machine/host_function_thread.h"

#include <pthread.h>

#include <chrono>
#include <csignal>

namespace stepgate::emulator {
namespace {

using namespace std::chrono_literals;

/// How often it looks whether the machine ends. Own choice: nobody waits for that.
constexpr std::chrono::milliseconds longest_sleep = 100ms;
/// How often it looks whether the program is idle, or time has come, while a function waits. Own choice.
constexpr std::chrono::milliseconds short_sleep = 2ms;

}  // namespace

HostFunctionThread::HostFunctionThread(EmulatedMachine& machine) : machine_(machine) {
  ::sigset_t all{};
  ::sigset_t before{};
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);  // the new thread has the mask of the one that makes it
  thread_ = std::thread([this] { run(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  machine_.effects().give_functions_to(thread_.get_id());
}

HostFunctionThread::~HostFunctionThread() {
  ends_ = true;
  thread_.join();
  machine_.effects().give_functions_to({});
}

void HostFunctionThread::run() {
  while (!ends_) {
    if (!machine_.effects().wait_for_function(longest_sleep)) continue;
    machine_.run_due_host_function();
    machine_.effects().wait_for_wanted_function(short_sleep);
  }
}

}  // namespace stepgate::emulator
