// Which samples of a channel are told: all others stay on the board, so that ten bells fit on the line.
//
// Times are the low 16 bits of the milliseconds since boot; a channel must be asked at least once a minute.
#ifndef BELL_H
#define BELL_H
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint16_t period, threshold, tail;          // as the host set them
    uint16_t value;                            // bell: the highest sample of this period; gauge: the value last told
    uint16_t began;                            // this period
    uint16_t rang;                             // the onset
    bool active;                               // bell: it rings; gauge: it has told a value
} analogue;

// A sample of a bell. True if a record is due now, with `*told` as its value.
bool bell_sample(analogue *bell, uint16_t sample, uint16_t ms, uint16_t *told);

// A sample of any other analogue sensor. True if a record is due now, with the sample as its value.
bool gauge_sample(analogue *gauge, uint16_t sample, uint16_t ms);

// The same without the period.
bool gauge_moved(analogue *gauge, uint16_t sample);
#endif
