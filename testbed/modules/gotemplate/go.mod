module lading.dev/testbed/gotemplate

go 1.25.0
