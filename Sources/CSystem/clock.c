#include "CSystem.h"

#include <sys/timex.h>

int system_clock_synchronised(void) {
    struct timex answer = {0};
    int state = adjtimex(&answer);
    if (state < 0) return -1;
    return state != TIME_ERROR && !(answer.status & STA_UNSYNC);
}
