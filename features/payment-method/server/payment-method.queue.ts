/** Queue of card updates without an outcome whose time to be asked about has come: `{ updateId }`. */
export const resolveCardUpdateJob = 'payment-method.resolve'

/** Queue of cards that the gateway is to forget: `{ removalId }`. */
export const disableCardJob = 'payment-method.disable'
