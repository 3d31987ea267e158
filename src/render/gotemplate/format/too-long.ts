import { LadingError } from '../../../core/index.ts'

/** The most that one print may write: a list that holds itself many times over would otherwise fill the memory. */
export const tooLong = {
  limit: 1 << 27,
  fail(): never {
    throw new LadingError('template.limit', 'a template prints a value that is larger than 128 MiB')
  },
}
