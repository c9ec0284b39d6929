/* Runs the panel's protocol core on the host. One order a line on standard input:
 *   feed HEX             decode bytes; prints "frame BODY" for each good frame
 *   counters             prints the decoder's counters
 *   start SERIAL         a new panel
 *   rx AT HEX | key AT KIND BUTTON | held MASK | tick AT     prints "tx LINE" for each line sent
 *   end                  prints session, lights, display (hex), serial number, dropped, foreign
 *   sample AT MASK       prints "event AT KIND BUTTON" for each event
 *   crc HEX              prints the check
 * Each order's output ends with a line holding a single dot. */
#include "keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static decoder_t decoder;
static session_t panel;
static keys_t keys;

static void print_line(const char *line, uint8_t length)
{
    printf("tx %.*s\n", length - 1, line);
}

static void print_event(key_event_t event, uint32_t now)
{
    printf("event %lu %c %u\n", (unsigned long)now, event.kind, event.button);
}

static unsigned hex_byte(const char *digits)
{
    unsigned value = 0;
    sscanf(digits, "%2x", &value);
    return value;
}

static void feed(const char *hex)
{
    frame_t frame;
    for (; hex[0] && hex[1]; hex += 2)
        if (decoder_push(&decoder, (uint8_t)hex_byte(hex), &frame))
            printf("frame %.*s\n", decoder.length - 5, decoder.body);
}

static void print_counters(void)
{
    const counters_t *c = &decoder.counters;
    printf("%u %u %u %u %u %u %u %u\n", c->frames, c->stray_bytes, c->cut, c->noise, c->overlong,
           c->bad_crc, c->bad_syntax, c->wrong_way);
}

static void start(const char *serial)
{
    memset(&panel, 0, sizeof panel);
    memset(&keys, 0, sizeof keys);
    panel.send = print_line;
    panel.build = "vector";
    panel.reset = "power";
    strncpy(panel.serial, serial, SERIAL_MAX);
    session_start(&panel, 0);
}

static void print_end(void)
{
    printf("%04X %.6s ", panel.session, panel.lights);
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned column = 0; column < COLUMNS; column++)
            printf("%02x", (unsigned char)panel.text[row][column]);
    printf(" %s %u %u\n", panel.serial, panel.dropped, panel.foreign);
}

static void obey(char *line)
{
    char word[16] = "", one[16] = "";
    int used = 0;
    unsigned long at = 0;
    unsigned number = 0;
    sscanf(line, "%15s %n", word, &used);
    char *rest = line + used;
    if (!strcmp(word, "feed")) {
        feed(rest);
    } else if (!strcmp(word, "counters")) {
        print_counters();
    } else if (!strcmp(word, "start")) {
        start(rest);
    } else if (!strcmp(word, "rx")) {
        char *hex;
        at = strtoul(rest, &hex, 10);
        for (hex += strspn(hex, " "); hex[0] && hex[1]; hex += 2)
            session_receive(&panel, (uint8_t)hex_byte(hex), (uint32_t)at);
    } else if (!strcmp(word, "key") && sscanf(rest, "%lu %1s %u", &at, one, &number) == 3) {
        session_key(&panel, (key_event_t){one[0], (uint8_t)number}, (uint32_t)at);
    } else if (!strcmp(word, "held")) {
        panel.keys = (uint16_t)strtoul(rest, 0, 16);
    } else if (!strcmp(word, "tick")) {
        session_tick(&panel, (uint32_t)strtoul(rest, 0, 10));
    } else if (!strcmp(word, "end")) {
        print_end();
    } else if (!strcmp(word, "sample") && sscanf(rest, "%lu %x", &at, &number) == 2) {
        keys_sample(&keys, (uint16_t)number, (uint32_t)at, print_event);
    } else if (!strcmp(word, "crc")) {
        char bytes[256];
        uint8_t length = 0;
        for (; rest[0] && rest[1] && length < 255; rest += 2)
            bytes[length++] = (char)hex_byte(rest);
        printf("%04X\n", crc16(bytes, length));
    } else {
        printf("unknown order\n");
    }
    puts(".");
    fflush(stdout);
}

int main(void)
{
    static char line[1 << 20];
    start("-");
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        obey(line);
    }
    return 0;
}
