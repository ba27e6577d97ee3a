/* A pump station: forms that C parsers tend to lose. */
#include <stdio.h>
#include "station/valve.h"

#define LIMIT 40
#define CLAMP(x, top) ((x) > (top) ? shrink(x, top) : (x))
#define EXPORT_FN(name) int name(void)
#define COLD __attribute__((cold))

typedef unsigned int litres;
typedef int (*on_leak)(int where, void *data);

/* One pipe. */
typedef struct {
    int bore;
    struct { int x, y; } at;
    union { int raw; float scaled; };
} pipe;

typedef struct tank {
    struct tank *next, **prev;
    on_leak hook;
    unsigned full : 1;
    char name[LIMIT];
} tank, *tank_ref;

enum state { IDLE, RUNNING = 2, BROKEN } now;

struct later;
union word { int whole; char part[4]; };

extern int station_count;
static const char *const names[] = { "east", "west" };
static struct valve_ops ops = { .open = valve_open, .close = &valve_close };
int opened, *cursor, table[4], (*chosen)(int);

int valve_open(pipe *p, int turns);
static inline tank *find_tank(const char *name, ...) COLD;

EXPORT_FN(station_state)
{
    return RUNNING;
}

COLD litres pump_all(void)
{
    return 7;
}

/**
 * Finds a tank.
 *
 * Slow.
 */
static tank *
find_tank(const char *name, ...)
{
    tank *t = (tank *)first_tank(), *spare = NULL;
    for (; t && !matches(t->name, name); t = t->next) {
        if (t->full)
            continue;
    }
    return t ? t : spare;
}

int (*leak_hook(int where))(int)
{
    return where ? chosen : 0;
}

int old_style(depth, label)
    int depth;
    char *label;
{
    return depth + *label;
}

API_CALL(int) wrapped(tank *t)
{
    return t->hook(1, t);
}

int broken_by_conditionals(pipe *p, int mode)
{
    int done = 0;
#ifdef FAST
    if (mode > LIMIT) {
#else
    if (mode) {
#endif
        done = valve_open(p, CLAMP(mode, LIMIT));
    }
    switch (mode) {
    case 1:
    case 2:
        on_event(p, report_leak, &report_flood);
        break;
    default:
        ops.open(p, 1);
        (*chosen)(2);
        ops.table->run(p);
    }
    do {
        p->at.x++;
    } while (done && mode--);
    return done;
}

#if defined(WIDE)
int width(long by)
#else
int width(int by)
#endif
{
    return by;
}

DECLARE_STEP(drain, int level)
{
    lower(level);
}

PUBLIC_API const struct tank *first_tank(void);

int last(void) { return station_state(); }
