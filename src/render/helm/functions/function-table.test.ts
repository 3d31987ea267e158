import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../../testbed/npm-clients.ts'
import { GoError } from '../../gotemplate/value.ts'
import { functionEnvironment } from './environment.ts'
import { boundFunctions, helmFunctions, warningIn } from './helm-functions.ts'
import { newMap } from './dicts/make-value.ts'
import { askHelm } from './testdata/helm-oracle.ts'
import { expressionRunner } from './testdata/run-expression.ts'
import names from './testdata/function-names.json' with { type: 'json' }

const engine = { include: (name: string) => `included ${name}`, tpl: (text: string) => `rendered ${text}` }
// Helm has these since 4.2; the oracle is older.
const newer =
  /^(?:mustToToml|mustToDuration|duration(?:Seconds|Milliseconds|Microseconds|Nanoseconds|Minutes|Hours|Days|Weeks|RoundTo|TruncateTo))$/

describe('the table of functions', () => {
  const table = helmFunctions(functionEnvironment(), engine)

  it('has every function that Helm has, and no other', () => {
    expect(
      Object.keys(table)
        .filter((name) => !newer.test(name))
        .sort(),
    ).toEqual(names)
    expect(table).not.toHaveProperty('env')
    expect(table).not.toHaveProperty('expandenv')
  })

  it.skipIf(noNpmClients !== undefined)('has no function that the real helm does not know', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lading-names-'))
    try {
      const file = join(folder, 'values.yaml')
      await writeFile(file, '{}')
      const expression = `if false }}${names.map((name) => `{{ ${name} }}`).join('')}{{ end`
      expect((await askHelm((await npmClients())!.helm, [expression], file)).get(expression)).toEqual({ output: '' })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('binds include and tpl to the templates that call them', () => {
    expect(table['include']!.call(['a', null])).toBe('included a')
    expect(boundFunctions(functionEnvironment(), engine)['tpl']!.call(['{{ x }}', null])).toBe('rendered {{ x }}')
  })

  it('marks what fail and required say, and lets them pass in lint mode', () => {
    expect(() => table['fail']!.call(['no way'])).toThrow(GoError)
    expect(warningIn('template: x: error calling fail: HELM_ERR_STARTno wayHELM_ERR_END')).toBe('no way')
    expect(warningIn('anything else')).toBeUndefined()
    const lint = boundFunctions(functionEnvironment({ lint: true }), engine)
    expect(lint['fail']!.call(['no way'])).toBe('')
    expect(lint['required']!.call(['needed', null])).toBe('')
  })

  it('looks up what it was handed', () => {
    const lookup = (...args: string[]) => args.join('/')
    const handed = boundFunctions(functionEnvironment({ lookup }), engine)
    expect(handed['lookup']!.call(['v1', 'Secret', 'ns', 'name'])).toBe('v1/Secret/ns/name')
  })
})

describe('time', () => {
  const run = expressionRunner(newMap(), { now: () => new Date('2026-03-04T05:06:07.089Z'), timezone: 'Europe/Berlin' })

  it.each([
    ['now | date "2006-01-02 15:04:05.000 MST -07:00"', '2026-03-04 06:06:07.089 CET +01:00'],
    ['now | htmlDate', '2026-03-04'],
    ['now | unixEpoch', '1772600767'],
    ['now | dateModify "-24h" | ago', '24h0m0s'],
    ['ago (int64 1772600000)', '12m47s'],
    ['durationRound (dateModify "-50h" now)', '2d'],
    ['date "2006" nil', '2026'],
    ['toDate "2006-01-02 15:04" "2026-07-01 12:00" | unixEpoch', '1782900000'],
    ['toDate "2006-01-02 15:04 -0700" "2026-07-01 12:00 +0200"', '2026-07-01 12:00:00 +0200 CEST'],
    ['durationSeconds "1h30m"', '5400'],
    ['durationRoundTo "2h20m" "30m"', '2h30m0s'],
    ['durationTruncateTo "2h43m" "1h"', '2h0m0s'],
    ['durationDays "36h"', '1.5'],
    ['durationMilliseconds 2.5', '2500'],
    ['mustToDuration "90s"', '1m30s'],
    ['durationSeconds "x"', '0'],
  ])('%s', (expression, output) => {
    expect(run(expression)).toEqual({ output })
  })

  it('refuses what is no duration', () => {
    expect(run('mustToDuration "x"')).toEqual({ error: 'error calling mustToDuration: could not parse duration "x"' })
  })
})
