// What an error means to the one who started the command.
#pragma once

#include <exception>

#include "core/error.h"

namespace stepgate {

/// The exit status that an error leads to.
int status_of_error(ErrorKind kind);

/// The error for an exception of the language or of a library.
Error error_of(const std::exception& failure);

}  // namespace stepgate
