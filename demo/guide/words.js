const english = document.documentElement.lang || 'en-NZ'
const day = new Intl.DateTimeFormat(english, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const time = new Intl.DateTimeFormat(english, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
const stamp = new Intl.DateTimeFormat(english, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })

/** 'Saturday, 21 November 2026'. Times are the reader's own, and say which those are. */
export const dayOf = (date) => day.format(date)

/** '11:48 pm NZDT' */
export const timeOf = (date) => time.format(date)

/** '21 Nov, 11:48 pm' */
export const stampOf = (date) => stamp.format(date)

const numbers = [
  /^\+64(210|274)(\d{3})(\d{3,4})$/,
  /^\+64(2[028])(\d{3,4})(\d{4})$/,
  /^\+64(2\d)(\d{3})(\d+)$/,
  /^\+61(4\d\d)(\d{3})(\d{3})$/,
]

/** '+64215550142' is '021 555 0142'; an address, or a number from elsewhere, stays as it is. */
export function recipientOf(to) {
  const parts = numbers.map((number) => number.exec(to)).find(Boolean)
  return parts ? `0${parts.slice(1).join(' ')}` : to
}

/** Cents: 3990 is '$39.90'. */
export const money = (cents) => `$${(cents / 100).toFixed(2)}`

/** GB: 0.5 is '500 MB', 25 is '25 GB'. */
export const data = (gb) => (gb < 1 ? `${Math.round(gb * 1000)} MB` : `${Math.round(gb * 100) / 100} GB`)

/** 1 message, 2 messages */
export const count = (number, one) => `${number} ${one}${number === 1 ? '' : 's'}`
