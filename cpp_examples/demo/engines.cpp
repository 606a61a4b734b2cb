#include "world.hpp"

namespace demo {

#ifdef WITH_JOLT
std::unique_ptr<World> make_jolt_world(const Tuning &tuning, adapter::Query &query);
#endif
#ifdef WITH_BULLET
std::unique_ptr<World> make_bullet_world(const Tuning &tuning, adapter::Query &query);
#endif
#ifdef WITH_PHYSX
std::unique_ptr<World> make_physx_world(const Tuning &tuning, adapter::Query &query);
#endif
#ifdef WITH_ODE
std::unique_ptr<World> make_ode_world(const Tuning &tuning, adapter::Query &query);
#endif

const std::vector<Engine> &engines() {
    static const std::vector<Engine> built{
#ifdef WITH_JOLT
        {"jolt", make_jolt_world},
#endif
#ifdef WITH_BULLET
        {"bullet", make_bullet_world},
#endif
#ifdef WITH_PHYSX
        {"physx", make_physx_world},
#endif
#ifdef WITH_ODE
        {"ode", make_ode_world},
#endif
    };
    return built;
}

} // namespace demo
