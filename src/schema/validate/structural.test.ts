import { describe, expect, test } from 'vitest'
import { builtinSchema } from '../kinds/builtin-schema.ts'
import { schemaWithCrds } from '../kinds/crd-schema.ts'
import { applyDefaults, prune } from './structural.ts'
import { storedWidgets, widget, widgetCrd } from '../testdata/widgets.ts'

const schema = schemaWithCrds(builtinSchema(), [widgetCrd])
const type = schema.type({ group: 'schema.lading.example.com', version: 'v1', kind: 'Widget' })!

describe('a custom resource as it is stored', () => {
  test.each(storedWidgets)('%s', (_what, written, stored) => {
    const object = widget(written)
    const before = structuredClone(object)
    expect(applyDefaults(prune(object, type), type)).toEqual(widget(stored))
    expect(object).toEqual(before)
  })

  test('metadata keeps what objects have and gets nothing that nobody wrote', () => {
    const metadata = { finalizers: ['a/b'], ownerReferences: [{ uid: '1' }], unknown: 1 }
    const { unknown: _dropped, ...kept } = metadata
    const object = widget({ size: 1, color: 'red' }, {}, metadata)
    expect(applyDefaults(prune(object, type), type)).toEqual(widget({ size: 1, color: 'red' }, {}, kept))
  })

  test('is the same when it is stored again', () => {
    const once = storedWidgets.map(([, written]) => applyDefaults(prune(widget(written), type), type))
    expect(once.map((object) => applyDefaults(prune(object, type), type))).toEqual(once)
  })
})
