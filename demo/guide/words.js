const english = document.documentElement.lang || 'en-NZ'
const day = new Intl.DateTimeFormat(english, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const time = new Intl.DateTimeFormat(english, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
const stamp = new Intl.DateTimeFormat(english, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })

/** Formats a day like 'Saturday, 21 November 2026'. Days and times are in the reader's time zone. */
export const dayOf = (date) => day.format(date)

/** Formats a time with its time zone, like '11:48 pm NZDT'. */
export const timeOf = (date) => time.format(date)

/** Formats a moment briefly, like '21 Nov, 11:48 pm'. */
export const stampOf = (date) => stamp.format(date)

const numbers = [
  /^\+64(210|274)(\d{3})(\d{3,4})$/,
  /^\+64(2[028])(\d{3,4})(\d{4})$/,
  /^\+64(2\d)(\d{3})(\d+)$/,
  /^\+61(4\d\d)(\d{3})(\d{3})$/,
]

/** Formats a phone number: '+64215550142' becomes '021 555 0142'. Email addresses and numbers of other countries are unchanged. */
export function recipientOf(to) {
  const parts = numbers.map((number) => number.exec(to)).find(Boolean)
  return parts ? `0${parts.slice(1).join(' ')}` : to
}

/** Formats an amount in cents: 3990 becomes '$39.90'. */
export const money = (cents) => `$${(cents / 100).toFixed(2)}`

/** Formats an amount in GB: 0.5 becomes '500 MB', and 25 becomes '25 GB'. */
export const data = (gb) => (gb < 1 ? `${Math.round(gb * 1000)} MB` : `${Math.round(gb * 100) / 100} GB`)

/** Formats a count with its noun: '1 message', '2 messages'. */
export const count = (number, one) => `${number} ${one}${number === 1 ? '' : 's'}`
