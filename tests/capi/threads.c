/* Eight threads query the fragments of one object while another breaks and destroys some of them: every answer is either that
 * of one thread alone, or says that the object is gone. */
#include "check.h"

#include <pthread.h>
#include <unistd.h>

enum { PIECES = 12, PAIRS = PIECES * PIECES, THREADS = 8, ROUNDS = 12, ROOM = 256 };

static fc_object pieces[64];
static uint32_t piece_count = 0;
static fc_contact expected[PAIRS][ROOM];
static uint32_t expected_count[PAIRS];
static int gone = 0, answered = 0, all_broken = 0;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static fc_status ask(uint32_t pair, fc_contact *contacts, uint32_t *count) {
    fc_pose a = pose_at(0.01 * (pair % 3), 0.005, 0), b = pose_at(0, 0, 0.002 * (pair % 5));
    return fc_query_pair(pieces[pair / PIECES], &a, pieces[pair % PIECES], &b, NULL, contacts, ROOM, count);
}

static int is_all_broken(void) {
    int is;
    pthread_mutex_lock(&lock);
    is = all_broken;
    pthread_mutex_unlock(&lock);
    return is;
}

/* Goes on until some objects are gone, and for one round more. */
static void *query_all(void *start) {
    uint32_t first = *(uint32_t *)start, k, round;
    int wrong = 0, stale = 0, right = 0, last = 0;
    fc_contact *contacts = (fc_contact *)malloc(ROOM * sizeof *contacts);
    for (round = 0; round < ROUNDS || !last; ++round) {
        last = is_all_broken();
        for (k = 0; k < PAIRS; ++k) {
            uint32_t pair = (k * 7 + first * 13) % PAIRS, count = 0;
            fc_status status = ask(pair, contacts, &count);
            if (status == FC_ERROR_INVALID_HANDLE) {
                ++stale;
            } else {
                wrong += status != FC_OK || count != expected_count[pair] ||
                         memcmp(contacts, expected[pair], count * sizeof *contacts) != 0;
                ++right;
            }
        }
    }
    free(contacts);
    pthread_mutex_lock(&lock);
    CHECK(wrong == 0);
    gone += stale;
    answered += right;
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Breaks fragments again and again, and destroys the first half of them in the middle of it all. */
static void *break_them(void *unused) {
    fc_fracture_desc how = random_cells(6, 2);
    fc_object made[64];
    uint64_t hash = 0, first_hash = 0;
    uint32_t count = 0, k, round;
    (void)unused;
    for (round = 0; round < 30; ++round) {
        CHECK(fc_fracture(pieces[PIECES - 1], &how, made, 64, &count, NULL) == FC_OK);
        CHECK(fc_object_state_hash(made[0], &hash) == FC_OK);
        if (round == 0) first_hash = hash;
        CHECK(hash == first_hash);
        for (k = 0; k < count; ++k) CHECK(fc_object_destroy(made[k]) == FC_OK);
        if (round >= 10 && round < 10 + PIECES / 2) CHECK(fc_object_destroy(pieces[round - 10]) == FC_OK);
        usleep(1000);
    }
    pthread_mutex_lock(&lock);
    all_broken = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Handles come and go while others look at them. */
static fc_object shared_handle;
static fc_asset asset;

static void *come_and_go(void *unused) {
    int k;
    (void)unused;
    for (k = 0; k < 2000; ++k) {
        fc_object object = {0};
        fc_mass mass;
        CHECK(fc_object_create(asset, NULL, &object) == FC_OK);
        CHECK(fc_object_mass(object, &mass) == FC_OK && mass.volume > 0.99);
        CHECK(fc_object_set_user_data(shared_handle, (uint64_t)k) == FC_OK);
        CHECK(fc_object_destroy(object) == FC_OK);
        CHECK(fc_object_mass(object, &mass) == FC_ERROR_INVALID_HANDLE);
    }
    return NULL;
}

/* How many threads of the library are alive. */
static int count_own_threads(void) {
    FILE *list = popen("cat /proc/$PPID/task/*/comm 2>/dev/null | grep -c '^fracas-'", "r");
    int count = -1;
    if (list == NULL || fscanf(list, "%d", &count) != 1) count = -1;
    if (list != NULL) pclose(list);
    return count;
}

/* Whether there are that many. A thread that has ended is in the system's list for a moment longer. */
static int own_threads_are(int count) {
    int tries;
    for (tries = 0; tries < 100 && count_own_threads() != count; ++tries) usleep(10000);
    return count_own_threads() == count;
}

int main(void) {
    fc_object object = {0};
    fc_fracture_desc how = random_cells(PIECES, 1);
    pthread_t threads[THREADS], breaker;
    uint32_t starts[THREADS], k, leaked = 0;

    asset = cook_box(5, 1.0f);
    CHECK(fc_object_create(asset, NULL, &object) == FC_OK);
    CHECK(fc_fracture(object, &how, pieces, 64, &piece_count, NULL) == FC_OK && piece_count >= PIECES);
    for (k = 0; k < PAIRS; ++k) CHECK(ask(k, expected[k], &expected_count[k]) == FC_OK);
    /* The same again on new fragments, so that nothing is prepared when the threads start. */
    for (k = 0; k < piece_count; ++k) CHECK(fc_object_destroy(pieces[k]) == FC_OK);
    CHECK(fc_fracture(object, &how, pieces, 64, &piece_count, NULL) == FC_OK);

    for (k = 0; k < THREADS; ++k) {
        starts[k] = k;
        CHECK(pthread_create(&threads[k], NULL, query_all, &starts[k]) == 0);
    }
    CHECK(pthread_create(&breaker, NULL, break_them, NULL) == 0);
    for (k = 0; k < THREADS; ++k) CHECK(pthread_join(threads[k], NULL) == 0);
    CHECK(pthread_join(breaker, NULL) == 0);
    printf("%d answers as of one thread alone, %d on objects that were gone\n", answered, gone);
    CHECK(answered > 1000 && gone > 0);

    shared_handle = object;
    for (k = 0; k < THREADS; ++k) CHECK(pthread_create(&threads[k], NULL, come_and_go, NULL) == 0);
    for (k = 0; k < THREADS; ++k) CHECK(pthread_join(threads[k], NULL) == 0);

    CHECK(own_threads_are(0));
    CHECK(fc_set_threads(5) == FC_OK && own_threads_are(4));
    CHECK(fc_set_threads(3) == FC_OK && own_threads_are(2));
    CHECK(fc_shutdown(&leaked) == FC_OK && leaked == 2 + piece_count - PIECES / 2);
    CHECK(own_threads_are(0));
    DONE("threads");
}
