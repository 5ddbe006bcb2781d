// 100 kHz, which every sensor and a metre of cable bear. No interrupt: the beat of the looks is often enough.
#include "twi.h"
#include <avr/io.h>
#include <util/delay.h>
#include <util/twi.h>

#ifdef __AVR_ATmega2560__
#define BUS_PORT PORTD
#define BUS_DDR DDRD
#define BUS_PIN PIND
#define SDA (1 << 1)
#define SCL (1 << 0)
#else
#define BUS_PORT PORTC
#define BUS_DDR DDRC
#define BUS_PIN PINC
#define SDA (1 << 4)
#define SCL (1 << 5)
#endif
#define RATE 72                                // 16 MHz / (16 + 2 × 72)
#define HALF_BIT_US 5

// A sensor that was cut off in the middle of a byte holds SDA down until it is through with it: nine clocks at the most, 90 µs.
static void free_bus(void) {
    for (uint8_t n = 0; n < 9 && !(BUS_PIN & SDA); n++) {
        BUS_PORT &= (uint8_t)~SCL;
        BUS_DDR |= SCL;
        _delay_us(HALF_BIT_US);
        BUS_DDR &= (uint8_t)~SCL;
        BUS_PORT |= SCL;
        _delay_us(HALF_BIT_US);
    }
}

void twi_on(void) {
    twi_off();
    BUS_PORT |= SDA | SCL;                     // weak, but a bus without anything on it stays free
    free_bus();
    TWBR = RATE;
    TWCR = 1 << TWEN;
}

void twi_off(void) {
    TWCR = 0;
    BUS_DDR &= (uint8_t)~(SDA | SCL);
    BUS_PORT &= (uint8_t)~(SDA | SCL);
}

void twi_start(void) { TWCR = 1 << TWINT | 1 << TWEN | 1 << TWSTA; }

void twi_put(uint8_t byte) {
    TWDR = byte;
    TWCR = 1 << TWINT | 1 << TWEN;
}

void twi_get(bool more) { TWCR = (uint8_t)(1 << TWINT | 1 << TWEN | more << TWEA); }

void twi_stop(void) { TWCR = 1 << TWINT | 1 << TWEN | 1 << TWSTO; }

uint8_t twi_status(void) { return TWCR & 1 << TWINT ? TWSR & TW_STATUS_MASK : (uint8_t)TWI_BUSY; }

uint8_t twi_byte(void) { return TWDR; }
