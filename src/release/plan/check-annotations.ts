import type { KubeObject, LadingError } from '../../core/index.ts'
import { ruleMistakes } from '../../kube/index.ts'
import { annotation, invalidAnnotation, isHelms, mistakesIn } from '../annotations/annotations.ts'
import { readCrdPolicy } from '../ownership/crd-policy.ts'
import { checkMistakes } from '../health/parse-check.ts'
import { hookMistakes } from '../hooks/parse-hook.ts'
import { unknownAnnotationMistakes } from '../annotations/unknown-annotations.ts'
import { waveMistakes } from './waves.ts'

/** Everything that is wrong with the release annotations of an object; no cluster is asked. */
export function annotationMistakes(object: KubeObject): LadingError[] {
  return [...knownAnnotationMistakes(object), ...unknownAnnotationMistakes(object)]
}

/** What is wrong with those annotations that Lading knows. */
export function knownAnnotationMistakes(object: KubeObject): LadingError[] {
  return [
    ...hookMistakes(object),
    ...waveMistakes(object),
    ...checkMistakes(object),
    ...mistakesIn(
      () => readCrdPolicy(object),
      () => oneOf(object, 'skip-wait', ['true', 'false']),
      () => oneOf(object, 'resource-policy', ['keep']),
    ),
    ...ruleMistakes(object),
  ]
}

function oneOf(object: KubeObject, name: string, allowed: readonly string[]): void {
  const text = annotation(object, name)
  if (text === undefined || allowed.includes(text) || isHelms(object, name)) return
  throw invalidAnnotation(object, name, `${text} is not known; it can be ${allowed.join(' or ')}`)
}
