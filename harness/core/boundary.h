// The boundaries of a training step. Public, because a user's own timings are told by them too.
#pragma once

#include "stepgate/boundary.h"
