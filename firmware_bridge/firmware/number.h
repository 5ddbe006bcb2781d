// Numbers on the wire, the low byte first, bits, and counters that stay at their highest value.
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

// 1 << n, without the loop that an AVR makes of that.
static inline uint8_t bit(uint8_t n) {
    uint8_t b = n & 1 ? 2 : 1;
    if (n & 2) b = (uint8_t)(b << 2);
    if (n & 4) b = (uint8_t)(b << 4);
    return b;
}

static inline void count(uint16_t *counter) {
    if (*counter != UINT16_MAX) ++*counter;
}
#endif
