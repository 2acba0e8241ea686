// The boundaries of a training step. They are public, because users report their own timings by boundary too.
#pragma once

#include "stepgate/boundary.h"
