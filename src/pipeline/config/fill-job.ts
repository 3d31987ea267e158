import type { Job } from '../../render/stoppable/index.ts'
import { fillManifest, type Filling } from './fill-template.ts'

/** Fills inputs into a manifest that was fetched: whoever wrote it can be somebody else. */
export const fillJob: Job<{ readonly text: string; readonly filling: Filling }, string> = {
  module: import.meta.url,
  name: 'fillJob',
  prepare: ({ text, filling }) => Promise.resolve(() => fillManifest(text, filling)),
}
