/* The serial line at 38400 baud, by interrupt in both directions. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_init(void);
/* A received byte in *byte; false when there is none. */
bool uart_take(uint8_t *byte);
/* Send a whole line, or nothing of it when the buffer has no room; the protocol sends it again. */
void uart_send(const char *line, uint8_t length);

#endif
