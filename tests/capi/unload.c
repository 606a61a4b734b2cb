/* The library can be loaded, used, shut down and unloaded, again and again, as the plugin of an editor is. */
#include "fracas.h"

#include <dlfcn.h>
#include <stdio.h>

/* Functions and data have different pointers in C, and dlsym has only one. */
#define FIND(name) (*(void **)&name = dlsym(library, "fc_" #name)) == NULL

int main(int argc, char **argv) {
    int round;
    for (round = 0; argc > 1 && round < 5; ++round) {
        const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
        const uint32_t tet[] = {0, 1, 2, 3};
        fc_status (*asset_create)(const fc_asset_desc *, fc_asset *);
        fc_status (*set_threads)(uint32_t);
        fc_status (*shutdown)(uint32_t *);
        void (*asset_desc_init)(fc_asset_desc *, uint32_t);
        fc_asset_desc desc;
        fc_asset asset;
        uint32_t leaked = 0;
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL || FIND(asset_create) || FIND(set_threads) || FIND(shutdown) || FIND(asset_desc_init)) return 1;
        asset_desc_init(&desc, sizeof desc);
        desc.positions = positions;
        desc.node_count = 4;
        desc.tets = tet;
        desc.tet_count = 1;
        if (set_threads(4) != FC_OK || asset_create(&desc, &asset) != FC_OK) return 2;
        if (shutdown(&leaked) != FC_OK || leaked != 1) return 3;
        if (dlclose(library) != 0) return 4;
    }
    printf("loaded and unloaded %d times\n", round);
    return round != 5;
}
