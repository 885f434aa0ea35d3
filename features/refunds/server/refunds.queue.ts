/** Queue of refunds to ask the gateway about: `{ refundId }`. */
export const settleRefundJob = 'refunds.settle'
