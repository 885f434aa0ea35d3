import { randomInt } from 'node:crypto'
import { Readable } from 'node:stream'
import { passesLuhn } from '#kit/contract/card-number.ts'
import type { Region } from '#kit/contract/phone.ts'

export type StockPack = { iccid: string; msisdn: string; puk: string }

/** SIM packs as a provider's supplier has them: as many as one likes, none of which any other test has. */
export function newStock(country: Region): (position: number) => StockPack {
  const first = randomInt(5_000_000)
  const account = String(randomInt(1e6)).padStart(6, '0')
  return (position) => {
    const number = String(first + position).padStart(7, '0')
    const body = `89${country === 'NZ' ? '64' : '61'}03${account}${number}`
    // Numbers of a range of their own: the tests' other packs are elsewhere.
    const msisdn = country === 'NZ' ? `+64227${number}` : `+6140${number}`
    return { iccid: withCheckDigit(body), msisdn, puk: String(10_000_000 + position) }
  }
}

export const withCheckDigit = (body: string): string =>
  [...'0123456789'].map((digit) => body + digit).find((digits) => passesLuhn(digits)) ?? ''

export const header = 'iccid,msisdn,puk'
export const lineOf = ({ iccid, msisdn, puk }: StockPack): string => `${iccid},${msisdn},${puk}`

/** A file of these packs. */
export const textOf = (packs: StockPack[]): string => `${[header, ...packs.map(lineOf)].join('\n')}\n`

/** A file of so many packs, made as it is read. */
export function fileOf(packOf: (position: number) => StockPack, count: number): Readable {
  function* lines(): Generator<string> {
    yield `${header}\n`
    for (let from = 0; from < count; from += 1_000)
      yield Array.from({ length: Math.min(1_000, count - from) }, (_, n) => `${lineOf(packOf(from + n))}\n`).join('')
  }
  return Readable.from(lines())
}
