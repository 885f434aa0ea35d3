// These functions mask personal data in search results, so that staff can tell people apart but the results are not worth copying.

const shownLetterCount = 2

export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 0 ? maskText(email) : `${maskText(email.slice(0, at))}${email.slice(at)}`
}

export const maskName = ({ first, last }: { first: string; last: string }): string =>
  `${first} ${maskText(last)}`.trim()

export const maskAllButLastFour = (digits: string): string => `•••• ${digits.slice(-4)}`

export const maskNumber = (number: string): string => `•••• ${number.replaceAll(/\D/g, '').slice(-3)}`

function maskText(text: string): string {
  const letters = [...text]
  // The number of dots is fixed, because one dot per letter would reveal the text's length. At most half of its letters are shown.
  return `${letters.slice(0, Math.min(shownLetterCount, Math.floor(letters.length / 2))).join('')}•••••`
}
