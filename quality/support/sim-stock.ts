import { Readable } from 'node:stream'
import { passesLuhn } from '#kit/contract/card-number.ts'
import type { Region } from '#kit/contract/phone.ts'

export type StockPack = { iccid: string; msisdn: string; puk: string }

let taken = 0

/** Creates SIM packs like those a supplier delivers. Each stock reserves `most` numbers, so that no two stocks share a SIM pack. */
export function createSimStock(country: Region, most = 10_000): (position: number) => StockPack {
  const first = taken
  taken += most
  return (position) => {
    const number = first + position
    const body = `89${country === 'NZ' ? '64' : '61'}03${String(number).padStart(12, '0')}`
    // These phone numbers are in a range that no other SIM packs in tests use.
    const msisdn =
      country === 'NZ' ? `+6422${String(number).padStart(8, '0')}` : `+6140${String(number).padStart(7, '0')}`
    return { iccid: appendCheckDigit(body), msisdn, puk: String(10_000_000 + position) }
  }
}

export const appendCheckDigit = (body: string): string =>
  [...'0123456789'].map((digit) => body + digit).find((digits) => passesLuhn(digits)) ?? ''

export const headerLine = 'iccid,msisdn,puk'
export const formatPack = ({ iccid, msisdn, puk }: StockPack): string => `${iccid},${msisdn},${puk}`

export const formatPacks = (packs: StockPack[]): string => `${[headerLine, ...packs.map(formatPack)].join('\n')}\n`

export function streamPacks(packOf: (position: number) => StockPack, count: number): Readable {
  function* lines(): Generator<string> {
    yield `${headerLine}\n`
    for (let from = 0; from < count; from += 1_000)
      yield Array.from({ length: Math.min(1_000, count - from) }, (_, n) => `${formatPack(packOf(from + n))}\n`).join(
        '',
      )
  }
  return Readable.from(lines())
}
