import type { NetworkMapping } from './mapping.ts'

type NumberFormat = NetworkMapping['numbers']['orders']

// Our numbers are in E.164 form, with or without the plus. Both our countries have two-digit country codes.
const removePlusSign = (msisdn: string): string => msisdn.replace(/^\+/, '')

export function formatNumber(msisdn: string, form: NumberFormat): string {
  const digits = removePlusSign(msisdn)
  if (form === 'national') return `0${digits.slice(2)}`
  return form === 'plus' ? `+${digits}` : digits
}

export function isSameNumber(text: string, msisdn: string, form: NumberFormat): boolean {
  const bare = text.trim()
  return (
    bare === removePlusSign(msisdn) || (['plus', form] as const).some((each) => bare === formatNumber(msisdn, each))
  )
}

/** Short codes such as 111 or 777. A number with a country code has more digits. */
const shortCodePattern = /^[1-9]\d{0,5}$/

/** Converts a called number from the network's form to international form, with a plus. A short code stays as dialled. */
export function parseDestination(text: string, caller: string, form: NumberFormat): string {
  const bare = text.trim()
  if (shortCodePattern.test(bare)) return bare
  if (form !== 'national' || bare.startsWith('+')) return `+${removePlusSign(bare)}`
  if (bare.startsWith('00')) return `+${bare.slice(2)}`
  return bare.startsWith('0') ? `+${removePlusSign(caller).slice(0, 2)}${bare.slice(1)}` : bare
}
