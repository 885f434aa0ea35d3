/** Queue of orders that can move: `{ orderId }`. */
export const advanceOrderJob = 'orders.advance'
