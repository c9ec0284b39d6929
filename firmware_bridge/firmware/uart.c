#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#define BAUD 38400UL
#define RX_SIZE 128 /* powers of two */
#define TX_SIZE 256

static volatile uint8_t rx[RX_SIZE], tx[TX_SIZE];
static volatile uint8_t rx_in, rx_out, tx_in, tx_out;

void uart_init(void)
{
    /* Double speed first: 16 MHz meets 38400 baud within 0.2 % so. */
    UCSR0A = 1 << U2X0;
    UBRR0 = (uint16_t)((F_CPU + 4 * BAUD) / (8 * BAUD) - 1);
    UCSR0C = (1 << UCSZ01) | (1 << UCSZ00);
    UCSR0B = (1 << RXEN0) | (1 << TXEN0) | (1 << RXCIE0);
}

ISR(USART_RX_vect)
{
    /* A byte with a framing error is passed on as noise, so that the frame around it is dropped. */
    uint8_t wrong = UCSR0A & ((1 << FE0) | (1 << DOR0));
    uint8_t byte = UDR0;
    uint8_t next = (rx_in + 1) & (RX_SIZE - 1);
    if (next != rx_out) {
        rx[rx_in] = wrong ? 0xFF : byte;
        rx_in = next;
    }
}

ISR(USART_UDRE_vect)
{
    if (tx_in == tx_out)
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
    else
        UDR0 = tx[tx_out++];
}

bool uart_take(uint8_t *byte)
{
    if (rx_in == rx_out)
        return false;
    *byte = rx[rx_out];
    rx_out = (rx_out + 1) & (RX_SIZE - 1);
    return true;
}

void uart_send(const char *line, uint8_t length)
{
    uint8_t room = (uint8_t)(tx_out - tx_in - 1);
    if (length > room)
        return;
    while (length--) {
        tx[tx_in] = (uint8_t)*line++;
        tx_in++;
    }
    UCSR0B |= 1 << UDRIE0;
}
