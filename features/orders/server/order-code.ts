import { randomInt } from 'node:crypto'

// No letters that are read as others: people say order codes over the phone.
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new order code, `FT` and ten characters: unique by its randomness, and by the table's constraint. */
export const newOrderCode = (): string => `FT${Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('')}`
