import { type Clock, newSeed, type RandomSource, seededRandom, systemClock } from '../../core/index.ts'

/** What makes a rendering come out the same again; each is there only where the templates used it. The seed is a secret. */
export interface RenderSeed {
  /** What every random value, key and password was drawn from. */
  readonly seed?: string
  /** The time that templates saw, in ISO 8601. */
  readonly renderedAt?: string
}

/** The randomness and the time of one rendering, and whether it used them. */
export interface RenderWorld {
  /** Both from their beginning: a source that is rendered again after a lookup draws the same. */
  begin(): { readonly random: RandomSource; readonly now: () => Date }
  /** What was used since the last beginning. */
  used(): RenderSeed
  /** What to make the same world of elsewhere: both, used or not. */
  readonly seed: Required<RenderSeed>
  /** Notes what was used by a rendering that was made from the seed. */
  noteUsed(used: RenderSeed): void
}

/** The world of an earlier rendering, or a fresh one: a new seed, and the time of now. */
export function renderWorld(
  { seed = newSeed(), renderedAt }: RenderSeed = {},
  clock: Clock = systemClock,
): RenderWorld {
  const at = renderedAt === undefined ? new Date(clock.now()) : new Date(renderedAt)
  let drawn = false
  let timed = false
  return {
    begin() {
      drawn = false
      timed = false
      const random = seededRandom(seed)
      return {
        random: {
          bytes(count) {
            drawn = true
            return random.bytes(count)
          },
        },
        now() {
          timed = true
          return new Date(at)
        },
      }
    },
    seed: { seed, renderedAt: at.toISOString() },
    noteUsed(used) {
      drawn = used.seed !== undefined
      timed = used.renderedAt !== undefined
    },
    used: () => ({ ...(drawn ? { seed } : {}), ...(timed ? { renderedAt: at.toISOString() } : {}) }),
  }
}
