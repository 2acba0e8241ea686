// Precompiled, because LibTorch's headers take 14 s to compile.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
