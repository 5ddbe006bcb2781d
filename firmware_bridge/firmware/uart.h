// The serial line, byte by byte, in interrupts.
#ifndef UART_H
#define UART_H
#include <stdbool.h>
#include <stdint.h>

void uart_boot(void);
bool uart_get(uint8_t *byte);                  // false: nothing came
bool uart_free(void);                          // what was handed over is with the transmitter
void uart_send(const uint8_t *bytes, uint8_t length);  // they must stay as they are until it is free
#endif
