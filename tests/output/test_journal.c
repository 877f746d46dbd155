// Journals: changes wait, are seen by who reads through them, and reach the file together. A process that is killed
// before any page that it writes, or before any cut, leaves a trajectory with all of a flush or nothing of it.
#define _GNU_SOURCE // syscall
#include "moved.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

// ---- kills ----------------------------------------------------------------------------------------------

enum { PAGE = 4096, FOREVER = -1 };

static int64_t life = FOREVER; // pages and cuts until this process is killed

static void live(void) {
    if (life == 0)
        (void)raise(SIGKILL);
    life -= life > 0;
}

// These two stand for those of the C library. As far as a kill goes, Linux writes a page at a time.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): its names are not for others
ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t at) {
    const size_t left = (size_t)(PAGE - at % PAGE);
    live();
    return syscall(SYS_pwrite64, descriptor, bytes, life == FOREVER || size < left ? size : left, at);
}

int ftruncate(int descriptor, off_t size) {
    live();
    return (int)syscall(SYS_ftruncate, descriptor, size);
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)

// Does it in a process of its own with so long a life; true if it came to its end.
static bool does_in(int64_t pages, void (*what)(fixture *f), fixture *f) {
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        life = pages;
        what(f);
        _exit(0);
    }
    const int end = wait_for(child);
    assert_true(end == 0 || end == 128 + SIGKILL);
    return end == 0;
}

// ---- files ----------------------------------------------------------------------------------------------

enum { MOST = 1 << 22 };

typedef struct content {
    unsigned char *bytes;
    size_t size;
} content;

static content load(const char *path) {
    content c = {malloc(MOST), 0};
    FILE *file = fopen(path, "rb");
    assert_true(c.bytes && file);
    c.size = fread(c.bytes, 1, MOST, file);
    assert_true(c.size < MOST);
    assert_int_equal(fclose(file), 0);
    return c;
}

static void store(const char *path, const content *c) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(c->bytes, 1, c->size, file), c->size);
    assert_int_equal(fclose(file), 0);
}

static bool holds(const char *path, const content *c) {
    const content now = load(path);
    const bool yes = now.size == c->size && memcmp(now.bytes, c->bytes, c->size) == 0;
    free(now.bytes);
    return yes;
}

static bool has_journal(const char *path) {
    const int descriptor = open(path, O_RDONLY);
    const bool yes = vs_journal_is_left(descriptor);
    assert_int_equal(close(descriptor), 0);
    return yes;
}

// ---- three changes of a file of letters -----------------------------------------------------------------

enum { LETTERS = 6000, LONGER = 9000 };

static void write_letters(const char *path) {
    content c = {malloc(LETTERS), LETTERS};
    (void)memset(c.bytes, 'a', LETTERS);
    store(path, &c);
    free(c.bytes);
}

// Across a page, over part of that, and beyond the end.
static void add_changes(const fixture *f, vs_journal *journal) {
    char text[500];
    (void)memset(text, 'b', sizeof text);
    assert_ok(f, vs_journal_add(journal, 4000, text, 300));
    (void)memset(text, 'c', sizeof text);
    assert_ok(f, vs_journal_add(journal, 4200, text, 50));
    assert_ok(f, vs_journal_add(journal, 8000, text, 500));
}

static unsigned char letter(uint64_t at) {
    return at >= 8000 && at < 8500   ? 'c'
           : at >= 4200 && at < 4250 ? 'c'
           : at >= 4000 && at < 4300 ? 'b'
           : at < LETTERS            ? 'a'
                                     : 0;
}

static void change_letters(fixture *f) {
    vs_journal journal = {.context = f->context};
    const int descriptor = open(f->path, O_RDWR);
    add_changes(f, &journal);
    assert_int_equal(vs_journal_commit(&journal, descriptor, LONGER), 0);
    vs_journal_release(&journal);
    assert_int_equal(close(descriptor), 0);
}

static void replay_letters(fixture *f) {
    const int descriptor = open(f->path, O_RDWR);
    assert_ok(f, vs_journal_replay(f->context, descriptor));
    assert_int_equal(close(descriptor), 0);
}

