// The ring of records: what happened, in order of time, kept until the host has it.
//
// The bytes in it are the bytes on the wire. Used from the main loop alone: nothing here is for interrupts.
#ifndef RING_H
#define RING_H
#include <stdbool.h>
#include <stdint.h>

#define RECORD_MOST 15                         // bytes of the longest: levels
#define LEVEL_BYTES 9                          // a bit for each of 72 channels
enum { FELL = 0, ROSE = 72, READING = 144, LOST = 216, LEVELS = 217 };

void ring_boot(void);

// Writes one record with the `length` bytes that follow its delta; false if there is no room: then it is counted as lost.
bool ring_put(uint8_t kind, uint32_t time, const uint8_t *rest, uint8_t length);

bool ring_lost_waits(void);                    // something was lost, and there is room again to say so
void ring_say_lost(uint32_t time);             // says it
uint32_t ring_lost(void);                      // how many since boot, told or not

uint16_t ring_first(void);                     // number of the oldest record that the host hasn't acknowledged
uint16_t ring_next(void);                      // number of the next record
uint16_t ring_used(void);                      // bytes
uint16_t ring_fullest(void);                   // most bytes ever

bool ring_acknowledge(uint16_t next);          // frees what is older; false if that frees nothing or `next` is none of ours
void ring_tidy(void);                          // does a part of the freeing; call it each round of the loop
void ring_again(void);                         // the next bytes to send are the oldest
bool ring_out(void);                           // something was sent that isn't acknowledged

// Writes number, base and as many whole records as fit in `room` to `out`; gives the bytes, 0 if there is nothing to send.
// `again`: whether the first of them was sent before.
uint8_t ring_take(uint8_t *out, uint8_t room, bool *again);
#endif
