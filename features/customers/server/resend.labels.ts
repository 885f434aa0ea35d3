/** Tells staff that a message is on its way. A copy repeats what the original stated; any other message is written again. */
export const resentMessageLabel = (to: string, isCopy: boolean): string =>
  isCopy
    ? `A copy of the message is on its way to ${to}, with its original details.`
    : `The message is on its way to ${to}, with current details.`
