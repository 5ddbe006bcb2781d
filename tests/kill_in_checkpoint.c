/* Preloaded: kills the process at the nth write to the journal's own file, which SQLite writes in a checkpoint alone (commits go to
 * the log beside it). KILL_FILE: the end of the file's name; KILL_AT: which write. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static void count(int fd)
{
    static long seen;
    char link[64], path[4096];
    const char *wanted = getenv("KILL_FILE"), *at = getenv("KILL_AT");
    ssize_t length;
    size_t ending;

    if (!wanted || !at)
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    ending = strlen(wanted);
    if (length < (ssize_t)ending)
        return;
    path[length] = 0;
    if (strcmp(path + length - ending, wanted) == 0 && ++seen == atol(at))
        kill(getpid(), SIGKILL);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
    static ssize_t (*real)(int, const void *, size_t, off64_t);

    if (!real)
        real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    count(fd);
    return real(fd, data, size, offset);
}
