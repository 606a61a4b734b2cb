/* Linked to the C tests for WebAssembly. The C library of WASI takes all memory that there is at the first malloc, and would take
   the library's too. */
#include <stdlib.h>

__attribute__((constructor)) static void come_first(void) {
    void *volatile block = malloc(1); /* not to be optimised away */
    free(block);
}
