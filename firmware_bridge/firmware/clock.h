// The board's clock: microseconds since boot in 32 bits, milliseconds in 16; both wrap. And the beat of the looks.
#ifndef CLOCK_H
#define CLOCK_H
#include <stdbool.h>
#include <stdint.h>

void clock_boot(void);
uint32_t clock_us(void);
uint16_t clock_ms(void);                       // at the last look that was due
bool clock_look_due(void);                     // true once every 500 µs
#endif
