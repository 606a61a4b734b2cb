// Soft bodies that deform, break, tear and are cut, with penalty forces of Fracas: the scenes of Marchal 2004 (figures 13 to
// 15) in a small mass-spring simulator.
//
//   05_soft_bodies [torus|cloth|ellipsoids|all] [--brief] [--out DIR]
//
// --brief: coarse and short, each scene twice, which must give the same. --out: writes figures and films for the report page
// (scripts/demo). Ends with 2 if a check was missed, with 1 for other errors.
//
// Start reading at simulator.hpp, then the scenes: torus.cpp, cloth.cpp, ellipsoids.cpp.
#include "run.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

int main(int argc, char **argv) {
    const struct {
        const char *name;
        Run (*run)(bool);
    } scenes[] = {{"torus", torus_scene}, {"cloth", cloth_scene}, {"ellipsoids", ellipsoids_scene}};
    std::string wanted = "all", folder;
    bool is_brief = false, is_known = true;
    for (int k = 1; k < argc; ++k) {
        if (std::strcmp(argv[k], "--brief") == 0) is_brief = true;
        else if (std::strcmp(argv[k], "--out") == 0 && k + 1 < argc) folder = argv[++k];
        else if (argv[k][0] == '-') is_known = false;
        else wanted = argv[k];
    }
    is_known = is_known && (wanted == "all" || std::any_of(std::begin(scenes), std::end(scenes), [&](const auto &scene) { return wanted == scene.name; }));
    if (!is_known) return std::puts("05_soft_bodies [torus|cloth|ellipsoids|all] [--brief] [--out DIR]"), 1;

    bool is_well = true;
    for (const auto &scene : scenes) {
        if (wanted != "all" && wanted != scene.name) continue;
        Run run = scene.run(is_brief);
        if (is_brief)
            run.checks.push_back({"deterministic", scene.run(true).hash == run.hash ? 1.0 : 0.0, "==", 1, "", "a second run ends with the same positions"});
        run.print();
        if (!folder.empty() && !run.write(folder)) {
            std::printf("%s could not be written to\n", folder.c_str());
            return 1;
        }
        for (const Check &check : run.checks) is_well = is_well && check.met();
    }
    return is_well ? 0 : 2;
}
