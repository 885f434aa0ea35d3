/** Queue of messages to send. */
export const sendMessageJob = 'messages.send'

/** `until`: who takes the job has the message until then, in milliseconds of real time. A job of an older version does not say. */
export type SendMessage = { messageId: string; until?: number }
