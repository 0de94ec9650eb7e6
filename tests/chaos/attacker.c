/* A bot that plays the first legal ply and at its second decision makes system calls that a scripting language has no word
 * for:
 *
 *     attacker ATTACK FOLDER
 *
 * FOLDER is that of the tournament. An attack on somebody else answers with `bestmove resign` if it was not prevented. No
 * process but those of this tournament is ever touched. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum outcome { HONEST, SUCCESS, DONE };

static char folder[4096];

/* Whether the words of a process are those of the arena that runs this tournament. */
static int is_arena(pid_t pid) {
    char path[64], text[8192], wanted[4200];
    snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
    snprintf(wanted, sizeof wanted, "%s/cup.yaml", folder);
    int file = open(path, O_RDONLY);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    for (char *word = text; word < text + count; word += strlen(word) + 1)
        if (strcmp(word, wanted) == 0) return 1;
    return 0;
}

static pid_t parent_of(pid_t pid) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int file = open(path, O_RDONLY);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    char *end = strrchr(text, ')'), state;
    int parent = 0;
    if (!end || sscanf(end + 1, " %c %d", &state, &parent) != 2) return 0;
    return parent;
}

static int is_below_the_arena(pid_t pid) {
    for (int depth = 0; pid > 1 && depth < 64; depth++, pid = parent_of(pid))
        if (is_arena(pid)) return 1;
    return 0;
}

/* Tries an attack on the arena, what stands between, and the opponent; one success is enough. */
static enum outcome on_others(int (*attack)(pid_t)) {
    enum outcome outcome = HONEST;
    DIR *processes = opendir("/proc");
    if (!processes) return HONEST;
    for (struct dirent *entry; (entry = readdir(processes));) {
        pid_t pid = atoi(entry->d_name);
        if (pid > 1 && pid != getpid() && is_below_the_arena(pid) && attack(pid) == 0) outcome = SUCCESS;
    }
    closedir(processes);
    return outcome;
}

static int trace(pid_t pid) {
    if (ptrace(PTRACE_SEIZE, pid, 0, 0) != 0) return -1;
    ptrace(PTRACE_INTERRUPT, pid, 0, 0);
    waitpid(pid, NULL, __WALL);
    ptrace(PTRACE_DETACH, pid, 0, 0);
    return 0;
}

/* Writes over the stack of a process, where its memory map can be read. */
static int overwrite(pid_t pid) {
    char path[64], line[512], junk[256] = {0};
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    FILE *maps = fopen(path, "r");
    unsigned long start = 0, end = 0;
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, "[stack]")) sscanf(line, "%lx-%lx", &start, &end);
    if (maps) fclose(maps);
    struct iovec from = {junk, sizeof junk}, to = {(void *)(end ? end - 4096 : 4096), sizeof junk};
    return process_vm_writev(pid, &from, 1, &to, 1, 0) > 0 ? 0 : -1;
}

static int write_memory_file(pid_t pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    int file = open(path, O_RDWR);
    if (file < 0) return -1;
    close(file);
    return 0;
}

static int limit(pid_t pid) {
    struct rlimit none = {0, 0};
    return prlimit(pid, RLIMIT_FSIZE, &none, NULL);
}

static int take_descriptor(pid_t pid) {
    int process = syscall(SYS_pidfd_open, pid, 0);
    if (process < 0) return -1;
    int taken = syscall(SYS_pidfd_getfd, process, 1, 0);
    close(process);
    return taken < 0 ? -1 : 0;
}

static int signal_by_descriptor(pid_t pid) {
    int process = syscall(SYS_pidfd_open, pid, 0);
    if (process < 0) return -1;
    int sent = syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0);
    close(process);
    return sent;
}

static int idle_class(pid_t pid) {
    struct sched_param parameter = {0};
    return sched_setscheduler(pid, SCHED_IDLE, &parameter);
}

static volatile int depth;

static int overflow(int n) {
    volatile char block[4096];
    block[0] = (char)n;
    depth = n;
    return overflow(n + 1) + block[0];
}

/* A child that has the parent of this process for its parent. */
static enum outcome sibling(void) {
    for (int i = 0; i < 3; i++) {
        long pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
        if (pid == 0) {
            if (i == 0) _exit(7);
            for (;;) pause();
        }
    }
    return HONEST;
}

#include "memory.c"

static enum outcome run(const char *name) {
    if (!strcmp(name, "segmentation_fault")) { *(volatile int *)8 = 1; return DONE; }
    if (!strcmp(name, "abort")) abort();
    if (!strcmp(name, "illegal_instruction")) { raise(SIGILL); return DONE; }
    if (!strcmp(name, "stack_overflow")) return overflow(0) ? DONE : HONEST;
    if (!strcmp(name, "broken_pipe_signal")) { raise(SIGPIPE); return DONE; }
    if (!strcmp(name, "siblings")) return sibling();
    if (!strcmp(name, "trace_others")) return on_others(trace);
    if (!strcmp(name, "overwrite_memory_of_others")) return on_others(overwrite);
    if (!strcmp(name, "open_memory_of_others")) return on_others(write_memory_file);
    if (!strcmp(name, "limit_others")) return on_others(limit);
    if (!strcmp(name, "take_descriptors_of_others")) return on_others(take_descriptor);
    if (!strcmp(name, "kill_others_by_descriptor")) return on_others(signal_by_descriptor);
    if (!strcmp(name, "idle_class_for_others")) return on_others(idle_class);
    if (!strcmp(name, "memory_without_a_name")) return in_files(nameless, 0);
    if (!strcmp(name, "memory_without_a_name_or_descriptor")) return in_files(nameless, 1);
    if (!strcmp(name, "memory_in_an_unlinked_file")) return in_files(unlinked, 0);
    if (!strcmp(name, "memory_under_way")) return under_way();
    if (!strcmp(name, "shared_memory_mapped_in_part")) return in_mappings(-1, MAP_ANONYMOUS);
    if (!strcmp(name, "zeros_mapped_in_part")) return in_mappings(open("/dev/zero", O_RDWR), 0);
    if (!strcmp(name, "memory_in_sockets")) return in_children(6, in_sockets);
    if (!strcmp(name, "memory_in_pipes")) return in_children(40, in_pipes);
    if (!strcmp(name, "memory_in_page_tables")) return in_tables();
    if (!strcmp(name, "memory_in_slots_of_pipes")) return in_slots();
    if (!strcmp(name, "new_namespaces")) return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 ? SUCCESS : HONEST;
    if (!strcmp(name, "kernel_keys"))
        return syscall(SYS_add_key, "user", "arena-chaos", "x", 1, -4 /* the user's */) >= 0 ? SUCCESS : HONEST;
    return HONEST;
}

int main(int count, char **words) {
    if (count < 3) return 2;
    snprintf(folder, sizeof folder, "%s", words[2]);
    static char line[1 << 16], ply[64];
    int answers = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "ugi\n", 4)) printf("id name Attacker\nprotocol 1\nplays *\nwant legal\nugiok\n");
        else if (!strncmp(line, "uginewgame", 10)) answers = 0;
        else if (!strncmp(line, "isready", 7)) printf("readyok\n");
        else if (!strncmp(line, "legal ", 6)) sscanf(line + 6, "%63s", ply);
        else if (!strncmp(line, "quit", 4)) break;
        else if (!strncmp(line, "go", 2)) {
            enum outcome outcome = ++answers == 2 ? run(words[1]) : HONEST;
            if (outcome != DONE) printf("bestmove %s\n", outcome == SUCCESS ? "resign" : ply);
        }
    }
    return 0;
}
