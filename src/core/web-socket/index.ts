export { encodeFrame, opcodes } from './frames.ts'
export { acceptKey } from './handshake.ts'
export { readMessages } from './read-messages.ts'
