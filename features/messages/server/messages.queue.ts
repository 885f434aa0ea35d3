/** Queue of messages to send: `{ messageId }`. */
export const sendMessageJob = 'messages.send'
