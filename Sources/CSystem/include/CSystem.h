#pragma once

#include <sys/types.h>

/// A counter that wakes a poll: nonblocking, closed on exec. Returns the descriptor, or -1 with errno.
int system_eventfd(void);

/// Starts a program that ends with us.
///
/// The child receives SIGTERM when the thread that called this ends, so call it from a thread that lives as long as the program.
/// Its output and error output come through one pipe whose reading end, nonblocking, is stored in `output`.
/// Returns the process id, or a negative errno; also when the program could not be executed.
pid_t system_spawn(const char *path, char *const arguments[], int *output);

/// Whether the kernel's clock is kept right by NTP or the like: 1 or 0, and -1 where it does not say.
int system_clock_synchronised(void);
