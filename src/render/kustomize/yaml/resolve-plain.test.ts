import { expect, it } from 'vitest'
import { resolvePlain } from './resolve-plain.ts'
import { Spelled } from './value.ts'

it.each([
  ['yes', 'yes'],
  ['on', 'on'],
  ['true', true],
  ['null', null],
  ['12', 12],
  ['-3', -3],
  ['9007199254740993', 9007199254740993n],
  ['1.5', 1.5],
  ['12:30:45', '12:30:45'],
  ['2001-13-01', '2001-13-01'],
  ['1.2.3', '1.2.3'],
])('%s is read as the value that JSON spells the same', (text, value) => {
  expect(resolvePlain(text)).toBe(value)
})

it.each([
  ['', null],
  ['~', null],
  ['True', true],
  ['0777', 511],
  ['0o17', 15],
  ['0x1F', 31],
  ['1_000', 1000],
  ['1.10', 1.1],
  ['1e3', 1000],
  ['2001-01-02', '2001-01-02T00:00:00Z'],
  ['2001-01-02T03:04:05Z', '2001-01-02T03:04:05Z'],
  ['2001-01-02T03:04:05.50+01:00', '2001-01-02T03:04:05.5+01:00'],
  ['2001-01-02 03:04:05', '2001-01-02T03:04:05Z'],
])('%s keeps its text beside its value', (text, value) => {
  expect(resolvePlain(text)).toEqual(new Spelled(value, text))
})
