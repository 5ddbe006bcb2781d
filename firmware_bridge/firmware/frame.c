#include "frame.h"

// Bytewise CRC-16/CCITT without a table, in bytes: an AVR shifts words bit by bit.
uint16_t frame_crc(const uint8_t *data, uint8_t length) {
    uint8_t high = 0xFF, low = 0xFF;
    while (length--) {
        uint8_t x = high ^ *data++;
        x ^= x >> 4;
        high = low ^ (uint8_t)(x << 4) ^ (x >> 3);
        low = x ^ (uint8_t)(x << 5);
    }
    return low | (uint16_t)high << 8;
}

uint8_t frame_close(uint8_t *frame, uint8_t length) {
    uint16_t crc = frame_crc(frame + 1, length);
    frame[length + 1] = (uint8_t)crc;
    frame[length + 2] = (uint8_t)(crc >> 8);
    uint8_t end = length + 3;                  // one past the crc: where the 00 goes
    uint8_t *mark = frame;                     // the byte that tells how far it is to the next zero
    uint8_t far = 1;
    for (uint8_t i = 1; i < end; i++, far++)
        if (!frame[i]) {
            *mark = far;
            mark = frame + i;
            far = 0;
        }
    *mark = far;
    frame[end] = 0;
    return end + 1;
}

uint8_t frame_open(uint8_t *frame, uint8_t length) {
    if (length < 5) return 0;                  // COBS, type, tag, crc
    for (uint8_t at = 0; at < length;) {
        uint8_t far = frame[at];
        if (far > length - at) return 0;       // points beyond the end
        frame[at] = 0;
        at += far;
    }
    uint8_t inside = length - 3;
    uint16_t crc = frame[length - 2] | (uint16_t)frame[length - 1] << 8;
    return crc == frame_crc(frame + 1, inside) ? inside : 0;
}
