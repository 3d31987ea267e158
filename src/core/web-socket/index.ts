export { encodeFrame, opcodes } from './frames.ts'
export { acceptKey } from './handshake.ts'
export { type MessageReading, readMessages } from './read-messages.ts'
