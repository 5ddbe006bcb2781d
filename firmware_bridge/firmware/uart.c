// 115,200 baud: at 16 MHz the divisor 17 with double speed gives 117,647, as every Arduino does; the line bears 2 %.
#include "uart.h"
#include <avr/interrupt.h>
#include <avr/io.h>

#define RECEIVED 64                            // a power of two; 5.5 ms of line
#define DIVISOR 17

#ifdef USART0_RX_vect                          // the Mega has four of them
#define USART_RX_vect USART0_RX_vect
#define USART_UDRE_vect USART0_UDRE_vect
#endif

static volatile uint8_t received[RECEIVED];
static volatile uint8_t came, taken;           // count on and wrap
static const uint8_t *volatile next;
static volatile uint8_t left;

void uart_boot(void) {
    UCSR0A = 1 << U2X0;
    UBRR0 = DIVISOR - 1;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
}

// Some 50 cycles, each 87 µs at most. What finds no room is dropped: the frame is damaged then, and is said again.
ISR(USART_RX_vect) {
    uint8_t byte = UDR0;
    if ((uint8_t)(came - taken) < RECEIVED) {
        received[came % RECEIVED] = byte;
        came++;
    }
}

// Some 60 cycles, each 85 µs at most.
ISR(USART_UDRE_vect) {
    UDR0 = *next++;
    if (!--left) UCSR0B &= (uint8_t)~(1 << UDRIE0);
}

bool uart_get(uint8_t *byte) {
    if (came == taken) return false;
    *byte = received[taken % RECEIVED];
    taken++;
    return true;
}

bool uart_free(void) { return !left; }

void uart_send(const uint8_t *bytes, uint8_t length) {
    next = bytes;
    left = length;
    UCSR0B |= 1 << UDRIE0;
}
