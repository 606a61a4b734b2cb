// Threads for engines that have none of their own, or none that would do: a parallel loop, no more. Where your game has a job
// system, call that instead.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace adapter {

class Jobs {
public:
    /// 1: everything on the calling thread.
    explicit Jobs(std::uint32_t threads);
    ~Jobs();
    Jobs(const Jobs &) = delete;
    Jobs &operator=(const Jobs &) = delete;

    /// Calls work(k) once for each k below `count`, in any order and on any thread, and returns when all is done.
    void each(std::uint32_t count, const std::function<void(std::uint32_t)> &work);

private:
    void work_on(const std::function<void(std::uint32_t)> &work);
    void serve();

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable start_, done_;
    const std::function<void(std::uint32_t)> *work_ = nullptr;
    std::atomic<std::uint32_t> next_{0};
    std::uint32_t count_ = 0, round_ = 0, busy_ = 0;
    bool ending_ = false;
};

} // namespace adapter
