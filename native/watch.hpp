// A look at the world outside during long work.
#pragma once

#include <cstdint>
#include <functional>

namespace rankscope {

// Called now and then by the thread that the caller waits for; it may throw to stop the work.
using Watch = std::function<void(std::int64_t done, std::int64_t total)>;

// Called at bounded intervals by whoever is in the middle of a long step; it throws if the work is to stop.
using Look = std::function<void()>;

}  // namespace rankscope
