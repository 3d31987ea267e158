import { describe, expect, it } from 'vitest'
import { newMap } from './dicts/make-value.ts'
import { expressionRunner } from './testdata/run-expression.ts'

const run = expressionRunner(newMap())

describe('a template that asks for too much gets an error', () => {
  it.each([
    ['repeat 1000000000 "a"', 'error calling repeat: the text would have 1000000000 bytes'],
    ['repeat 100000000000000 "a"', 'error calling repeat: the text would have 100000000000000 bytes'],
    ['until 1000000000', 'error calling until: the list would have 1000000000 items'],
    ['untilStep 0 -2000000000 -1', 'error calling untilStep: the list would have 2000000000 items'],
    ['seq 1 1000000000', 'error calling seq: the list would have'],
    ['indent 1000000000 "a"', 'error calling indent: the text would have'],
    ['nindent 100000 (repeat 10000 "\\n")', 'error calling nindent: the text would have'],
    ['replace "" (repeat 100000 "x") (repeat 10000 "y")', 'error calling replace: the text would have'],
    ['join (repeat 1000000 "x") (until 1000)', 'error calling join: the text would have'],
    ['regexReplaceAll "" (repeat 10000 "y") (repeat 100000 "x")', 'error calling regexReplaceAll: the text would have'],
    ['randAlphaNum 1000000000', 'error calling randAlphaNum: the text would have'],
    ['regexMatch (repeat 20000 "a?") "a"', 'false'],
    ['mustRegexMatch (repeat 20000 "a?") "a"', 'error calling mustRegexMatch: the text would have'],
    [
      'mustRegexMatch "((a{100}){100}){100}" "a"',
      'error calling mustRegexMatch: error parsing regexp: invalid repeat count',
    ],
    ['$d := dict }}{{ $_ := set $d "self" $d }}{{ toYaml $d }}{{ toJson $d', ''],
    [
      '$d := dict }}{{ $_ := set $d "self" $d }}{{ mustToYaml $d',
      'error calling mustToYaml: maps and lists are nested deeper',
    ],
    [
      '$d := dict }}{{ $_ := set $d "self" $d }}{{ deepCopy $d',
      'error calling deepCopy: maps and lists are nested deeper',
    ],
    ['$d := dict }}{{ $_ := set $d "self" $d }}{{ toToml $d', 'toml: nested deeper than'],
    ['$d := dict }}{{ $_ := set $d "self" $d }}{{ toYamlPretty $d', ''],
    ['fromYaml (repeat 5000 "[") | toJson', '{"Error":"error converting YAML to JSON'],
    [
      'range $i := until 101 }}{{ $k := genPrivateKey "ed25519" }}{{ end',
      'error calling genPrivateKey: a template may make 100 keys',
    ],
  ])('%s', (expression, said) => {
    const outcome = run(expression)
    expect('error' in outcome ? outcome.error : outcome.output).toContain(said)
  })

  it('takes the same time for a regular expression that others backtrack over', () => {
    expect(run('regexMatch "^(a+)+$" (printf "%s!" (repeat 5000 "a"))')).toEqual({ output: 'false' })
  })

  it('takes no time over a constraint of spaces', () => {
    expect(run('semverCompare (printf "1%s!" (repeat 900 " ")) "1.2.3"')).toHaveProperty('error')
  })

  it('has no way to the environment, the network or prototypes', () => {
    expect(run('getHostByName "localhost"')).toEqual({ output: '' })
    expect(run('env "HOME"')).toHaveProperty('error')
    expect(run('expandenv "$HOME"')).toHaveProperty('error')
    expect(run('$_ := merge (dict) (fromJson "{\\"__proto__\\":{\\"x\\":1}}") }}{{ hasKey (dict) "x"')).toEqual({
      output: 'false',
    })
  })
})
