import { parsePhoneNumberFromString } from 'libphonenumber-js/core'
import type { MetadataJson } from 'libphonenumber-js/core'
import reduced from './phone.metadata.json' with { type: 'json' }

const metadata = reduced as unknown as MetadataJson

export type Region = 'NZ' | 'AU'

/** A mobile number in E.164 (`+64215550142`) and the country it belongs to. */
export type Mobile = { e164: string; region: Region }

/**
 * Reads a mobile number of New Zealand or Australia as people write it: spaces, hyphens, parentheses, dots.
 * A country code decides the region; without one it is `defaultRegion`.
 * `'foreign'` is the country code of anywhere else; `'invalid'` everything more, landlines and pagers (026) among it.
 */
export function parseMobile(text: string, defaultRegion: Region): Mobile | 'invalid' | 'foreign' {
  const dialled = text.normalize('NFKC').replace(/[\s().\p{Dash}]/gu, '')
  if (!/^\+?\d+$/.test(dialled)) return 'invalid'
  if (abroad[defaultRegion].test(dialled)) return 'foreign'
  const phone = parsePhoneNumberFromString(dialled, { defaultCountry: defaultRegion, extract: false }, metadata)
  if (!phone?.isValid() || isPager(phone)) return 'invalid'
  return { e164: phone.number, region: phone.country as Region }
}

/** `'021 555 0142'` for `'+64215550142'`: how the number is written in its own country. */
export function formatNational(e164: string): string {
  return parsePhoneNumberFromString(e164, metadata)?.formatNational() ?? e164
}

// A plus, or what is dialled for one, and then neither 61 nor 64.
const abroad = { NZ: /^(?:\+|00)(?!6[14])[1-9]\d/, AU: /^(?:\+|0011)(?!6[14])[1-9]\d/ }

// The metadata counts them as mobiles, but nobody can put a SIM on one.
const isPager = (phone: { country?: string; nationalNumber: string }): boolean =>
  phone.country === 'NZ' && phone.nationalNumber.startsWith('26')
