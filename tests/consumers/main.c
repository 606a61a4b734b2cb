/* The smallest program that uses the library. */
#include <fracas.h>

#include <stdio.h>

int main(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t tet[] = {0, 1, 2, 3};
    fc_asset_desc desc;
    fc_asset asset;
    fc_asset_desc_default(&desc);
    desc.positions = positions;
    desc.node_count = 4;
    desc.tets = tet;
    desc.tet_count = 1;
    if (!fc_abi_compatible(FC_ABI_VERSION) || fc_asset_create(&desc, &asset) != FC_OK) {
        printf("%s\n", fc_last_error());
        return 1;
    }
    printf("fracas %s works\n", fc_version_text());
    return fc_shutdown(NULL) != FC_OK;
}
