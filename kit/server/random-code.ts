import { randomInt } from 'node:crypto'

// No letters that are read as others: people say these over the phone.
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** So many random letters and digits, 5 bits each, that nobody can guess. */
export const randomCode = (length: number): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
