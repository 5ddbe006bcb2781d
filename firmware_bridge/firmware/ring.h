// The ring of records: what happened, in order of time, kept until the host has it.
//
// The bytes in it are the bytes on the wire. Used from the main loop alone: nothing here is for interrupts.
#ifndef RING_H
#define RING_H
#include <stdbool.h>
#include <stdint.h>

#define LEVEL_BYTES 9                          // a bit for each of 72 channels
enum { FELL = 0, ROSE = 72, READING = 144, LOST = 216, LEVELS = 217, FAILED = 218 };

void ring_boot(void);

// Writes one record with the `length` bytes that follow its delta; false if there is no room: then it is counted as lost.
bool ring_put(uint8_t kind, uint32_t time, const uint8_t *rest, uint8_t length);

// Writes a record of all levels; without room for it, it follows when the loss is told. Gives the number that it has or will have.
uint16_t ring_put_levels(uint32_t time, const uint8_t *levels);

bool ring_room_again(void);                    // something was lost, and it can be told: ring_say_lost, then the levels
void ring_say_lost(uint32_t time);
uint32_t ring_lost(void);                      // how many since boot, told or not

uint16_t ring_first(void);                     // number of the oldest record that the host hasn't acknowledged
uint16_t ring_next(void);                      // number of the next record
uint16_t ring_used(void);                      // bytes
uint16_t ring_fullest(void);                   // most bytes ever

bool ring_acknowledge(uint16_t next);          // frees what is older; false if that frees nothing or `next` is none of ours
bool ring_tidy(void);                          // does a part of the freeing; false: there is nothing left to free
void ring_again(void);                         // the next bytes to send are the oldest
bool ring_out(void);                           // something was sent that isn't acknowledged

// Writes number, base and the next whole records to `out`; gives the bytes, 0 if there is nothing to send.
// `again`: whether the first of them was sent before.
uint8_t ring_take(uint8_t *out, bool *again);
#endif
