// The first import of every door, so that an old Node gets a sentence instead of a failure of something else.
import { isSupported, notSupported } from './node-version.js'

if (!isSupported) throw new Error(notSupported)
