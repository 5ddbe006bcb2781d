// Digital pins by channel number.
#ifndef PINS_H
#define PINS_H
#include <stdbool.h>
#include <stdint.h>

void pins_boot(void);
void pins_mode(uint8_t channel, uint8_t mode); // of channels.h; an input takes its level silently at the next look

// Writes a record for every input that changed since the last look, `room` at the most: the rest with the next. Gives the room left.
uint8_t pins_look(uint32_t now, uint8_t room);
void pins_levels(uint8_t *to);                 // sets the bits of the inputs that are high, as the records told them
void pins_write(uint8_t channel, bool level);
#endif
