import { randomInt } from 'node:crypto'

// The alphabet leaves out letters that can be mistaken for others, because people read these codes out over the phone.
const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export const randomCode = (length: number): string =>
  Array.from({ length }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('')
