import { describe, expect, it } from 'vitest'
import { checkOutput } from './check-output.ts'
import { secretValue } from './content.ts'
import { drawRound, faultKinds } from './draw-round.ts'
import { differences } from './read-state.ts'

const said = (stderr: string, code = 1) => ({ code, stdout: '', stderr, hung: false })

describe('what a command says', () => {
  it('is sound when it is a sentence with a next step, or a code', () => {
    expect(checkOutput(said('error: it failed\nnext: Try again.\n'), { json: false })).toEqual([])
    expect(checkOutput(said('{"error":{"code":"kube.timeout"}}\n'), { json: true })).toEqual([])
  })

  it('must not show a Secret, plain or encoded', () => {
    const value = secretValue('two')
    for (const shown of [value, Buffer.from(value).toString('base64')]) {
      expect(checkOutput(said(shown, 0), { json: false })).toEqual(['the output shows the Secret of version two'])
    }
  })

  it.each([
    ['a stack trace', 'error: x\n    at run (file:///a.ts:1:2)\nnext: y', 1],
    ['no sentence', 'oops', 1],
    ['an exit code of its own', 'error: x\nnext: y', 99],
  ])('must not be %s', (_, stderr, code) => {
    expect(checkOutput(said(stderr, code), { json: false })).toHaveLength(1)
  })

  it('must come to an end', () => {
    expect(checkOutput({ ...said('', 0), hung: true }, { json: false })).toEqual(['the command did not end'])
  })
})

describe('what is found on the cluster', () => {
  const wanted = new Map([['ConfigMap/a', '1']])

  it('is held to a clean install: nothing missing, changed or left over', () => {
    expect(differences(wanted, wanted)).toEqual([])
    expect(differences(new Map(), wanted)).toEqual(['ConfigMap/a is missing'])
    expect(differences(new Map([['ConfigMap/a', '2']]), wanted)).toHaveLength(1)
    expect(differences(new Map([...wanted, ['ConfigMap/b', '1']]), wanted)).toEqual(['ConfigMap/b is left over'])
  })
})

describe('a round', () => {
  it('follows from the seed and its number alone, and the kinds of faults take turns', () => {
    const rounds = Array.from({ length: 22 }, (_, at) => drawRound(5, at))
    expect(rounds).toEqual(Array.from({ length: 22 }, (_, at) => drawRound(5, at)))
    expect(rounds).not.toEqual(Array.from({ length: 22 }, (_, at) => drawRound(6, at)))
    expect(rounds.map(({ fault }) => fault)).toEqual([...faultKinds, ...faultKinds])
  })
})
