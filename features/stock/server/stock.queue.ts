/** Queue of loads that can go on: `{ loadId }`. */
export const loadSimsJob = 'stock.load-sims'
