export type Region = 'NZ' | 'AU'

type MobileNumber = { e164: string; region: Region }

export const phoneMaxLength = 50

/**
 * Parses a New Zealand or Australian mobile number as people write it, with spaces, hyphens, parentheses or dots. The country code
 * determines the region; without one, the region is `defaultRegion`. Returns `'foreign'` if the number has a different country's code, and
 * `'invalid'` for everything else, including landlines and pagers (026).
 */
export function parseMobile(text: string, defaultRegion: Region): MobileNumber | 'invalid' | 'foreign' {
  if (text.length > phoneMaxLength) return 'invalid'
  const compactNumber = text.normalize('NFKC').replace(/[\s().\p{Dash}\p{Cf}]/gu, '')
  const { abroad, plus } = numberingPlans[defaultRegion]
  if (abroad.test(compactNumber)) return 'foreign'
  const number = compactNumber.replace(plus, '+')
  const mobile = number.startsWith('+')
    ? (matchMobile(number, 'NZ') ?? matchMobile(number, 'AU'))
    : matchMobile(number, defaultRegion)
  return mobile ?? 'invalid'
}

export const createForEachRegion = <T>(make: (region: Region) => T): Record<Region, T> => ({
  NZ: make('NZ'),
  AU: make('AU'),
})

/** Parses text as a mobile number in the given region and returns it in E.164 form, or `null` if it is not one. */
export function parseDomesticMobile(text: string, region: Region): string | null {
  const mobile = parseMobile(text, region)
  return typeof mobile !== 'string' && mobile.region === region ? mobile.e164 : null
}

/**
 * Formats a phone number for a reader in the country `home`. A mobile number from that country is shown in national form, `'021 555 0142'`.
 * A mobile number from the other country keeps its country code, `'+61 412 345 678'`. Any other text is returned unchanged.
 */
export function formatForRegion(e164: string, home: Region): string {
  const mobile = parseMobile(e164, home)
  const nationalFormat = formatNational(e164)
  if (typeof mobile === 'string' || mobile.region === home || nationalFormat === e164) return nationalFormat
  return `+${numberingPlans[mobile.region].code} ${nationalFormat.slice(1)}`
}

export function formatNational(e164: string): string {
  const mobile = matchMobile(e164, 'NZ') ?? matchMobile(e164, 'AU')
  if (mobile?.e164 !== e164) return e164
  const { code, groups } = numberingPlans[mobile.region]
  const national = e164.slice(1 + code.length)
  const group = groups.find((each) => each.test(national))
  return group ? national.replace(group, '0$1 $2 $3') : e164
}

function matchMobile(number: string, region: Region): MobileNumber | null {
  const found = mobilePatterns[region].exec(number)
  return found && { e164: `+${numberingPlans[region].code}${found[1]}`, region }
}

type NumberingPlan = {
  code: string
  plus: RegExp
  abroad: RegExp
  prefix: RegExp
  national: RegExp
  /** Patterns that split a number, without its leading 0, into groups. The first matching pattern applies. */
  groups: readonly RegExp[]
}

const numberingPlans: Record<Region, NumberingPlan> = {
  NZ: {
    code: '64',
    plus: /^0(?:0|161)/,
    abroad: /^(?:\+|00)(?!6[14])[1-9]\d+$/,
    prefix: /0/,
    // The prefix 026 is excluded because it belongs to pagers, which don't use SIM cards.
    national: /2(?:[0-27-9]\d{7,8}|(?:1\d|75)\d{5})/,
    groups: [/^(210|274)(\d{3})(\d{3,4})$/, /^(2[028])(\d{3,4})(\d{4})$/, /^(\d\d)(\d{3})(\d+)$/],
  },
  AU: {
    code: '61',
    plus: /^(?:001[14-689]|14(?:1[14]|34|4[17]|[56]6|7[47]|88)0011)/,
    abroad: /^(?:\+|0011)(?!6[14])[1-9]\d+$/,
    // The prefixes 1831 and 1832 hide and show the caller's number.
    prefix: /0|183[12]/,
    national: /4(?:(?:[0-36]\d|4[047-9]|[58][0-24-9]|7[02-8]|9[0-47-9])\d|79[01]|83[0-36-9]|95[0-3]|96[0-4])\d{5}/,
    groups: [/^(\d{3})(\d{3})(\d{3})$/],
  },
}

const mobilePatterns = createForEachRegion((region) => {
  const { code, prefix, national } = numberingPlans[region]
  return new RegExp(`^(?:\\+?${code})?(?:${prefix.source})?(${national.source})$`)
})