static bool are_changed(const content *c) {
    bool yes = c->size == LONGER;
    for (size_t k = 0; yes && k < c->size; k++)
        yes = c->bytes[k] == letter(k);
    return yes;
}

// But for half a journal at the end.
static bool are_unchanged(const content *c) {
    bool yes = c->size >= LETTERS;
    for (size_t k = 0; yes && k < LETTERS; k++)
        yes = c->bytes[k] == 'a';
    return yes;
}

static void changes_are_seen_before_and_stand_in_the_file_after(void **state) {
    fixture *f = *state;
    write_letters(f->path);
    vs_journal journal = {.context = f->context};
    add_changes(f, &journal);
    char part[200] = {0};
    for (uint64_t at = 3700; at < 8600; at += 70) {
        for (size_t k = 0; k < sizeof part; k++)
            part[k] = at + k < LETTERS ? 'a' : 0;
        vs_journal_overlay(&journal, at, part, sizeof part);
        for (size_t k = 0; k < sizeof part; k++)
            assert_int_equal((unsigned char)part[k], letter(at + k));
    }
    vs_journal_release(&journal);
    change_letters(f);
    content c = load(f->path);
    assert_true(are_changed(&c));
    assert_false(has_journal(f->path));
    free(c.bytes);
}

static void a_kill_anywhere_leaves_all_changes_or_none(void **state) {
    fixture *f = *state;
    int pages = 0, replayed = 0;
    bool changed = false, done = false;
    for (; !done; pages++) {
        write_letters(f->path);
        done = does_in(pages, change_letters, f);
        const bool left = has_journal(f->path);
        // a kill during the replay as well, and then another replay
        for (int k = 0; left && !does_in(k, replay_letters, f); k++)
            replayed++;
        replay_letters(f);
        assert_false(has_journal(f->path));
        content c = load(f->path);
        assert_true(are_changed(&c) || (!changed && are_unchanged(&c)));
        changed = are_changed(&c);
        free(c.bytes);
    }
    assert_true(changed);
    assert_true(pages > 6 && replayed > 6); // the journal, two pages and two other changes, the cut
}

static void a_damaged_journal_is_none(void **state) {
    fixture *f = *state;
    content c = {0};
    for (int pages = 0; !c.bytes; pages++) { // as soon as it is whole
        write_letters(f->path);
        assert_false(does_in(pages, change_letters, f));
        if (has_journal(f->path))
            c = load(f->path);
    }
    for (size_t k = LONGER; k < c.size; k += k + 40 < c.size ? 7 : 1) {
        c.bytes[k] ^= 0x40;
        store(f->path, &c);
        replay_letters(f);
        assert_true(holds(f->path, &c));
        c.bytes[k] ^= 0x40;
    }
    const size_t size = c.size;
    for (c.size = 0; c.size < size; c.size += c.size < LONGER ? 999 : 13) {
        store(f->path, &c);
        replay_letters(f);
        assert_true(holds(f->path, &c));
    }
    free(c.bytes);
}

// There is room for the changes, but not for the journal behind them.
static void change_without_room(fixture *f) {
    const struct rlimit limit = {LONGER + 100, LONGER + 100};
    vs_journal journal = {.context = f->context};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const int descriptor = open(f->path, O_RDWR);
    add_changes(f, &journal);
    const int failed = vs_journal_commit(&journal, descriptor, LONGER);
    _exit(failed == EFBIG ? 0 : 1);
}

static void without_room_for_it_the_file_stays_as_it_was(void **state) {
    fixture *f = *state;
    write_letters(f->path);
    assert_true(does_in(FOREVER, change_without_room, f));
    content c = load(f->path);
    assert_true(are_unchanged(&c) && c.size == LETTERS);
    free(c.bytes);
}

static void without_memory_a_journal_stays_as_it_was(void **state) {
    fixture *f = *state;
    vs_journal journal = {.context = f->context};
    char text[100] = {0}, seen = 1;
    refuse_call(&f->m, 0);
    assert_int_equal(vs_journal_add(&journal, 0, text, sizeof text), VS_ERROR_MEMORY);
    vs_journal_overlay(&journal, 0, &seen, 1);
    assert_int_equal(seen, 1);
    refuse_none(&f->m);
    vs_journal_release(&journal);
}

