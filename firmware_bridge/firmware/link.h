// The link to the host: frames in, replies and records out, each record again until the host has it.
#ifndef LINK_H
#define LINK_H
#include <stdbool.h>
#include <stdint.h>

void link_boot(uint16_t boot, uint8_t cause);  // how often it booted, and why this time
bool link_round(uint32_t now);                 // does one piece of work; false: there was none
void link_loop_took(uint32_t us);              // a round of the main loop, for the statistics
#endif
