// Channels: what each can do, what the host set it to, and the look at all of them that makes the records.
#ifndef CHANNELS_H
#define CHANNELS_H
#include <stdbool.h>
#include <stdint.h>

enum { OFF, DIGITAL, DIGITAL_PULL_UP, ANALOGUE, BELL, OUTPUT, SENSOR };
enum { FINE, NO_TYPE, NO_CHANNEL, NO_ABILITY, NO_SENSE };   // codes of the refusal N
#define SETTINGS_BYTES 8                       // of a pin; more follow for a sensor
#define SENSOR_FIRST PINS

void channels_boot(void);

// The fields of request `c`; gives FINE when they are in force, else the code of the refusal.
uint8_t channels_configure(const uint8_t *settings, uint8_t length);
uint8_t channels_mode(uint8_t channel);

// Looks at every input that is on and writes what changed into the ring; gives the time of the look, in µs.
// Every record of one look has its time: 500 µs after the change at most, and the length of one round of the loop; of more than six
// changes at once the rest have that of the next looks.
uint32_t channels_look(void);

uint16_t channels_put_levels(uint32_t time);   // gives the number of the record

// The runs of what channels can do, in pairs, and the bytes that they take.
extern const uint8_t channels_runs[];
extern const uint8_t channels_runs_bytes;
#endif
