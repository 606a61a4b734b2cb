/* The blocks of the documentation in C: how descriptors are used (docs/abi.md). */
#include <fracas.h>

#include <stdio.h>

static void log_line(uint32_t level, const char *message, void *user_data) {
    (void)user_data;
    printf("fracas, level %u: %s\n", (unsigned)level, message);
}

int main(void) {
    if (!fc_abi_compatible(FC_ABI_VERSION)) return 1;
    if (fc_set_log(log_line, NULL) < FC_OK) return 1;

    fc_asset_desc desc;
    fc_asset_desc_default(&desc); /* the size that this program was compiled with, and the defaults */
    desc.density = 2400;          /* then only what you need */
    fc_asset asset;
    const fc_status status = fc_asset_create(&desc, &asset);
    if (status < FC_OK) printf("%s: %s\n", fc_status_name(status), fc_last_error());
    return status == FC_ERROR_INVALID_MESH ? 0 : 1;
}
