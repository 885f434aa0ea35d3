// These functions mask personal data in search results, so that staff can tell people apart but the results are not worth copying.

const shownLetters = 2

export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 0 ? maskText(email) : `${maskText(email.slice(0, at))}${email.slice(at)}`
}

export const maskedName = ({ first, last }: { first: string; last: string }): string =>
  `${first} ${maskText(last)}`.trim()

export const lastFour = (digits: string): string => `•••• ${digits.slice(-4)}`

export const maskedNumber = (number: string): string => `•••• ${number.replaceAll(/\D/g, '').slice(-3)}`

function maskText(text: string): string {
  const letters = [...text]
  // The number of dots is fixed, because one dot per letter would reveal the text's length. At most half of its letters are shown.
  return `${letters.slice(0, Math.min(shownLetters, Math.floor(letters.length / 2))).join('')}•••••`
}
