// Sensors on I²C: each is read once in its period, one step of the bus a look.
//
// A reading: point to the register, read one byte or two, then say `start`, with which some sensors want to be told to measure: they do
// so until the next reading. Where there is a `start`, the first reading comes a period after it.
#ifndef SENSORS_H
#define SENSORS_H
#include <stdbool.h>
#include <stdint.h>

#define POINTER_MOST 2
#define START_MOST 4

// `bus`: what follows a channel's settings (docs/protocol.md), `length` bytes.
bool sensors_sensible(const uint8_t *bus, uint8_t length);
void sensors_use(uint8_t index, uint16_t period, uint16_t threshold, const uint8_t *bus);
void sensors_stop(uint8_t index);
void sensors_look(uint32_t now, uint16_t ms);  // does the next step; a value that is to be told has this time
void sensors_tell_again(void);                 // something was lost: whatever they told may be among it
#endif
