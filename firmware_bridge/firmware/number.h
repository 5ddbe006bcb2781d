// Numbers on the wire, the low byte first, and counters that stay at their highest value.
#ifndef NUMBER_H
#define NUMBER_H
#include <stdint.h>

static inline uint16_t get2(const uint8_t *from) { return from[0] | (uint16_t)from[1] << 8; }

static inline uint8_t *put2(uint8_t *to, uint16_t n) {
    *to++ = (uint8_t)n;
    *to++ = (uint8_t)(n >> 8);
    return to;
}

static inline uint8_t *put4(uint8_t *to, uint32_t n) { return put2(put2(to, (uint16_t)n), (uint16_t)(n >> 16)); }

static inline void count(uint16_t *counter) {
    if (*counter != UINT16_MAX) ++*counter;
}
#endif
