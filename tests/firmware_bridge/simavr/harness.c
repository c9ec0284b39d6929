/* The compiled panel in simavr: its UART is a pseudo-terminal, its buttons are pins behind two
 * 74HC165, its lights a 74HC595, its display simavr's HD44780.
 *
 *   harness PANEL.ELF SEED [RECORDING]
 *
 * Prints "port PATH", then obeys one order a line, each answered with one line:
 *   down N | up N | press N MS     a button (0..15)
 *   see                            "LIGHTS DISPLAY-HEX": six digits, then four times twenty bytes
 *   noise P                        damage each byte on the line with this chance, both ways
 *   reset                          the board's reset button
 *   mash MS COUNT                  press buttons in turn, one each MS, so often
 *   mashed                         how many of them are done
 *   stack                          deepest stack use so far, in bytes
 *   gap                            longest time between two samples of the buttons, in us
 *   behind                         how far behind real time it has been at most, in ms
 *   hang                           the program runs into a loop without end
 * Into RECORDING goes '>' and each byte the chip sends, '<' and each byte that reaches it (see
 * ledger.py). Ends when standard input ends. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "avr_ioport.h"
#include "avr_uart.h"
#include "hd44780.h"
#include "sim_avr.h"
#include "sim_elf.h"

#define FREQUENCY 16000000UL
#define BYTE_CYCLES (FREQUENCY / 38400 * 10)
#define MASH_HOLD_MS 15
#define RELEASES 64

static avr_t *avr;
static hd44780_t lcd;
static int master;
static double noise;
static FILE *answers, *recording;
static uint16_t contacts;
static avr_irq_t *key_data, *uart_in;
static struct {
    uint16_t load, clock, value;
} hc165;
static struct {
    uint8_t data, clock, latch, value, out;
} hc595;
static struct {
    avr_cycle_count_t at;
    uint16_t bit;
} releases[RELEASES];
static struct {
    avr_cycle_count_t next, step;
    unsigned count, done;
} mash;
static uint16_t deepest = 0xFFFF;
static unsigned behind;
static avr_cycle_count_t sampled, widest, listened;

static uint8_t damaged(uint8_t byte)
{
    return noise > 0 && drand48() < noise ? (uint8_t)lrand48() : byte;
}

static void record(char way, uint8_t byte)
{
    if (recording) {
        fputc(way, recording);
        fputc(byte, recording);
    }
}

static void show_bit(void)
{
    avr_raise_irq(key_data, hc165.value >> 15 & 1);
}

static void on_load(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    hc165.load = value & 1;
    if (!hc165.load) {
        if (sampled && avr->cycle - sampled > widest)
            widest = avr->cycle - sampled;
        sampled = avr->cycle;
        hc165.value = (uint16_t)~contacts;
        show_bit();
    }
}

static void on_key_clock(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (value && !hc165.clock && hc165.load) {
        hc165.value = (uint16_t)(hc165.value << 1);
        show_bit();
    }
    hc165.clock = value & 1;
}

static void on_light_data(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    hc595.data = value & 1;
}

static void on_light_clock(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (value && !hc595.clock)
        hc595.value = (uint8_t)(hc595.value << 1 | hc595.data);
    hc595.clock = value & 1;
}

static void on_light_latch(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (value && !hc595.latch)
        hc595.out = hc595.value;
    hc595.latch = value & 1;
}

static void on_uart(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    record('>', (uint8_t)value);
    uint8_t byte = damaged((uint8_t)value);
    /* Nobody at the other end: the byte is gone, as on a wire. */
    if (write(master, &byte, 1) < 0 && errno != EAGAIN && errno != EIO)
        exit(1);
}

static void watch(char port, int pin, avr_irq_notify_t notify)
{
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin), notify, NULL);
}

static void wire(void)
{
    static const int lcd_data[4] = {IRQ_HD44780_D4, IRQ_HD44780_D5, IRQ_HD44780_D6, IRQ_HD44780_D7};
    uint32_t flags = 0;
    hd44780_init(avr, &lcd, 20, 4);
    for (int pin = 0; pin < 4; pin++)
        avr_connect_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 4 + pin),
                        lcd.irq + lcd_data[pin]);
    avr_connect_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0), lcd.irq + IRQ_HD44780_RS);
    avr_connect_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 1), lcd.irq + IRQ_HD44780_E);
    watch('B', 2, on_light_data);
    watch('B', 3, on_light_clock);
    watch('B', 4, on_light_latch);
    watch('C', 0, on_load);
    watch('C', 1, on_key_clock);
    key_data = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), 2);
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    uart_in = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT),
                            on_uart, NULL);
}

