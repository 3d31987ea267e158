import { expect, test } from 'vitest'
import { fitsFormat } from './formats.ts'

test.each([
  ['date-time', '2020-01-01T00:00:00Z', true],
  ['date-time', '2020-01-01T23:59:59.123+02:00', true],
  ['date-time', 'yesterday', false],
  ['date-time', '2020-01-01', false],
  ['date-time', '2020-13-01T00:00:00Z', false],
  ['date', '2020-12-31', true],
  ['date', '2020-1-1', false],
  ['ipv4', '192.0.2.1', true],
  ['ipv4', '2001:db8::1', false],
  ['ipv6', '2001:db8::1', true],
  ['ipv6', 'here', false],
  ['cidr', '192.0.2.0/24', true],
  ['cidr', '192.0.2.0', false],
  ['cidr', '192.0.2.0/33', false],
  ['mac', '00:00:5e:00:53:01', true],
  ['mac', '00:00:5e', false],
  ['uuid', '7d444840-9dc0-11d1-b245-5ffdce74fad2', true],
  ['uuid', '7d444840', false],
  ['anything', 'else', true],
])('of the format %s the text %s is told', (format, text, fits) => {
  expect(fitsFormat(text, format)).toBe(fits)
})
