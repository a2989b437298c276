// The same work on several threads, while the calling one looks after the world outside.
#pragma once

#include <atomic>
#include <functional>

namespace rankscope {

// Runs `work()` on each thread, and `report()` about ten times a second on the calling one. The first exception of
// either is thrown here when all have come to an end; `stop` tells the others. With one thread, the caller works itself.
void run_on_threads(int threads, std::atomic<bool>& stop, const std::function<void()>& report,
                    const std::function<void()>& work);

}  // namespace rankscope
