/** Where this device keeps what is left of a customer's plans, for a time without a network; `offline-page.js` looks there, too. */
export const keptReadings = 'last-readings'
