import { describe, expect, it } from 'vitest'
import {
  isDataKey,
  isDnsLabel,
  isDnsLabel1035,
  isDnsSubdomain,
  isLabelValue,
  isPortName,
  isQualifiedName,
} from './names.ts'

const long = (length: number): string => 'a'.repeat(length)

describe('the name rules of the Kubernetes API', () => {
  it.each([
    ['a DNS label', isDnsLabel, ['shop', '1-a', long(63)], ['', 'Shop', '-a', 'a-', 'a.b', 'a_b', 'a\n', long(64)]],
    ['a DNS label of a Service', isDnsLabel1035, ['shop', 'a-1', long(63)], ['', '1-a', 'a.b', 'A', long(64)]],
    ['a DNS subdomain', isDnsSubdomain, ['shop', 'a.b-1.c', long(253)], ['', 'a..b', '.a', 'a.', 'a.-b', long(254)]],
    [
      'a qualified name',
      isQualifiedName,
      ['app', 'app.kubernetes.io/Name_1', `${long(253)}/${long(63)}`],
      ['', '/app', 'a/', 'a/b/c', 'A.io/b', `${long(254)}/b`, `a/${long(64)}`, '_a'],
    ],
    ['the value of a label', isLabelValue, ['', 'a', 'A_b.c-1', long(63)], ['-', 'a-', 'a b', 'a/b', long(64)]],
    ['a key of data', isDataKey, ['a', '.a', 'A_b-c.json', long(253)], ['', '.', '..', '..a', 'a/b', long(254)]],
    ['the name of a port', isPortName, ['http', '8080-a', long(15)], ['', '8080', 'a--b', '-a', 'A', long(16)]],
  ] as const)('tell what is %s', (_, isName, good, bad) => {
    expect(good.filter((text) => !isName(text))).toEqual([])
    expect(bad.filter(isName)).toEqual([])
  })
})
