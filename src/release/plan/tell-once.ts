import { type LadingEvent, objectId } from '../../core/index.ts'

/** Passes events on, each warning only once: planning again, and applying after a dry run, bring up the same ones. */
export async function* tellOnce<Result>(
  events: AsyncGenerator<LadingEvent, Result>,
): AsyncGenerator<LadingEvent, Result> {
  const told = new Set<string>()
  try {
    for (;;) {
      const next = await events.next()
      if (next.done === true) return next.value
      if (next.value.type === 'warning') {
        const { ref, message } = next.value
        const key = `${ref === undefined ? '' : objectId(ref)} ${message}`
        if (told.has(key)) continue
        told.add(key)
      }
      yield next.value
    }
  } finally {
    // Whoever stops listening ends the operation too; one that has ended already does not mind.
    await events.return(undefined as never)
  }
}
