// The scenarios of the paper on a real engine.
//
// fracas_demo [--engine NAME] [--scenario NAME|all|rest|bowl|rolling|budget|colliders|beside] [--seconds S] [--drops N] [--threads N] [--assets DIR]
//             [--out DIR] [--brief] [--quiet] [--list]
// fracas_demo --runs N [--first N] ...    the scenarios N times with other heights and seeds, from variation `first` (1) on: how they end;
//             [--iterations N] of the solver, [--cold]: without warm starting
#include "beside.hpp"
#include "budget.hpp"
#include "colliders.hpp"
#include "settle.hpp"
#include "studies.hpp"

#include <cstring>
#include <filesystem>
#include <sstream>

namespace {

using namespace demo;

const Engine &engine_named(const std::string &name) {
    std::string known;
    for (const Engine &engine : engines()) {
        if (name == engine.name) return engine;
        known += std::string(known.empty() ? "" : ", ") + engine.name;
    }
    give_up("there is no engine \"" + name + "\" in this build; it has: " + known);
}

std::vector<const Scenario *> scenarios_named(const std::string &name) {
    std::vector<const Scenario *> chosen;
    std::string known;
    for (const Scenario &scenario : scenarios()) {
        if (name == scenario.name || (name == "all" && !scenario.at_rest) || (name == "rest" && scenario.at_rest)) chosen.push_back(&scenario);
        known += std::string(", ") + scenario.name;
    }
    if (chosen.empty()) give_up("there is no scenario \"" + name + "\"; there are: all, rest, bowl, rolling, budget, colliders, beside" + known);
    return chosen;
}

double number(const std::string &option, const char *text, double least) {
    char *end = nullptr;
    const double value = std::strtod(text, &end);
    if (*end != 0 || !(value >= least)) {
        std::ostringstream text_of_least;
        text_of_least << least;
        give_up(option + " needs a number of at least " + text_of_least.str() + ", not \"" + text + "\"");
    }
    return value;
}

} // namespace

int main(int count, char **words) {
    std::string engine = engines().empty() ? "" : engines().front().name, scenario = "all", assets = "out/demo/assets";
    std::uint32_t drops = 200, runs = 0, first = 1;
    RunOptions options;
    for (int k = 1; k < count; ++k) {
        const std::string option = words[k];
        if (option == "--list") {
            for (const Engine &e : engines()) std::printf("engine %s\n", e.name);
            for (const Scenario &s : scenarios()) std::printf("scenario %-11s %s\n", s.name, s.title);
            return 0;
        }
        if (option == "--quiet") { options.quiet = true; continue; }
        if (option == "--cold") { options.warm_starting = false; continue; }
        if (option == "--brief") { options.brief = true; continue; }
        if (k + 1 == count) give_up(option + " is not an option, or needs a value; see the head of cpp_examples/demo/main.cpp");
        const char *value = words[++k];
        if (option == "--engine") engine = value;
        else if (option == "--scenario") scenario = value;
        else if (option == "--seconds") options.seconds = number(option, value, 0.01);
        else if (option == "--drops") drops = std::uint32_t(number(option, value, 1));
        else if (option == "--runs") runs = std::uint32_t(number(option, value, 1));
        else if (option == "--first") first = std::uint32_t(number(option, value, 0));
        else if (option == "--iterations") options.iterations = std::uint32_t(number(option, value, 1));
        else if (option == "--threads") options.threads = std::uint32_t(number(option, value, 1));
        else if (option == "--assets") assets = value;
        else if (option == "--out") options.out = value;
        else give_up(option + " is not an option; there are --engine, --scenario, --seconds, --drops, --runs, --first, --iterations, --cold, --threads, --assets, --out, --brief, --quiet, --list");
    }
    std::error_code failed;
    std::filesystem::create_directories(options.out, failed);
    if (failed) give_up(options.out + " could not be made: " + failed.message());
    Library library(assets);
    std::uint32_t missed = 0;
    const Engine &chosen = engine_named(engine);
    const auto count_missed = [&](const std::vector<Check> &checks) {
        for (const Check &check : checks) missed += !check.met();
    };
    if (runs > 0)
        for (const Scenario *each : scenarios_named(scenario)) settle(*each, chosen, library, options, first, runs);
    else if (scenario == "bowl") count_missed(bowl_study(chosen, library, options, drops));
    else if (scenario == "budget") count_missed(budget_study(chosen, library, options));
    else if (scenario == "beside") count_missed(beside_study(chosen, library, options));
    else if (scenario == "colliders") compare_colliders(chosen, library, options);
    else if (scenario == "rolling") count_missed(rolling_study(chosen, library, options));
    else
        for (const Scenario *each : scenarios_named(scenario)) count_missed(run(*each, chosen, library, options));
    if (missed > 0) std::printf("%u %s missed\n", missed, missed == 1 ? "check" : "checks");
    return missed > 0 ? 2 : 0;
}
