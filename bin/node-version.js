// Loads on every Node that knows modules, so that an old one gets a sentence instead of a failure of something else.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/** Whether the built package runs on this Node: on one whose HTTP agents can use a proxy. */
export const isSupported = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21)

/** Whether the source runs on this Node as it is: on one that removes types by itself. */
export const runsSource = isSupported && major >= 24

/** What to say on a Node that is not supported. */
export const notSupported = `lading needs Node 22.21, 24.5 or later, this is ${process.versions.node}: install a newer Node`