// ---- trajectories ---------------------------------------------------------------------------------------

enum { BEFORE = 10, KEPT = 7, EACH = 2, AFTER = 12 };
enum { STRIDE = 11 }; // pages from one kill to the next; with 1 the tests take a quarter of a minute

static vs_trajectory_writer_options often(void) {
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    options.flush_frames = EACH;
    return options;
}

static void write_first(fixture *f) {
    const vs_trajectory_writer_options options = often();
    vs_trajectory_writer *writer = NULL;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    write_frames(f, writer, 0, BEFORE);
    assert_ok(f, vs_trajectory_writer_close(writer));
}

// Drops some frames and writes them again, and others.
static void write_further(fixture *f) {
    const vs_trajectory_writer_options options = often();
    vs_trajectory_writer *writer = NULL;
    assert_ok(f, vs_trajectory_writer_resume(f->path, f->world, .25 * (KEPT - 1), &options, &writer));
    write_frames(f, writer, KEPT, AFTER);
    assert_ok(f, vs_trajectory_writer_close(writer));
}

static void recover(fixture *f) {
    assert_ok(f, vs_trajectory_recover(f->context, f->path, NULL));
}

static int64_t count_frames(const fixture *f) {
    vs_trajectory_file file;
    int64_t frames = -1;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    assert_ok(f, vs_trajectory_file_open(f->context, f->path, false, &file));
    vs_h5_silence_end(&silence);
    assert_ok(f, vs_columns_complete(&file, &frames));
    for (int k = 0; k < VS_COLUMNS; k++) // nothing of a flush that was not whole
        if (vs_column_exists(&file, k) && !vs_column_list_of(k))
            assert_int_equal(file.column[k].rows, frames + vs_column_is_offset(k));
    assert_ok(f, vs_trajectory_file_close(&file));
    return frames;
}

// From 10 frames to 7, 9, 11, 12: one after the other, whatever is written.
static void a_kill_anywhere_costs_a_trajectory_at_most_one_flush(void **state) {
    static const int64_t expected[] = {BEFORE, KEPT, KEPT + EACH, KEPT + 2 * EACH, AFTER};
    fixture *f = *state;
    write_first(f);
    content c = load(f->path);
    int pages = 0, stage = 0, journals = 0;
    for (bool done = false; !done; pages += STRIDE) {
        store(f->path, &c);
        done = does_in(pages, write_further, f);
        journals += has_journal(f->path);
        const int64_t frames = count_frames(f);
        stage += frames != expected[stage];
        assert_true(stage < 5);
        assert_int_equal(frames, expected[stage]);
        recover(f);
        assert_frames(f, frames);
    }
    print_message("    %d kills, %d of them left a journal\n", pages / STRIDE - 1, journals);
    assert_int_equal(stage, 4);
    assert_true(journals > 10); // each of five changes writes each of about thirty headers
    free(c.bytes);
}

static void a_kill_while_it_is_recovered_costs_nothing(void **state) {
    fixture *f = *state;
    write_first(f);
    content c = load(f->path);
    int pages = 0, kills = 0;
    do { // a file that is marked as being written and has a journal
        store(f->path, &c);
        assert_false(does_in(pages += STRIDE, write_further, f));
    } while (!has_journal(f->path) || count_frames(f) < KEPT + EACH);
    free(c.bytes);
    c = load(f->path);
    while (!does_in(kills, recover, f)) {
        assert_int_equal(count_frames(f), KEPT + EACH);
        kills++;
        store(f->path, &c);
    }
    print_message("    %d kills\n", kills);
    assert_true(kills > 10);
    assert_frames(f, KEPT + EACH);
    assert_false(has_journal(f->path));
    free(c.bytes);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(changes_are_seen_before_and_stand_in_the_file_after),
        TEST(a_kill_anywhere_leaves_all_changes_or_none),
        TEST(a_damaged_journal_is_none),
        TEST(without_room_for_it_the_file_stays_as_it_was),
        TEST(without_memory_a_journal_stays_as_it_was),
        TEST(a_kill_anywhere_costs_a_trajectory_at_most_one_flush),
        TEST(a_kill_while_it_is_recovered_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
