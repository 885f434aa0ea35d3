/** Queue of nights of which the next orders are to be compared: `{ night }`. */
export const compareNightJob = 'reconciliation.night'
