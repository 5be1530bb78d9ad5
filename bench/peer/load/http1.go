package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// http1 is one connection of HTTP/1.1. Requests and the heads of answers are handled as bytes: the client shares its
// cores with the server, so it should do little.
type http1 struct {
	connection *tls.Conn
	reader     *bufio.Reader
	address    string
	out        []byte
}

func openHTTP1(address string, config *tls.Config) (*http1, error) {
	connection, err := tls.Dial("tcp", address, config)
	if err != nil {
		return nil, err
	}
	return &http1{connection: connection, reader: bufio.NewReaderSize(connection, 64<<10), address: address}, nil
}

func (h *http1) send(method, path, body string, headers map[string]string) (int, int64, error) {
	if err := h.write(method, path, body, headers); err != nil {
		return 0, 0, err
	}
	status, length, err := h.readHead()
	if err != nil {
		return 0, 0, err
	}
	if length == -1 {
		read, err := h.discardChunks()
		return status, read, err
	}
	_, err = h.reader.Discard(length)
	return status, int64(length), err
}

func (h *http1) write(method, path, body string, headers map[string]string) error {
	out := append(h.out[:0], method...)
	out = append(append(out, ' '), path...)
	out = append(append(append(out, " HTTP/1.1\r\nHost: "...), h.address...), "\r\n"...)
	for name, value := range headers {
		out = append(append(append(append(out, name...), ": "...), value...), "\r\n"...)
	}
	if body != "" {
		out = append(strconv.AppendInt(append(out, "Content-Length: "...), int64(len(body)), 10), "\r\n"...)
	}
	h.out = append(append(out, "\r\n"...), body...)
	_, err := h.connection.Write(h.out)
	return err
}

var lengthName = []byte("content-length:")

// readHead gives the status, and the length of the body; -1 where it comes in chunks.
func (h *http1) readHead() (status, length int, err error) {
	line, err := h.reader.ReadSlice('\n')
	if err != nil {
		return 0, 0, err
	}
	if len(line) < 12 {
		return 0, 0, fmt.Errorf("no status line: %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, err
	}
	length = -1
	for {
		line, err := h.reader.ReadSlice('\n')
		if err != nil {
			return 0, 0, err
		}
		if len(line) <= 2 {
			return status, length, nil
		}
		if len(line) > len(lengthName) && bytes.EqualFold(line[:len(lengthName)], lengthName) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[len(lengthName):]))); err != nil {
				return 0, 0, err
			}
		}
	}
}

func (h *http1) discardChunks() (int64, error) {
	var total int64
	for {
		line, err := h.reader.ReadSlice('\n')
		if err != nil {
			return total, err
		}
		size, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 64)
		if err != nil {
			return total, err
		}
		if _, err := h.reader.Discard(int(size) + 2); err != nil {
			return total, err
		}
		if total += size; size == 0 {
			return total, nil
		}
	}
}

// watch sends a request for a watch, and gives the body of its answer, which has no end.
func (h *http1) watch(path string, headers map[string]string) (io.Reader, error) {
	if err := h.write("GET", path, "", headers); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(h.reader, nil)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("watch: status %d", answer.StatusCode)
	}
	return answer.Body, nil
}
