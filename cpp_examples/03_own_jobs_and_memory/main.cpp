// The engine's own jobs and memory: all blocks of the library come from an allocator that counts, all parallel work runs on
// jobs of the program, messages go to its log. At the end nothing is left.
#include "../common/shapes.hpp"

#include <fracas.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

/// An allocator with a budget.
struct Memory {
    std::atomic<std::size_t> used{0}, most{0}, blocks{0};

    static void *take(std::size_t size, std::size_t alignment, void *user_data) {
        Memory &memory = *static_cast<Memory *>(user_data);
        void *block = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
        if (block == nullptr) return nullptr; // the call that asked fails, and changes nothing
        const std::size_t used = memory.used += size;
        ++memory.blocks;
        for (std::size_t most = memory.most; used > most && !memory.most.compare_exchange_weak(most, used);) {}
        return block;
    }
    static void give_back(void *block, std::size_t size, std::size_t, void *user_data) {
        Memory &memory = *static_cast<Memory *>(user_data);
        memory.used -= size;
        --memory.blocks;
        std::free(block);
    }
};

/// A job system of a few threads. Whoever calls works too.
class Jobs {
public:
    explicit Jobs(unsigned count) {
        for (unsigned k = 0; k < count; ++k) threads_.emplace_back([this] { serve(); });
    }
    ~Jobs() {
        { std::lock_guard<std::mutex> guard(lock_); ending_ = true; }
        wake_.notify_all();
        for (std::thread &thread : threads_) thread.join();
    }
    unsigned ran() const { return ran_; }

    /// What the library calls.
    static void parallel_for(std::uint32_t count, std::uint32_t grain, fc_range_fn run, void *task, void *user_data) {
        static_cast<Jobs *>(user_data)->run(count, grain, run, task);
    }

private:
    struct Work {
        std::uint32_t count, grain;
        fc_range_fn run;
        void *task;
        std::atomic<std::uint32_t> next{0};
        unsigned busy = 0; // threads at it; guarded by the lock

        void help() {
            for (std::uint32_t begin; (begin = next.fetch_add(grain)) < count;)
                run(begin, begin + grain < count ? begin + grain : count, task);
        }
    };

    void run(std::uint32_t count, std::uint32_t grain, fc_range_fn run, void *task) {
        Work work{count, grain, run, task};
        { std::lock_guard<std::mutex> guard(lock_); open_.push_back(&work); ++ran_; }
        wake_.notify_all();
        work.help();
        std::unique_lock<std::mutex> guard(lock_);
        for (std::size_t k = 0; k < open_.size(); ++k)
            if (open_[k] == &work) { open_.erase(open_.begin() + std::ptrdiff_t(k)); break; }
        done_.wait(guard, [&] { return work.busy == 0; });
    }
    void serve() {
        std::unique_lock<std::mutex> guard(lock_);
        while (true) {
            wake_.wait(guard, [&] { return ending_ || !open_.empty(); });
            if (open_.empty()) return;
            Work &work = *open_.back();
            if (work.next >= work.count) { open_.pop_back(); continue; }
            ++work.busy;
            guard.unlock();
            work.help();
            guard.lock();
            if (--work.busy == 0) done_.notify_all();
        }
    }

    std::mutex lock_;
    std::condition_variable wake_, done_;
    std::vector<Work *> open_;
    std::vector<std::thread> threads_;
    std::atomic<unsigned> ran_{0};
    bool ending_ = false;
};

void log(std::uint32_t level, const char *message, void *) { std::printf("log %u: %s\n", level, message); }

/// Cooks, breaks and queries; returns a number for all that came out.
std::uint64_t work() {
    const shapes::Mesh mesh = shapes::ball(0.1f, 16);
    const auto asset = fracas::Asset::create(mesh.positions, mesh.tets, 2400);
    const auto ball = asset ? fracas::Object::create(*asset) : fracas::Result<fracas::Object>(asset.status());
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
    how.count = 30;
    const auto pieces = fracas::fracture(*ball, how);
    if (!pieces) { std::printf("%s\n", fracas::last_error()); std::exit(1); }

    std::vector<fc_pair> pairs;
    for (std::size_t i = 0; i < pieces->size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            pairs.push_back({(*pieces)[i].get(), (*pieces)[j].get(), fracas::pose_at(0.001), fracas::pose_at()});
    std::vector<fc_contact> contacts(16384);
    std::vector<std::uint32_t> offsets(pairs.size() + 1);
    if (fracas::query_pairs(pairs, contacts, offsets) != FC_OK) std::exit(1);

    std::uint64_t hash = offsets.back();
    for (const auto &piece : *pieces) hash = hash * 31 + *piece.state_hash();
    for (std::uint32_t k = 0; k < offsets.back(); ++k) {
        std::uint32_t bits;
        std::memcpy(&bits, &contacts[k].depth, sizeof bits);
        hash = hash * 31 + bits;
    }
    std::printf("%zu fragments, %zu pairs, %u contacts\n", pieces->size(), pairs.size(), offsets.back());
    return hash;
}

} // namespace

int main() {
    // Before any other call: from now on everything comes from us.
    static Memory memory;
    if (fc_set_allocator(Memory::take, Memory::give_back, &memory) != FC_OK) return 1;
    (void)fc_set_log(log, nullptr);
    const std::uint64_t alone = work();
    std::uint64_t together = 0;
    unsigned ran = 0;
    {
        Jobs jobs(3);
        (void)fc_set_task_system(Jobs::parallel_for, &jobs);
        together = work();
        ran = jobs.ran();
        (void)fc_set_task_system(nullptr, nullptr);
    }
    std::printf("%u times work was given to the jobs; the results are %s\n", ran, alone == together ? "the same" : "NOT the same");

    std::uint32_t leaked = 0;
    (void)fc_shutdown(&leaked);
    std::printf("%.1f MB at most; at the end %zu blocks, %zu bytes, %u handles\n", 1e-6 * static_cast<double>(memory.most),
                memory.blocks.load(), memory.used.load(), leaked);
    return alone != together || ran == 0 || memory.blocks != 0 || leaked != 0;
}
