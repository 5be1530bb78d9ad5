package main

import (
	"crypto/tls"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// sender sends one request after the other, and reads the whole answer to each.
type sender interface {
	send(method, path, body string, headers map[string]string) (status int, bytes int64, err error)
}

// openSenders gives one sender for each request that may be in flight.
func openSenders(asked job, config *tls.Config) ([]sender, error) {
	var senders []sender
	for range asked.Connections {
		if asked.Protocol == "h2" {
			connection, err := openHTTP2(asked.Address, config)
			if err != nil {
				return nil, err
			}
			for range max(1, asked.Streams) {
				senders = append(senders, connection)
			}
			continue
		}
		connection, err := openHTTP1(asked.Address, config)
		if err != nil {
			return nil, err
		}
		senders = append(senders, connection)
	}
	return senders, nil
}

// talliesExpected bounds what is set aside for the figures of jobs that are stopped long before their last request.
const talliesExpected = 10_000

func sendAll(asked job, senders []sender, stop *atomic.Bool) (outcome, error) {
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var working sync.WaitGroup
	tallies := make([]*tally, len(senders))
	began := time.Now()
	for at, one := range senders {
		mine := newTally(min(asked.Requests/len(senders), talliesExpected) + 1)
		tallies[at] = mine
		working.Go(func() {
			for failed.Load() == nil && !stop.Load() {
				index := int(next.Add(1)) - 1
				if index >= asked.Requests {
					return
				}
				if err := asked.sendOne(one, index, mine); err != nil {
					failed.CompareAndSwap(nil, &err)
				}
				if asked.EveryMs > 0 {
					time.Sleep(time.Duration(asked.EveryMs) * time.Millisecond)
				}
			}
		})
	}
	working.Wait()
	if err := failed.Load(); err != nil {
		return outcome{}, *err
	}
	return outcomeOf(tallies, time.Since(began)), nil
}

func (j job) sendOne(one sender, index int, mine *tally) error {
	path, body := numbered(j.Path, j.From+index), numbered(j.Body, j.From+index)
	sent := time.Now()
	status, bytes, err := one.send(j.Method, path, body, j.Headers)
	if err != nil {
		return fmt.Errorf("request %d: %w", index, err)
	}
	mine.add(time.Since(sent), status, bytes)
	return nil
}

// numbered puts a number in the place of {i}, and its rest by N in the place of {i%N}.
func numbered(text string, index int) string {
	for {
		begin := strings.Index(text, "{i")
		if begin == -1 {
			return text
		}
		length := strings.IndexByte(text[begin:], '}')
		if length == -1 {
			return text
		}
		value := index
		if by, err := strconv.Atoi(strings.TrimPrefix(text[begin+2:begin+length], "%")); err == nil && by > 0 {
			value = index % by
		}
		text = text[:begin] + strconv.Itoa(value) + text[begin+length+1:]
	}
}
