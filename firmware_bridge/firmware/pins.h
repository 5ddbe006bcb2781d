// Digital pins by channel number.
#ifndef PINS_H
#define PINS_H
#include <stdbool.h>
#include <stdint.h>

void pins_boot(void);
void pins_mode(uint8_t channel, uint8_t mode); // of channels.h; an input takes its level silently at the next look
void pins_look(uint32_t now);                  // writes a record for every input that changed since the last look
bool pins_level(uint8_t channel);              // of an input, at the last look
void pins_write(uint8_t channel, bool level);
#endif
