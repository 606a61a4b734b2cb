#include "jobs.hpp"

namespace adapter {

Jobs::Jobs(std::uint32_t threads) {
    for (std::uint32_t k = 1; k < threads; ++k) threads_.emplace_back([this] { serve(); });
}

Jobs::~Jobs() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    start_.notify_all();
    for (std::thread &thread : threads_) thread.join();
}

void Jobs::each(std::uint32_t count, const std::function<void(std::uint32_t)> &work) {
    if (threads_.empty() || count < 2) {
        for (std::uint32_t k = 0; k < count; ++k) work(k);
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        work_ = &work;
        count_ = count;
        next_ = 0;
        busy_ = static_cast<std::uint32_t>(threads_.size());
        ++round_;
    }
    start_.notify_all();
    work_on(work);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
}

void Jobs::work_on(const std::function<void(std::uint32_t)> &work) {
    for (std::uint32_t k; (k = next_++) < count_;) work(k);
}

void Jobs::serve() {
    for (std::uint32_t seen = 0;;) {
        std::unique_lock lock(mutex_);
        start_.wait(lock, [&] { return ending_ || round_ != seen; });
        if (ending_) return;
        seen = round_;
        lock.unlock();
        work_on(*work_);
        lock.lock();
        if (--busy_ == 0) done_.notify_one();
    }
}

} // namespace adapter
