// Timer 1 counts half microseconds without end; timer 0 gives the beat of the looks and wakes the loop for it.
#include "clock.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

static volatile uint32_t overflows;            // each 32,768 µs
static volatile bool due;
static uint32_t mark;                          // the last whole millisecond
static uint16_t ms;

ISR(TIMER1_OVF_vect) { overflows++; }
ISR(TIMER0_COMPA_vect) { due = true; }

void clock_boot(void) {
    TCCR1B = 1 << CS11;                        // 16 MHz / 8
    TIMSK1 = 1 << TOIE1;
    TCCR0A = 1 << WGM01;
    TCCR0B = 1 << CS01 | 1 << CS00;            // 16 MHz / 64
    OCR0A = 124;                               // 125 × 4 µs
    TIMSK0 = 1 << OCIE0A;
}

uint32_t clock_us(void) {
    uint32_t high;
    uint16_t low;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        low = TCNT1;
        high = overflows;
        // The counter may have turned over while interrupts were off.
        if (TIFR1 & 1 << TOV1 && low < 0x8000) high++;
    }
    return high << 15 | low >> 1;
}

bool clock_look_due(void) {
    if (!due) return false;
    due = false;
    for (uint32_t now = clock_us(); now - mark >= 1000; mark += 1000) ms++;
    return true;
}

uint16_t clock_ms(void) { return ms; }
