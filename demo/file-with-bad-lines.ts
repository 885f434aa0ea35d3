import type { Market } from '#kit/contract/bootstrap.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { simPack } from './stock.ts'

const goodLineCount = 40

export function fileWithBadLines(market: Pick<Market, 'code'>): {
  packs: { iccid: string; msisdn: string }[]
  text: string
} {
  const packs = Array.from({ length: goodLineCount }, (_, at) => simPack(9_201 + at, market))
  const lines = packs.map(({ iccid, msisdn }) => `${iccid},${formatNational(msisdn)}`)
  const spare = simPack(9_301, market)
  const iccidWithWrongDigit = spare.iccid.slice(0, -1) + ((Number(spare.iccid.at(-1)) + 1) % 10)
  const bad = [
    `${iccidWithWrongDigit},${formatNational(spare.msisdn)}`,
    `${simPack(9_302, market).iccid},09 555 0142`,
    lines[4],
    `${simPack(1, market).iccid},${formatNational(simPack(1, market).msisdn)}`,
  ]
  return { packs, text: ['iccid,msisdn', ...lines.slice(0, 20), ...bad, ...lines.slice(20), ''].join('\n') }
}
