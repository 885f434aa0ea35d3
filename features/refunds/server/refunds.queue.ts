/** Queue of refunds to ask the gateway about: `{ refundId }`. */
export const resolveRefundJob = 'refunds.resolve'
