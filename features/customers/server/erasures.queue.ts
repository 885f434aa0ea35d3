/** Queue of customers who are being erased: `{ userId }`. */
export const eraseJob = 'customers.erase'
