import type { NetworkMapping } from './mapping.ts'

type Form = NetworkMapping['numbers']['orders']

// Our numbers are E.164, with or without the plus. The country codes of both our countries have two digits.
const digitsOf = (msisdn: string): string => msisdn.replace(/^\+/, '')

export function writeNumber(msisdn: string, form: Form): string {
  const digits = digitsOf(msisdn)
  if (form === 'national') return `0${digits.slice(2)}`
  return form === 'plus' ? `+${digits}` : digits
}

export function isNumber(text: string, msisdn: string, form: Form): boolean {
  const bare = text.trim()
  return bare === digitsOf(msisdn) || (['plus', form] as const).some((each) => bare === writeNumber(msisdn, each))
}

/** A short code stays as dialled. */
export function readDestination(text: string, caller: string, form: Form): string {
  const bare = text.trim()
  if (form !== 'national' || bare.startsWith('+')) return `+${digitsOf(bare)}`
  if (bare.startsWith('00')) return `+${bare.slice(2)}`
  return bare.startsWith('0') ? `+${digitsOf(caller).slice(0, 2)}${bare.slice(1)}` : bare
}