static void no_sleep(avr_t *chip, avr_cycle_count_t cycles)
{
    /* The main loop keeps real time for awake and asleep alike. */
    (void)chip, (void)cycles;
}

static avr_cycle_count_t ms(unsigned long time)
{
    return (avr_cycle_count_t)time * (FREQUENCY / 1000);
}

static void press(unsigned button, unsigned long hold)
{
    uint16_t bit = (uint16_t)(1u << (button & 15));
    contacts |= bit;
    for (int at = 0; at < RELEASES; at++)
        if (!releases[at].bit) {
            releases[at].bit = bit;
            releases[at].at = avr->cycle + ms(hold);
            return;
        }
}

static void fingers(void)
{
    for (int at = 0; at < RELEASES; at++)
        if (releases[at].bit && avr->cycle >= releases[at].at) {
            contacts &= (uint16_t)~releases[at].bit;
            releases[at].bit = 0;
        }
    if (mash.done < mash.count && avr->cycle >= mash.next) {
        press(mash.done++ & 15, MASH_HOLD_MS);
        mash.next += mash.step;
    }
}

static avr_cycle_count_t listen_timer(avr_t *chip, avr_cycle_count_t when, void *param);

/* A reset, ours or the watchdog's, stops all of simavr's timers, ours too. */
static void listen_again(void)
{
    if (avr->cycle - listened > 4 * BYTE_CYCLES) {
        listened = avr->cycle;
        sampled = 0;
        avr_cycle_timer_register(avr, BYTE_CYCLES, listen_timer, NULL);
    }
}

/* "rjmp ." on the last word of the flash: what an endless loop of the program looks like. The
 * interrupts go on, as they would. */
static void hang(void)
{
    avr->flash[avr->flashend - 1] = 0xFF;
    avr->flash[avr->flashend] = 0xCF;
    avr->pc = avr->flashend - 1;
}

static void see(void)
{
    static const int start[4] = {0x00, 0x40, 0x14, 0x54};
    for (int box = 0; box < 6; box++)
        fputc('0' + (hc595.out >> box & 1), answers);
    fputc(' ', answers);
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 20; column++)
            fprintf(answers, "%02x", lcd.vram[start[row] + column]);
    fputc('\n', answers);
}

static void obey(const char *line)
{
    char word[16] = "";
    double one = 0, two = 0;
    sscanf(line, "%15s %lf %lf", word, &one, &two);
    uint16_t bit = (uint16_t)(1u << ((unsigned)one & 15));
    if (!strcmp(word, "see")) {
        see();
        fflush(answers);
        return;
    }
    if (!strcmp(word, "mashed") || !strcmp(word, "stack")) {
        fprintf(answers, "%u\n", word[0] == 'm' ? mash.done : (unsigned)(avr->ramend - deepest));
        fflush(answers);
        return;
    }
    if (!strcmp(word, "gap")) {
        fprintf(answers, "%lu\n", (unsigned long)(widest / (FREQUENCY / 1000000)));
        fflush(answers);
        widest = 0;
        return;
    }
    if (!strcmp(word, "behind")) {
        fprintf(answers, "%u\n", behind);
        fflush(answers);
        return;
    }
    if (!strcmp(word, "down"))
        contacts |= bit;
    else if (!strcmp(word, "up"))
        contacts &= (uint16_t)~bit;
    else if (!strcmp(word, "press"))
        press((unsigned)one, (unsigned long)two);
    else if (!strcmp(word, "noise"))
        noise = one;
    else if (!strcmp(word, "reset"))
        avr_reset(avr);
    else if (!strcmp(word, "hang"))
        hang();
    else if (!strcmp(word, "mash")) {
        mash.step = ms((unsigned long)one);
        mash.next = avr->cycle;
        mash.count = (unsigned)two;
        mash.done = 0;
    }
    fputs("ok\n", answers);
    fflush(answers);
}

