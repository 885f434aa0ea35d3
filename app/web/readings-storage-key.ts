/** localStorage key for the last known allowances, which the offline page shows. `offline-page.js` reads the same key. */
export const readingsStorageKey = 'last-readings'
