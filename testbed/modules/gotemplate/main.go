// Command gotemplate executes the templates of JSON cases on its standard input with Go's own text/template, and prints for
// each what came out, or the error.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/template"
)

type source struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

type testCase struct {
	Templates  []source        `json:"templates"`
	Execute    string          `json:"execute"`
	Data       json.RawMessage `json:"data"`
	MissingKey string          `json:"missingKey"`
	LeftDelim  string          `json:"leftDelim"`
	RightDelim string          `json:"rightDelim"`
}

type result struct {
	Output []byte `json:"output,omitempty"`
	Error  string `json:"error,omitempty"`
}

func main() {
	var cases []testCase
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	results := make([]result, len(cases))
	for i, c := range cases {
		output, err := execute(c)
		if err != nil {
			results[i] = result{Error: err.Error()}
		} else {
			results[i] = result{Output: []byte(output)}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		panic(err)
	}
}

func execute(c testCase) (string, error) {
	var data any
	if len(c.Data) > 0 {
		data = decode(c.Data)
	}
	root := template.New("root").Funcs(functions).Delims(c.LeftDelim, c.RightDelim).Option("missingkey=" + c.MissingKey)
	for _, source := range c.Templates {
		if _, err := root.New(source.Name).Parse(source.Text); err != nil {
			return "", err
		}
	}
	var out strings.Builder
	err := root.ExecuteTemplate(&out, c.Execute, data)
	return out.String(), err
}

// Thing has fields and methods.
type Thing struct {
	Name  string
	Count int
	Any   any
	Inner map[string]any
}

// Hello is a method without arguments.
func (t Thing) Hello() string { return "hello " + t.Name }

// Greet is a method with an argument.
func (t Thing) Greet(who string) string { return t.Name + " greets " + who }

// Join is a method with any number of arguments.
func (t Thing) Join(parts ...string) string { return t.Name + ":" + strings.Join(parts, ",") }

// Fail is a method that returns an error.
func (t Thing) Fail() (string, error) { return "", errors.New("thing failed") }

// Version is a struct that prints itself.
type Version struct{ Text string }

func (v Version) String() string { return "v" + v.Text }

// Label is a named text.
type Label string

// Values is a named map with a method.
type Values map[string]any

// AsMap gives the map without its name.
func (v Values) AsMap() map[string]any { return v }

var functions = template.FuncMap{
	"takesString":  func(s string) string { return "string " + s },
	"takesBool":    func(b bool) string { return fmt.Sprint("bool ", b) },
	"takesInt":     func(i int) string { return fmt.Sprint("int ", i) },
	"takesInt64":   func(i int64) string { return fmt.Sprint("int64 ", i) },
	"takesFloat":   func(f float64) string { return fmt.Sprint("float64 ", f) },
	"takesAny":     func(a any) string { return fmt.Sprintf("any %v", a) },
	"takesMap":     func(m map[string]any) string { return fmt.Sprint("map ", len(m)) },
	"takesList":    func(l []any) string { return fmt.Sprint("list ", len(l)) },
	"takesStrings": func(l []string) string { return fmt.Sprint("strings ", len(l)) },
	"takesError":   func(e error) string { return fmt.Sprint("error ", e) },
	"joined":       func(parts ...string) string { return strings.Join(parts, "+") },
	"prefixed": func(prefix string, parts ...any) string {
		return prefix + fmt.Sprint(parts...)
	},
	"two":     func(a, b string) string { return a + b },
	"none":    func() string { return "none" },
	"nothing": func() any { return nil },
	"fails":   func(message string) (string, error) { return "", errors.New(message) },
	"panics":  func() string { panic("out of luck") },
	"list":    func(items ...any) []any { return items },
	"dict": func(pairs ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i+1 < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	},
	"anError": func() any { return errors.New("an error") },
	"int64":   func(i int) int64 { return int64(i) },
	"uint":    func(i int) uint { return uint(i) },
	"uint8":   func(i int) uint8 { return uint8(i) },
}
