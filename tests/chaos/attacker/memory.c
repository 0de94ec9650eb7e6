/* Memory that is not found where a process is looked at: each of these tries to hold far more than the tournament's limit of
 * 128 MiB, in a way of its own. Part of `attacker.c`. */
#include <sys/mman.h>
#include <sys/socket.h>

#define MIB (1 << 20)
/* One file or mapping; larger files than 64 MiB are refused anyway. */
#define BLOCK (50 * MIB)
#define BLOCKS 8
/* How many pipes, or pairs of sockets, a process fills at the most. */
#define MOST 1000
/* What nobody may hold unseen. */
#define TOO_MUCH (200L * MIB)

/* Waits to be found out. */
static enum outcome hold(long held) {
    if (held < TOO_MUCH) return HONEST;
    sleep(20);
    return SUCCESS;
}

static long fill(int file) {
    static char block[MIB];
    long held = 0;
    memset(block, 1, sizeof block);
    for (ssize_t count; held < BLOCK && (count = write(file, block, sizeof block)) > 0;) held += count;
    return held;
}

static enum outcome in_files(int (*make)(int), int is_mapped) {
    long held = 0;
    for (int n = 0; n < BLOCKS; n++) {
        int file = make(n);
        if (file < 0) break;
        held += fill(file);
        if (is_mapped) {
            if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED) break;
            close(file);
        }
    }
    return hold(held);
}

static int nameless(int n) {
    (void)n;
    return memfd_create("x", 0);
}

static int unlinked(int n) {
    char path[64];
    snprintf(path, sizeof path, "/dev/shm/arena-chaos-left-%d-%d", getpid(), n);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file >= 0) unlink(path);
    return file;
}

/* Descriptors that were sent and not yet received belong to nobody. */
static enum outcome under_way(void) {
    int ends[2];
    long held = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return HONEST;
    for (int n = 0; n < BLOCKS; n++) {
        int file = nameless(n);
        if (file < 0) break;
        held += fill(file);
        char control[CMSG_SPACE(sizeof file)] = {0};
        struct iovec word = {"x", 1};
        struct msghdr message = {.msg_iov = &word, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
        struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof file);
        memcpy(CMSG_DATA(rights), &file, sizeof file);
        if (sendmsg(ends[0], &message, 0) < 0) break;
        close(file);
    }
    return hold(held);
}

/* All of a shared mapping stays while one page of it is mapped. */
static enum outcome in_mappings(int file, int flags) {
    long held = 0;
    for (int n = 0; n < BLOCKS; n++) {
        char *block = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_SHARED | flags, file, 0);
        if (block == MAP_FAILED) break;
        memset(block, 1, BLOCK);
        munmap(block + 4096, BLOCK - 4096);
        held += BLOCK;
    }
    return hold(held);
}

/* Has children do it, each with descriptors of its own; they tell how much. */
static enum outcome in_children(int count, long (*store)(void)) {
    int told[2];
    long held = 0;
    if (pipe(told) != 0) return HONEST;
    for (int n = 0; n < count; n++) {
        if (fork() != 0) continue;
        long stored = store();
        if (write(told[1], &stored, sizeof stored) < 0) _exit(1);
        for (;;) pause();
    }
    close(told[1]);
    for (long stored; count-- > 0 && read(told[0], &stored, sizeof stored) == sizeof stored;) held += stored;
    return hold(held);
}

static long pour(int file) {
    static char block[65536];
    long held = 0;
    fcntl(file, F_SETFL, O_NONBLOCK);
    for (ssize_t count; (count = write(file, block, sizeof block)) > 0;) held += count;
    return held;
}

static long in_sockets(void) {
    int ends[2];
    long held = 0;
    for (int n = 0; n < MOST && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0; n++) held += pour(ends[0]) + pour(ends[1]);
    return held;
}

static long in_pipes(void) {
    int ends[2];
    long held = 0;
    for (int n = 0; n < MOST && pipe(ends) == 0; n++) {
        held += pour(ends[1]);
        close(ends[1]);
    }
    return held;
}

/* Pages that are read and were never written are nobody's; the tables that lead to them are there. */
static enum outcome in_tables(void) {
    long size = 256L << 30, step = 2 * MIB, sum = 0;
    char *pages = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) return HONEST;
    madvise(pages, size, MADV_NOHUGEPAGE);
    for (long at = 0; at < size; at += step) sum += *(volatile char *)(pages + at);
    return hold(size / step * 4096 + sum);
}

/* A slot of a pipe for 4 KiB keeps the whole of a huge page. */
static enum outcome in_slots(void) {
    char text[128] = "";
    int file = open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY);
    if (file < 0 || read(file, text, sizeof text - 1) <= 0 || strstr(text, "[never]")) return HONEST;
    long huge = 2 * MIB, held = 0;
    for (int n = 0; n < 12; n++) {
        int ends[2];
        char *block = mmap(NULL, 17 * huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED || pipe(ends) != 0) break;
        char *start = (char *)(((unsigned long)block + huge - 1) / huge * huge);
        madvise(start, 16 * huge, MADV_HUGEPAGE);
        struct iovec parts[16];
        for (int slot = 0; slot < 16; slot++) {
            start[slot * huge] = 1;
            parts[slot] = (struct iovec){start + slot * huge, 4096};
        }
        ssize_t taken = vmsplice(ends[1], parts, 16, 0);
        munmap(block, 17 * huge);
        if (taken <= 0) break;
        held += taken / 4096 * huge;
    }
    return hold(held);
}
