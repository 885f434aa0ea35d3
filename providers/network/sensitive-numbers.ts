import type { NetworkUsage, UsageRecord } from './usage.port.ts'

/**
 * Removes calls and texts to the given numbers, such as helplines for domestic violence, from a line's usage. They are removed before
 * anything stores, shows, exports or logs them. Data usage keeps its amounts.
 * @param numbers as written by the provider: `'0800 733 843'`, `'1737'` or `'+61 1800 737 732'`
 */
export function hideSensitiveNumbers(usage: NetworkUsage, numbers: readonly string[]): NetworkUsage {
  const hiddenNumbers = new Set(numbers.map(stripDialledCodes))
  const hiddenInternationalNumbers = new Set(numbers.filter((number) => number.startsWith('+')).map(stripDialledCodes))
  const isSensitive = (destination: string | null, countryCode: string): boolean => {
    if (destination === null) return false
    const number = stripDialledCodes(destination)
    if (hiddenNumbers.has(number) || hiddenInternationalNumbers.has(`${countryCode}${number}`)) return true
    return number.startsWith(countryCode) && hiddenNumbers.has(stripDialledCodes(number.slice(2)))
  }
  return {
    balances: (msisdn) => usage.balances(msisdn),
    async records(msisdn, from, until) {
      const response = await usage.records(msisdn, from, until)
      if (response.outcome === 'unknown') return response
      // New Zealand and Australia have two-digit country codes.
      const countryCode = stripDialledCodes(msisdn).slice(0, 2)
      const hideIfSensitive = (record: UsageRecord): UsageRecord[] => {
        if (!isSensitive(record.destination, countryCode)) return [record]
        return record.type === 'data' ? [{ ...record, destination: null }] : []
      }
      return { ...response, records: response.records.flatMap(hideIfSensitive) }
    },
  }
}

/** Codes dialled before a number to hide or show the caller's own number, in New Zealand, in Australia and on any mobile phone. */
const callerIdPrefix = /^(?:[*#]31#|019[67]|183[12])/

/** Codes for calls abroad, and the leading zeros of a national number. */
const dialledPrefix = /^(?:0011|0161|0+)/

/**
 * Strips spaces and dialled codes, so that a number is the same in each form in which a network may write it: `0800 733 843` and
 * `#31#0800733843` become `800733843`, `+64 800 733 843` and `0064800733843` become `64800733843`.
 */
const stripDialledCodes = (text: string): string =>
  text
    .replace(/[^\d*#]/g, '')
    .replace(callerIdPrefix, '')
    .replace(dialledPrefix, '')
