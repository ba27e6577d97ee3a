// Package depot holds the forms of Go that outlines tend to lose.
package depot

import (
	"context"
	. "errors"
	"fmt"
	_ "net/http/pprof"

	hoist "example.invalid/port/crane"
	"example.invalid/port/wire/v2"
	"gopkg.in/scale.v3"
)

import "sync"

// Weekday counts from zero.
type Weekday int

const (
	// Monday is first.
	Monday Weekday = iota
	Tuesday
	_
	Thursday, Friday = iota, wire.Last
)

const limit = 3

var (
	ErrFull  = New("full")
	a, b     = hoist.Pair()
	byName   = map[string]*Crate{"x": nil}
	onChange = func(c *Crate) error {
		return c.check(limit)
	}
)

var clock hoist.Clock = &hoist.Wall{}

type (
	// Name is another word for string.
	Name = string
	Keys map[Name][]int
	pick func(c *Crate) bool
)

// Number is what can be weighed.
type Number interface {
	~int | ~float64
}

// Lifter lifts, and what Closer does.
type Lifter interface {
	hoist.Closer
	fmt.Stringer
	// Lift lifts one crate.
	Lift(ctx context.Context, c *Crate) (done bool, err error)
	Weigh() int
}

// Crate is one box.
type Crate struct {
	sync.Mutex
	*hoist.Crane
	Shelf[int]

	weight, height int `json:"weight"`
	label          Name
	inner          struct {
		seal string
	}
	onOpen func(int) error
}

// Shelf keeps items of one type.
type Shelf[T any] struct {
	items []T
	next  *Shelf[T]
}

type Pair[
	K comparable,
	V any,
] struct {
	key K
	val V
}

func init() {
	register(onChange, Crate.Open, (*Crate).check)
}

func init() { wire.Start() }

// NewCrate makes a crate.
func NewCrate(label Name, opts ...func(*Crate)) (*Crate, error) {
	c := &Crate{label: label, Crane: hoist.New(limit)}
	for _, opt := range opts {
		opt(c)
	}
	if c.weight > limit && c.height > 0 || c.Full() {
		return nil, ErrFull
	}
	return c, nil
}

func (s *Shelf[T]) Push(item T) *Shelf[T] {
	s.items = append(s.items, item)
	s.next.Push(item)
	return s
}

func (Shelf[T]) Kind() string { return "shelf" }

func (p *Pair[
	K,
	V,
]) Swap(v V) (old V) {
	old, p.val = p.val, v
	return
}

// Open opens.
func (c Crate) Open() (err error) {
	defer c.Unlock()
	seal := func(word string) string {
		return scale.Cut(word)
	}
	go func() { c.Lift(seal("x")) }()
	return c.onOpen(len(c.inner.seal))
}

func (c *Crate) check(most int) error {
	var total, rest = scale.Sum[int](c.items), 0
	pair := Pair[string, *Crate]{"x", c}
	kept, ok := byName["x"].Crane.(hoist.Lift)
	made := new(Shelf[int])
	list := make([]hoist.Rope, 0, most)
	switch {
	case !ok, total > most:
		return fmt.Errorf("%d", total)
	case rest == 0:
	default:
		kept.Up()
	}
	switch it := clock.Now().(type) {
	case *hoist.Tick:
		it.Tock(pair, made)
	case nil, error:
	}
	for i, rope := range list {
		rope.Pull(i)
	}
	select {
	case got := <-clock.C():
		got.Use()
	default:
	}
	type local struct{ n int }
	run, err := NewCrate("y", c.tune, func(other *Crate) { other.check(1) })
	run.Open()
	return wire.Wrap(err, local{n: 1})
}

// extern is written in assembly.
func extern(x uint32) uint32
