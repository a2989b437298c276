#include "threads.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace rankscope {

void run_on_threads(int threads, std::atomic<bool>& stop, const std::function<void()>& report,
                    const std::function<void()>& work) {
  if (threads <= 1) {
    work();
    return;
  }
  std::mutex mutex;
  std::condition_variable changed;
  int running = threads;
  std::exception_ptr failure;
  std::vector<std::thread> crew;
  const auto fail = [&](std::exception_ptr error) {
    stop = true;
    if (!failure) failure = std::move(error);
  };
  const auto body = [&] {
    std::exception_ptr error;
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(mutex);
    if (error) fail(error);
    --running;
    changed.notify_all();
  };
  for (int i = 0; i < threads; ++i) {
    try {
      crew.emplace_back(body);
    } catch (const std::system_error&) {  // no more threads to be had: fewer do
      const std::lock_guard<std::mutex> lock(mutex);
      running -= threads - i;
      break;
    }
  }
  if (crew.empty()) {
    work();
    return;
  }
  for (std::unique_lock<std::mutex> lock(mutex); running > 0;) {
    changed.wait_for(lock, std::chrono::milliseconds(100));
    if (running == 0) break;
    lock.unlock();
    try {
      report();
      lock.lock();
    } catch (...) {
      lock.lock();
      fail(std::current_exception());
    }
  }
  for (std::thread& thread : crew) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace rankscope
