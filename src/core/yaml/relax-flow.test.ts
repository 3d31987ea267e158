import fc from '../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { parseDocuments } from './parse-documents.ts'
import { relaxFlow } from './relax-flow.ts'
import { writeYaml } from './write-yaml.ts'

describe('loosely indented flow collections', () => {
  it('are indented past their key, everything else stays', () => {
    const text = 'a: [\n  b, # ]\n]\nc:\n- d: {\n  e: "x\ny"\n}\nf: |\n  [\ng: it\n  "is\nh: \'x\ny\'\n'
    expect(relaxFlow(text)).toBe(
      'a: [\n  b, # ]\n  ]\nc:\n- d: {\n    e: "x\n    y"\n    }\nf: |\n  [\ng: it\n  "is\nh: \'x\n  y\'\n',
    )
  })

  it('mean the same before and after, in YAML of any style', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('[', '"', "it's", '{a: "', '#', ' # x', "'\n[", '|\n x', '- [', 'a\n"b\nc', '! [', '&a "'),
    )
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.array(tie('json')),
        fc.dictionary(text, tie('json'), { noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(json, fc.constantFrom(20, 40, 80), (value, lineWidth) => {
        const styles = [
          {},
          { collectionStyle: 'flow' as const },
          { defaultStringType: 'QUOTE_SINGLE' as const },
          { defaultStringType: 'BLOCK_FOLDED' as const },
        ]
        const texts = styles.map((style) =>
          stringify({ a: [value] }, { version: '1.1', lineWidth, aliasDuplicateObjects: false, ...style }),
        )
        for (const each of [...texts, writeYaml({ a: [value] })]) {
          expect(parseDocuments(relaxFlow(each))).toEqual(parseDocuments(each))
        }
      }),
      { numRuns: 300, seed: 1 },
    )
  })
})
