#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int system_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/// In the child: only calls that are safe after a fork in a program with threads.
static void become(const char *path, char *const arguments[], pid_t parent, int output, int report) {
    int failure;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_IGN);  // Ctrl-C is for us; we end the child in order
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) goto failed;
    if (getppid() != parent) _exit(127);  // the parent died before the line above
    if (dup2(output, 1) < 0 || dup2(output, 2) < 0) goto failed;
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0) dup2(null, 0);
    if (report != 3) {
        if (dup2(report, 3) < 0) goto failed;
        report = 3;
    }
    fcntl(report, F_SETFD, FD_CLOEXEC);
    syscall(SYS_close_range, 4u, ~0u, 0u);
    execv(path, arguments);
failed:
    failure = errno;
    (void)!write(report, &failure, sizeof failure);
    _exit(127);
}

pid_t system_spawn(const char *path, char *const arguments[], int *output) {
    int out[2], report[2];
    if (pipe2(out, O_CLOEXEC) != 0) return -errno;
    if (pipe2(report, O_CLOEXEC) != 0) {
        int failure = errno;
        close(out[0]);
        close(out[1]);
        return -failure;
    }
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) become(path, arguments, parent, out[1], report[1]);
    int failure = child < 0 ? errno : 0;
    close(out[1]);
    close(report[1]);
    if (child > 0 && read(report[0], &failure, sizeof failure) > 0) {
        waitpid(child, NULL, 0);
        child = -1;
    }
    close(report[0]);
    if (child < 0) {
        close(out[0]);
        return -failure;
    }
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    *output = out[0];
    return child;
}
