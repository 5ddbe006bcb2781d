// The I²C bus, one step at a time: each is begun here and asked about later, so that nobody waits for a wire.
#ifndef TWI_H
#define TWI_H
#include <stdbool.h>
#include <stdint.h>

// What became of the last step; the numbers are the chip's. Others mean that it failed.
enum {
    TWI_STARTED = 0x08, TWI_STARTED_AGAIN = 0x10,
    TWI_MET_TO_WRITE = 0x18, TWI_TAKEN = 0x28,      // the sensor is there; it took a byte
    TWI_MET_TO_READ = 0x40, TWI_CAME = 0x50, TWI_LAST_CAME = 0x58,
    TWI_BUSY = 0xF8,                                // not done yet
};

void twi_on(void);                             // frees the bus first, if a sensor that lost its place holds it
void twi_off(void);
void twi_start(void);
void twi_put(uint8_t byte);
void twi_get(bool more);                       // more: another byte will be asked for after this one
void twi_stop(void);
uint8_t twi_status(void);
uint8_t twi_byte(void);                        // that came
#endif
