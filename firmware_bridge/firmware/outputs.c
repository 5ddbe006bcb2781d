#include "outputs.h"
#include "board.h"
#include "channels.h"
#include "number.h"
#include "pins.h"

#define STEPS 15                               // of brightness: 15 looks of 500 µs, dimmed at 133 Hz

static struct {
    uint8_t level;                             // 0 to STEPS
    uint16_t left;                             // ms, 0: until told otherwise
} outputs[PINS];
static uint8_t lit[(PINS + 7) / 8];        // those that aren't at 0, so that a round costs little
static uint8_t phase;
static uint16_t then;

static void show(uint8_t channel, uint8_t level) {
    outputs[channel].level = level;
    uint8_t mask = bit(channel & 7);
    if (level) {
        lit[channel >> 3] |= mask;
    } else {
        lit[channel >> 3] &= (uint8_t)~mask;
        pins_write(channel, 0);
    }
}

void outputs_set(uint8_t channel, uint8_t level, uint16_t ms) {
    outputs[channel].left = level ? ms : 0;
    uint8_t step = (uint8_t)((level + 16u) >> 4);   // the dimmest that isn't off is 1
    show(channel, !level ? 0 : step > STEPS ? STEPS : step);
}

void outputs_forget(uint8_t channel) { lit[channel >> 3] &= (uint8_t)~bit(channel & 7); }

void outputs_off(void) {
    for (uint8_t channel = 0; channel < PINS; channel++)
        if (channels_mode(channel) == OUTPUT) show(channel, 0);
}

void outputs_round(uint16_t ms) {
    uint16_t passed = ms - then;
    then = ms;
    phase = phase + 1 == STEPS ? 0 : phase + 1;
    for (uint8_t group = 0; group < sizeof lit; group++)
        for (uint8_t bits = lit[group], channel = (uint8_t)(group << 3); bits; bits >>= 1, channel++) {
            if (!(bits & 1)) continue;
            if (outputs[channel].left) {
                outputs[channel].left = outputs[channel].left > passed ? outputs[channel].left - passed : 0;
                if (!outputs[channel].left) {
                    show(channel, 0);
                    continue;
                }
            }
            pins_write(channel, outputs[channel].level > phase);
        }
}
