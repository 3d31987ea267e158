package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"strconv"
)

// decode reads data in which an object with a single key that starts with a dollar sign says the Go type of what it holds:
// JSON alone knows floats only.
func decode(raw json.RawMessage) any {
	raw = bytes.TrimSpace(raw)
	switch raw[0] {
	case '{':
		var object map[string]json.RawMessage
		must(json.Unmarshal(raw, &object))
		if len(object) == 1 {
			for tag, held := range object {
				if tag[:min(1, len(tag))] == "$" {
					return tagged(tag, held)
				}
			}
		}
		return decodeMap(raw)
	case '[':
		return decodeList(raw)
	default:
		var value any
		must(json.Unmarshal(raw, &value))
		return value
	}
}

func tagged(tag string, raw json.RawMessage) any {
	switch tag {
	case "$int", "$int8", "$int16", "$int32", "$int64":
		return sized(tag, integer(raw))
	case "$uint", "$uint8", "$uint16", "$uint32", "$uint64":
		value, err := strconv.ParseUint(text(raw), 10, 64)
		must(err)
		return unsigned(tag, value)
	case "$float":
		return special(text(raw))
	case "$bytes":
		decoded, err := hex.DecodeString(text(raw))
		must(err)
		return string(decoded)
	case "$byteList":
		decoded, err := hex.DecodeString(text(raw))
		must(err)
		return decoded
	case "$strings":
		var value []string
		must(json.Unmarshal(raw, &value))
		return value
	case "$stringMap":
		var value map[string]string
		must(json.Unmarshal(raw, &value))
		return value
	case "$error":
		return errors.New(text(raw))
	case "$label":
		return Label(text(raw))
	case "$version":
		return Version{text(raw)}
	case "$values":
		return Values(decodeMap(raw))
	case "$function":
		return functions[text(raw)]
	case "$thing", "$thingPointer":
		fields := decodeMap(raw)
		thing := Thing{Name: fields["Name"].(string), Count: fields["Count"].(int), Any: fields["Any"]}
		if inner, ok := fields["Inner"].(map[string]any); ok {
			thing.Inner = inner
		}
		if tag == "$thing" {
			return thing
		}
		return &thing
	}
	panic("unknown tag " + tag)
}

func sized(tag string, value int64) any {
	switch tag {
	case "$int8":
		return int8(value)
	case "$int16":
		return int16(value)
	case "$int32":
		return int32(value)
	case "$int64":
		return value
	}
	return int(value)
}

func unsigned(tag string, value uint64) any {
	switch tag {
	case "$uint8":
		return uint8(value)
	case "$uint16":
		return uint16(value)
	case "$uint32":
		return uint32(value)
	case "$uint64":
		return value
	}
	return uint(value)
}

func special(name string) float64 {
	switch name {
	case "NaN":
		return math.NaN()
	case "Inf":
		return math.Inf(1)
	case "-Inf":
		return math.Inf(-1)
	case "-0":
		return math.Copysign(0, -1)
	}
	panic("unknown float " + name)
}

func decodeMap(raw json.RawMessage) map[string]any {
	var object map[string]json.RawMessage
	must(json.Unmarshal(raw, &object))
	result := make(map[string]any, len(object))
	for key, held := range object {
		result[key] = decode(held)
	}
	return result
}

func decodeList(raw json.RawMessage) []any {
	var items []json.RawMessage
	must(json.Unmarshal(raw, &items))
	result := make([]any, len(items))
	for i, held := range items {
		result[i] = decode(held)
	}
	return result
}

func integer(raw json.RawMessage) int64 {
	value, err := strconv.ParseInt(text(raw), 10, 64)
	must(err)
	return value
}

// text reads a JSON text, or a number as it is written.
func text(raw json.RawMessage) string {
	var value string
	if json.Unmarshal(raw, &value) == nil {
		return value
	}
	return string(raw)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
