// What stays when the power goes: the board's id and how often it booted.
#ifndef SETTINGS_H
#define SETTINGS_H
#include <stdbool.h>
#include <stdint.h>

#define ID_MOST 16

static inline bool settings_sensible(const uint8_t *id, uint8_t length) {   // 1 to 16 of a-z, 0-9 and -
    if (!length || length > ID_MOST) return false;
    for (uint8_t i = 0; i < length; i++)
        if (!((id[i] >= 'a' && id[i] <= 'z') || (id[i] >= '0' && id[i] <= '9') || id[i] == '-')) return false;
    return true;
}

uint16_t settings_boot(void);                  // counts this boot; gives its number
uint8_t settings_id(uint8_t *to);              // gives the length, 0: none yet

// True when this id is in the EEPROM; else begins to write it: ask again.
bool settings_identify(const uint8_t *id, uint8_t length);
void settings_round(void);                     // writes the next byte when the EEPROM is free (3.3 ms each)
#endif
