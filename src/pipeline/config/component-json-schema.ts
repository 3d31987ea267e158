import { z } from 'zod'
import { componentSchema } from './component-schema.ts'

/** The JSON Schema of a component file, for editors. */
export function componentJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(componentSchema, { io: 'input', unrepresentable: 'any' }),
    title: 'Lading component',
    description: 'What is built into one artifact and deployed as one release.',
  }
}
