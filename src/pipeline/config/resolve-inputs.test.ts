import { expect, test } from 'vitest'
import { parseComponent } from './read-component.ts'
import { resolveInputs } from './resolve-inputs.ts'

test('inputs fill in the namespace and the manifest; one that is missing or unknown is refused', () => {
  const component = parseComponent(
    `type: kubernetes_manifest\nname: in\nnamespace: shop-{{ .inputs.stage }}\nmanifest: |\n  a: {{ .inputs.stage }}\ninputs:\n  stage: {}\n`,
    'yaml',
    '/c.yaml',
  )
  expect(resolveInputs(component, { stage: 'prod' })).toMatchObject({
    namespace: 'shop-prod',
    source: { manifest: 'a: prod\n' },
  })
  expect(() => resolveInputs(component, {})).toThrow(
    'component in needs the input stage: give it with --input stage=VALUE',
  )
  expect(() => resolveInputs(component, { stage: 'a', other: 'b' })).toThrow('component in declares no input other')
  expect(() => resolveInputs(component, { stage: 'UPPER' })).toThrow('"shop-UPPER", which is none')
})
