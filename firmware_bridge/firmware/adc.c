// One conversion after the other, each channel in its turn, each started by the interrupt of the one before.
//
// Prescaler 64: 250 kHz, 13 clocks or 52 µs each, some 18,000 a second: 8 channels 2,250 times a second each, 16 channels 1,120
// times. 250 kHz is more than the 200 kHz up to which the datasheet promises ten bits; eight are left at least, which bells don't miss.
#include "adc.h"
#include "board.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#define FRESH 0x8000                           // a sample came since the last look

static volatile uint16_t highest[ANALOGUES];
static volatile uint8_t turns[ANALOGUES], used;  // the channels that are on, in turn
static uint8_t turn;

void adc_boot(void) { ADMUX = 1 << REFS0; }    // against the supply

static void start(uint8_t index) {
#ifdef MUX5
    ADCSRB = index & 8 ? 1 << MUX5 : 0;
#endif
    ADMUX = 1 << REFS0 | (index & 7);
    ADCSRA = 1 << ADEN | 1 << ADSC | 1 << ADIE | 1 << ADPS2 | 1 << ADPS1;
}

// Some 90 cycles, each 55 µs: a tenth of all.
ISR(ADC_vect) {
    uint8_t index = turns[turn];
    uint16_t sample = ADC | FRESH;
    if (sample > highest[index]) highest[index] = sample;
    if (++turn >= used) turn = 0;
    start(turns[turn]);
}

void adc_use(uint8_t index, bool on) {
    ADCSRA = 1 << ADIF;                        // off; a sample that has just come would be taken for the next one's
    uint8_t kept = 0;
    for (uint8_t i = 0; i < used; i++)
        if (turns[i] != index) turns[kept++] = turns[i];
    if (on) turns[kept++] = index;
    used = kept;
    turn = 0;
    highest[index] = 0;
    if (used) start(turns[0]);
}

bool adc_take(uint8_t index, uint16_t *sample) {
    uint16_t taken;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        taken = highest[index];
        highest[index] = 0;
    }
    *sample = taken & ~FRESH;
    return taken;
}
