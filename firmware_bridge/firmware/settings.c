// The EEPROM: two bytes that count the boots, the length of the id, the id.
//
// A byte takes 3.3 ms, so the id is written byte by byte beside the work of the loop. Its length is written as 0 first and rightly
// last: a power cut in between leaves a board without an id, never one with half of it.
#include "settings.h"
#include <avr/eeprom.h>

#define AT_BOOTS ((uint8_t *)0)
#define AT_LENGTH ((uint8_t *)2)
#define AT_ID ((uint8_t *)3)
enum { CLEAR, LETTERS, LENGTH, WRITTEN };

static uint8_t id[ID_MOST], id_length;
static uint8_t step = WRITTEN, letter;

uint16_t settings_boot(void) {
    uint16_t boots = (eeprom_read_byte(AT_BOOTS) | (uint16_t)eeprom_read_byte(AT_BOOTS + 1) << 8) + 1;
    eeprom_update_byte(AT_BOOTS, (uint8_t)boots);
    eeprom_update_byte(AT_BOOTS + 1, (uint8_t)(boots >> 8));
    id_length = eeprom_read_byte(AT_LENGTH);
    if (id_length > ID_MOST) id_length = 0;    // one that was never written
    eeprom_read_block(id, AT_ID, id_length);
    if (!settings_sensible(id, id_length)) id_length = 0;   // what another program left there
    return boots;
}

uint8_t settings_id(uint8_t *to) {
    if (step != WRITTEN) return 0;
    for (uint8_t i = 0; i < id_length; i++) to[i] = id[i];
    return id_length;
}

bool settings_identify(const uint8_t *wanted, uint8_t length) {
    bool same = length == id_length;
    for (uint8_t i = 0; same && i < length; i++) same = wanted[i] == id[i];
    if (same) return step == WRITTEN;
    for (uint8_t i = 0; i < length; i++) id[i] = wanted[i];
    id_length = length;
    step = CLEAR;
    return false;
}

void settings_round(void) {
    if (step == WRITTEN || !eeprom_is_ready()) return;
    switch (step) {
    case CLEAR:
        eeprom_update_byte(AT_LENGTH, 0);
        letter = 0;
        step = LETTERS;
        break;
    case LETTERS:
        eeprom_update_byte(AT_ID + letter, id[letter]);
        if (++letter >= id_length) step = LENGTH;
        break;
    default:
        eeprom_update_byte(AT_LENGTH, id_length);
        step = WRITTEN;
    }
}
