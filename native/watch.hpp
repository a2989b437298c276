// A look at the world outside during long work.
#pragma once

#include <cstdint>
#include <functional>

namespace rankscope {

// Called now and then by the thread that the caller waits for; it may throw to stop the work.
using Watch = std::function<void(std::int64_t done, std::int64_t total)>;

}  // namespace rankscope
