// What stays when the power goes: the board's id and how often it booted.
#ifndef SETTINGS_H
#define SETTINGS_H
#include <stdbool.h>
#include <stdint.h>

#define ID_MOST 16

uint16_t settings_boot(void);                  // counts this boot; gives its number
uint8_t settings_id(uint8_t *to);              // gives the length, 0: none yet

// True when this id is in the EEPROM; else begins to write it: ask again.
bool settings_identify(const uint8_t *id, uint8_t length);
void settings_round(void);                     // writes the next byte when the EEPROM is free (3.3 ms each)
#endif
