/* Objects: eight threads query the fragments of one object while another breaks and destroys some of them: every answer is either that
 * of one thread alone, or says that the object is gone. Scenes: threads query one while others change it: every answer is that
 * of one of its states, or says that this is the wrong time. */
#include "check.h"

#include <pthread.h>
#include <unistd.h>
#ifdef _WIN32
#include <windows.h>

#include <tlhelp32.h>

static int threads_at_start;

static int count_threads(void) {
    HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    THREADENTRY32 thread;
    int count = 0;
    BOOL more;
    thread.dwSize = sizeof thread;
    for (more = Thread32First(all, &thread); more; more = Thread32Next(all, &thread)) count += thread.th32OwnerProcessID == GetCurrentProcessId();
    CloseHandle(all);
    return count;
}
#else
#include <dirent.h>
#endif

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

enum { READERS = 4, CHANGES = 60, PAIR_ROOM = 20000 };
static fc_scene the_scene;
static fc_body waving;
static sheet waves[2];
static fc_overlap state_pairs[2][PAIR_ROOM];
static uint32_t state_counts[2];
static long in_time = 0, too_early = 0, refused_changes = 0;
static int is_over = 0;

static int over(void) {
    int is;
    pthread_mutex_lock(&lock);
    is = is_over;
    pthread_mutex_unlock(&lock);
    return is;
}

/* Until the scene is destroyed. */
static void *query_scene(void *unused) {
    fc_overlap *pairs = (fc_overlap *)malloc(PAIR_ROOM * sizeof *pairs);
    long right = 0, wrong = 0, early = 0;
    (void)unused;
    for (;;) {
        uint32_t count = 0, k;
        fc_status status = fc_scene_query_discrete(the_scene, FC_DISCRETE_CONTACTS, pairs, PAIR_ROOM, &count);
        if (status == FC_ERROR_INVALID_HANDLE) break;
        if (status == FC_ERROR_WRONG_TIME) {
            ++early;
        } else {
            for (k = 0; k < 2; ++k)
                if (count == state_counts[k] && memcmp(pairs, state_pairs[k], count * sizeof *pairs) == 0) break;
            wrong += status != FC_OK || k == 2;
            ++right;
        }
        usleep(1000);
    }
    free(pairs);
    pthread_mutex_lock(&lock);
    CHECK(wrong == 0);
    in_time += right;
    too_early += early;
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Calls until it is the right time. */
#define PATIENTLY(call)                                                                                                     \
    do {                                                                                                                    \
        fc_status got;                                                                                                      \
        while ((got = (call)) == FC_ERROR_WRONG_TIME) { ++refused; usleep(100); }                                           \
        CHECK(got == FC_OK);                                                                                                \
    } while (0)

/* Moves a body from one state to the other and back. */
static void *change_scene(void *unused) {
    uint32_t k;
    long refused = 0;
    (void)unused;
    for (k = 0; k < CHANGES; ++k) {
        PATIENTLY(fc_scene_move(the_scene, waving, waves[k % 2].positions, waves[k % 2].vertex_count, 0));
        PATIENTLY(fc_scene_update(the_scene, k % 3 ? 0 : FC_UPDATE_CONTINUOUS));
        usleep(2000);
    }
    pthread_mutex_lock(&lock);
    is_over = 1;
    refused_changes += refused;
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Adds a body far away and deletes it again. */
static void *disturb_scene(void *unused) {
    sheet remote = flat_sheet(10, 1.0f, 50, 0, 0);
    fc_body_mesh mesh = describe_sheet(&remote);
    long refused = 0;
    (void)unused;
    while (!over()) {
        fc_body body = {0};
        PATIENTLY(fc_scene_add(the_scene, &mesh, NULL, &body));
        usleep(3000);
        PATIENTLY(fc_scene_delete(the_scene, body));
        usleep(3000);
    }
    free_sheet(&remote);
    pthread_mutex_lock(&lock);
    refused_changes += refused;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void scenes(void) {
    pthread_t readers[READERS], writer, disturber;
    sheet flat = flat_sheet(40, 1.0f, 0, 0, 0);
    fc_scene_desc desc;
    uint32_t k, v;
    fc_scene_desc_default(&desc);
    desc.restructuring = 0; /* the order of results depends on the tree alone, which does not change */
    for (k = 0; k < 2; ++k) {
        waves[k] = flat_sheet(40, 0.9f, 0.03f, 0.02f, 0);
        for (v = 0; v < waves[k].vertex_count; ++v)
            waves[k].positions[3 * v + 2] = 0.1f * sinf((float)(10 + 5 * k) * waves[k].positions[3 * v]) + 0.001f;
    }
    CHECK(fc_scene_create(&desc, &the_scene) == FC_OK);
    (void)add_sheet(the_scene, &flat);
    waving = add_sheet(the_scene, &waves[0]);
    for (k = 0; k < 2; ++k) {
        CHECK(fc_scene_move(the_scene, waving, waves[k].positions, waves[k].vertex_count, 0) == FC_OK);
        CHECK(fc_scene_update(the_scene, 0) == FC_OK);
        CHECK(fc_scene_query_discrete(the_scene, FC_DISCRETE_CONTACTS, state_pairs[k], PAIR_ROOM, &state_counts[k]) == FC_OK);
        CHECK(state_counts[k] > 100);
    }
    CHECK(state_counts[0] != state_counts[1] || memcmp(state_pairs[0], state_pairs[1], state_counts[0] * sizeof(fc_overlap)) != 0);
    for (k = 0; k < READERS; ++k) CHECK(pthread_create(&readers[k], NULL, query_scene, NULL) == 0);
    CHECK(pthread_create(&writer, NULL, change_scene, NULL) == 0);
    CHECK(pthread_create(&disturber, NULL, disturb_scene, NULL) == 0);
    CHECK(pthread_join(writer, NULL) == 0 && pthread_join(disturber, NULL) == 0);
    CHECK(fc_scene_destroy(the_scene) == FC_OK); /* while it is queried */
    for (k = 0; k < READERS; ++k) CHECK(pthread_join(readers[k], NULL) == 0);
    printf("%ld answers of one of two states, %ld at the wrong time; %ld changes at the wrong time\n", in_time, too_early,
           refused_changes);
    CHECK(in_time > 10 && too_early > 0 && refused_changes > 0);
    free_sheet(&flat);
    free_sheet(&waves[0]);
    free_sheet(&waves[1]);
}

/* How many threads of the library are alive. */
#ifdef _WIN32
static int count_own_threads(void) { return count_threads() - threads_at_start; }
#else
static int count_own_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;
    int count = 0;
    if (tasks == NULL) return -1;
    while ((task = readdir(tasks)) != NULL) {
        char path[300], name[16] = "";
        FILE *file;
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
        file = fopen(path, "r");
        if (file == NULL) continue; /* it has ended meanwhile */
        count += fgets(name, sizeof name, file) != NULL && strncmp(name, "fracas-", 7) == 0;
        fclose(file);
    }
    closedir(tasks);
    return count;
}
#endif

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

#ifdef _WIN32
    threads_at_start = count_threads();
#endif
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

    scenes();
    CHECK(own_threads_are(0));
    CHECK(fc_set_threads(5) == FC_OK && own_threads_are(4));
    CHECK(fc_set_threads(3) == FC_OK && own_threads_are(2));
    CHECK(fc_shutdown(&leaked) == FC_OK && leaked == 2 + piece_count - PIECES / 2);
    CHECK(own_threads_are(0));
    DONE("threads");
}
