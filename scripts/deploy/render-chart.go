// Renders a chart as `helm template` does, with the libraries that Helm is made of, where Helm itself is not
// installed: GO111MODULE=off GOPATH=/usr/share/gocode go run render-chart.go CHART [role.replicas=N …]
// (Debian: golang-go, golang-github-masterminds-sprig-dev, golang-gopkg-yaml.v3-dev).
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readYaml(file string) map[string]interface{} {
	text, err := os.ReadFile(file)
	must(err)
	read := map[string]interface{}{}
	must(yaml.Unmarshal(text, &read))
	return read
}

func main() {
	chart := os.Args[1]
	values := readYaml(filepath.Join(chart, "values.yaml"))
	for _, given := range os.Args[2:] {
		set(values, given)
	}
	about := readYaml(filepath.Join(chart, "Chart.yaml"))
	scope := map[string]interface{}{
		"Values":  values,
		"Chart":   map[string]interface{}{"Name": about["name"], "AppVersion": about["appVersion"]},
		"Release": map[string]interface{}{"Name": "town", "Service": "Helm", "Namespace": "default"},
	}
	all := template.New("chart").Option("missingkey=error")
	all.Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{
		"toYaml": func(value interface{}) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
		"include": func(name string, data interface{}) (string, error) {
			var to bytes.Buffer
			err := all.ExecuteTemplate(&to, name, data)
			return to.String(), err
		},
	})
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		must(err)
	}
	for _, file := range files {
		if filepath.Ext(file) == ".yaml" {
			fmt.Println("---")
			must(all.ExecuteTemplate(os.Stdout, filepath.Base(file), scope))
		}
	}
}

// set overwrites one value of the chart, as `helm template --set path=value` does.
func set(values map[string]interface{}, given string) {
	path, text, _ := strings.Cut(given, "=")
	keys := strings.Split(path, ".")
	for _, key := range keys[:len(keys)-1] {
		values = values[key].(map[string]interface{})
	}
	last := keys[len(keys)-1]
	if number, err := strconv.Atoi(text); err == nil {
		values[last] = number
	} else if text == "true" || text == "false" {
		values[last] = text == "true"
	} else {
		values[last] = text
	}
}
