// What the library of the values calls in the shims. It is a library of its own, so these are C functions, by name.
#pragma once

#include "emulator/process/operator_scope.h"

extern "C" {

/// Calls run(state) when the work that the stream holds is done, and again with each launch of a graph that captured
/// it; drop(state) when that is over. Returns the number of the Outcome, 0 for ok.
int stepgate_emulated_add_effect(void* stream, void (*run)(void*), void* state, void (*drop)(void*));

/// Runs what the stream's work does to memory. No time passes, and nothing is counted.
int stepgate_emulated_settle(void* stream);

/// Of the calling thread. Returns the scope that it had.
stepgate::emulator::OperatorScope stepgate_emulated_exchange_operator(stepgate::emulator::OperatorScope next);

/// From now on `call` is called at each call of the runtime, of its thread.
void stepgate_emulated_watch_calls(void (*call)());

/// Ends the process as a function that is not modelled does.
[[noreturn]] void stepgate_emulated_refuse(const char* what, const char* why);
}
