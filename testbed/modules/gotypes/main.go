// Command gotypes prints, for every Go type of the Kubernetes API, how its fields are written as JSON.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// fields of a struct: those written whatever they hold, pointers that are written even when there is nothing behind them, and
// those left out at their zero value. Other pointers are in none.
type fields struct {
	Always []string `json:"always,omitempty"`
	Null   []string `json:"null,omitempty"`
	Zero   []string `json:"zero,omitempty"`
}

func main() {
	if err := apiextensions.AddToScheme(scheme.Scheme); err != nil {
		panic(err)
	}
	if err := apiregistration.AddToScheme(scheme.Scheme); err != nil {
		panic(err)
	}
	found := map[string]*fields{}
	for _, known := range scheme.Scheme.AllKnownTypes() {
		walk(known, found)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		panic(err)
	}
}

func walk(t reflect.Type, found map[string]*fields) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		walk(t.Elem(), found)
	case reflect.Struct:
		name := openAPIName(t)
		if found[name] == nil {
			found[name] = &fields{}
			addFields(t, found[name], found)
		}
	}
}

func addFields(t reflect.Type, into *fields, found map[string]*fields) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !field.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			if embedded := deref(field.Type); embedded.Kind() == reflect.Struct {
				addFields(embedded, into, found)
			}
			continue
		}
		walk(field.Type, found)
		kind := field.Type.Kind()
		zero := strings.Contains(options, "omitzero") && kind != reflect.Pointer
		empty := strings.Contains(options, "omitempty")
		switch {
		case zero, empty && kind != reflect.Struct && kind != reflect.Pointer:
			into.Zero = append(into.Zero, name)
		case !empty && kind == reflect.Pointer:
			into.Null = append(into.Null, name)
		case !empty, kind == reflect.Struct:
			into.Always = append(into.Always, name)
		}
	}
}

func deref(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// openAPIName turns `k8s.io/api/core/v1` and `Pod` into `io.k8s.api.core.v1.Pod`.
func openAPIName(t reflect.Type) string {
	path := strings.TrimPrefix(t.PkgPath(), "k8s.io/")
	return "io.k8s." + strings.ReplaceAll(path, "/", ".") + "." + t.Name()
}