/* Orders that have come; false when standard input has ended. */
static int orders(void)
{
    static char line[256];
    static size_t used;
    struct pollfd wait = {.fd = 0, .events = POLLIN};
    while (poll(&wait, 1, 0) > 0) {
        char one;
        if (read(0, &one, 1) <= 0)
            return 0;
        if (one == '\n') {
            line[used] = 0;
            used = 0;
            obey(line);
        } else if (used < sizeof line - 1) {
            line[used++] = one;
        }
    }
    return 1;
}

/* A byte from the pseudo-terminal for each byte time of the line. A timer of the chip's own clock,
 * so that a sleeping chip hears it in time. */
static avr_cycle_count_t listen_timer(avr_t *chip, avr_cycle_count_t when, void *param)
{
    static uint8_t waiting[64];
    static ssize_t have, given;
    (void)chip, (void)param;
    listened = avr->cycle;
    if (given == have) {
        given = 0;
        have = read(master, waiting, sizeof waiting);
        if (have < 0)
            have = 0;
    }
    if (given < have) {
        uint8_t byte = damaged(waiting[given++]);
        record('<', byte);
        avr_raise_irq(uart_in, byte);
    }
    return when + BYTE_CYCLES;
}

static uint64_t nanoseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Keep to real time: sleep when ahead; when far behind, let the clock go. */
static void pace(void)
{
    static uint64_t start, start_cycle;
    uint64_t now = nanoseconds();
    if (!start) {
        start = now;
        start_cycle = avr->cycle;
    }
    uint64_t chip = start + (avr->cycle - start_cycle) * 1000 / (FREQUENCY / 1000000);
    if (chip > now + 500000) {
        struct timespec rest = {0, (long)(chip - now)};
        nanosleep(&rest, NULL);
    } else if (now > chip + 100000000u) {
        unsigned late = (unsigned)((now - chip) / 1000000u);
        behind = late > behind ? late : behind;
        start = 0;
    }
}

static int run(void)
{
    uint64_t steps = 0;
    for (;;) {
        int state = avr_run(avr);
        if (state == cpu_Crashed || state == cpu_Done) {
            fprintf(stderr, "the chip has stopped, state %d\n", state);
            return 1;
        }
        uint16_t stack = (uint16_t)(avr->data[R_SPL] | avr->data[R_SPH] << 8);
        if (stack > avr->ramend / 2 && stack < deepest)
            deepest = stack;
        if ((++steps & 255) && avr->state != cpu_Sleeping)
            continue;
        fingers();
        listen_again();
        pace();
        if (!(steps & 15) && !orders()) {
            if (recording)
                fclose(recording);
            return 0;
        }
    }
}

int main(int argc, char **argv)
{
    elf_firmware_t firmware;
    int slave;
    char path[128];
    struct termios mode;
    memset(&firmware, 0, sizeof firmware);
    /* simavr and its parts talk on standard output, which is kept for the answers. */
    answers = fdopen(dup(1), "w");
    if (!answers || !freopen("/dev/null", "w", stdout))
        return 2;
    if (argc < 3 || argc > 4 || elf_read_firmware(argv[1], &firmware)) {
        fprintf(stderr, "usage: harness PANEL.ELF SEED [RECORDING]\n");
        return 2;
    }
    if (argc == 4 && !(recording = fopen(argv[3], "wb")))
        return 2;
    srand48(atol(argv[2]));
    strcpy(firmware.mmcu, "atmega328p");
    firmware.frequency = FREQUENCY;
    avr = avr_make_mcu_by_name(firmware.mmcu);
    avr_init(avr);
    avr_load_firmware(avr, &firmware);
    avr->sleep = no_sleep;
    wire();
    if (openpty(&master, &slave, path, NULL, NULL))
        return 2;
    tcgetattr(slave, &mode);
    cfmakeraw(&mode);
    tcsetattr(slave, TCSANOW, &mode);
    close(slave);
    fcntl(master, F_SETFL, O_NONBLOCK);
    avr_cycle_timer_register(avr, BYTE_CYCLES, listen_timer, NULL);
    fprintf(answers, "port %s\n", path);
    fflush(answers);
    return run();
}
