/** localStorage key of the remaining allowances, for a time without a network. `offline-page.js` reads it, too. */
export const readingsStorageKey = 'last-readings'
