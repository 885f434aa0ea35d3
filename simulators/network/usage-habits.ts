import { createHash } from 'node:crypto'

/** A single use of a line. The amount is MB of data, seconds of a call, or 1 for a message. */
export type Use = { at: number; type: 'data' | 'voice' | 'sms'; amount: number; destination: string | null }

const dayMs = 86_400_000

/**
 * Invents a subscriber's usage for one local day, always the same for a given SIM and day: a few data sessions that add up to about
 * `dailyMb`, plus some calls and messages.
 * @param from the day's first instant in ms since 1970; `hours` is the length of the day, which is not 24 when daylight saving changes
 */
export function simulateDailyUsage(
  iccid: string,
  day: string,
  { from, hours, dailyMb }: { from: number; hours: number; dailyMb: number },
): Use[] {
  const random = createRandom(`${iccid}|${day}`)
  const isAustralian = iccid.startsWith('8961')
  const randomBetween = (least: number, most: number): number => least + random() * (most - least)
  // Subscribers use their phones between seven in the morning and eleven at night.
  const randomMoment = (): number => from + Math.floor(randomBetween(7 / 24, 23 / 24) * (hours / 24) * dayMs)
  const generateItems = <T>(count: number, make: () => T): T[] => Array.from({ length: Math.floor(count) }, make)
  const targetMb = dailyMb * randomBetween(0.25, 1.45)
  const dataShares = generateItems(randomBetween(2, 5), () => randomBetween(0.2, 1))
  const totalShare = dataShares.reduce((sum, share) => sum + share, 0)
  const uses: Use[] = [
    ...dataShares.map((share): Use => ({
      at: randomMoment(),
      type: 'data',
      amount: round((targetMb * share) / totalShare),
      destination: null,
    })),
    ...generateItems(randomBetween(0, 3.4), (): Use => ({
      at: randomMoment(),
      type: 'voice',
      amount: Math.round(randomBetween(12, 900)),
      destination: pickContactNumber(random, isAustralian),
    })),
    ...generateItems(randomBetween(0, 5.5), (): Use => ({
      at: randomMoment(),
      type: 'sms',
      amount: 1,
      destination: pickContactNumber(random, isAustralian),
    })),
  ]
  return uses.filter(({ type, amount }) => type !== 'data' || amount > 0).toSorted((a, b) => a.at - b.at)
}

/*
 * Phone numbers of a subscriber's seven contacts. The New Zealand numbers have the form 021 555 01xx, as in the other examples. The
 * Australian numbers are in the range reserved for films.
 */
const contactNumbers = ['006', '110', '156', '157', '158', '159', '313'].map((end) => `61491570${end}`)
function pickContactNumber(random: () => number, isAustralian: boolean): string {
  const contactIndex = Math.floor(random() * 7)
  return isAustralian ? contactNumbers[contactIndex]! : `6421555${String(100 + contactIndex * 13).padStart(4, '0')}`
}

const round = (mb: number): number => Math.round(mb * 100) / 100

/**
 * Creates a generator of pseudo-random numbers from 0 to 1 that always gives the same sequence for the same text (Mulberry32, seeded with
 * the text's hash).
 */
function createRandom(text: string): () => number {
  let state = createHash('sha256').update(text).digest().readUInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
