// Frames as docs/protocol.md has them: COBS( type tag payload crc ) 00, made and taken apart in their own buffer.
#ifndef FRAME_H
#define FRAME_H
#include <stdint.h>

#define FRAME_PAYLOAD 88                       // most that the board sends in one
#define FRAME_BYTES (1 + 2 + FRAME_PAYLOAD + 2 + 1)
#define REQUEST_PAYLOAD 32                     // most that the host sends in one
#define REQUEST_BYTES (1 + 2 + REQUEST_PAYLOAD + 2)

uint16_t frame_crc(const uint8_t *data, uint8_t length);

// `frame` has type, tag and payload from frame[1] on, `length` bytes in all: adds crc, COBS and the 00; gives the bytes to send.
uint8_t frame_close(uint8_t *frame, uint8_t length);

// `frame` holds what came before a 00, `length` bytes: afterwards type, tag and payload lie from frame[1] on.
// Gives how many bytes these are, 0 if the frame is damaged.
uint8_t frame_open(uint8_t *frame, uint8_t length);
#endif
