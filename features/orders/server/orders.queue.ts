/** Queue of orders that can move: `{ orderId }`. */
export const advanceOrderJob = 'orders.advance'

/** Queue of calls that the gateway has not confirmed and is asked for once more: `{ id }`. */
export const askAgainJob = 'orders.ask-again'
