// What a list of search results may show of a person: enough to tell one from another, and not enough to carry off.

const shown = 2

/** `an•••••@xtra.co.nz`: two letters of the name, and where the mailbox is. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 0 ? masked(email) : `${masked(email.slice(0, at))}${email.slice(at)}`
}

/** `Ana Ta••••••`: the first name, and two letters of the last. */
export const maskedName = ({ first, last }: { first: string; last: string }): string =>
  `${first} ${masked(last)}`.trim()

/** `•••• 0142`: of a SIM or a card, its last four digits. */
export const lastFour = (digits: string): string => `•••• ${digits.slice(-4)}`

/** `•••• 142`: the last three digits of a phone number. */
export const maskedNumber = (number: string): string => `•••• ${number.replaceAll(/\D/g, '').slice(-3)}`

function masked(text: string): string {
  const letters = [...text]
  // As many dots as letters would tell how long it is; a short one is not shown at all.
  return `${letters.slice(0, Math.min(shown, Math.floor(letters.length / 2))).join('')}•••••`
}
