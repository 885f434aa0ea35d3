import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CountedAttempt, Payer } from './refused-payments.store.ts'
import { computePaymentWaitSeconds } from './back-off.ts'

const start = Temporal.Instant.from('2026-11-22T00:00:00Z')
type Try = { address: string; session: string; sim: string | null; account?: string; isKnown?: boolean }
const payerOf = ({ address, session, account = undefined, isKnown = false }: Try): Payer => ({
  ipHash: address,
  sessionId: session,
  userId: account ?? null,
  isKnown,
})

function aTill() {
  const counted: CountedAttempt[] = []
  const at = (seconds: number) => new Date(start.epochMilliseconds + seconds * 1_000)
  const waitFor = (one: Try, seconds = 0) => computePaymentWaitSeconds(counted, payerOf(one), one.sim, at(seconds))
  const pay = (one: Try, seconds = 0): boolean => {
    if (waitFor(one, seconds) > 0) return false
    counted.unshift({
      asked_at: at(seconds),
      address_hash: one.address,
      session_id: one.session,
      iccid: one.sim,
      user_id: one.account ?? null,
    })
    return true
  }
  return { waitFor, pay }
}

const someone: Try = { address: 'home', session: 'mine', sim: 'own' }

test('five refused payments cause no waiting time, so the sixth payment is allowed', () => {
  const { pay } = aTill()
  expect(Array.from({ length: 6 }, () => pay(someone))).toEqual(Array(6).fill(true))
})

test('from the sixth refused payment on, each refusal doubles the waiting time, up to an hour', () => {
  const till = aTill()
  const waits: number[] = []
  let now = 0
  for (let refusal = 0; refusal < 12; refusal++) {
    expect(till.pay(someone, now)).toBe(true)
    const wait = till.waitFor(someone, now)
    waits.push(wait)
    expect(till.waitFor(someone, now + wait - 1)).toBe(Math.min(wait, 1))
    now += wait
  }
  expect(waits).toEqual([0, 0, 0, 0, 0, 300, 600, 1_200, 2_400, 3_600, 3_600, 3_600])
})

test('a refused payment counts for a day, but only for an hour against its IP address', () => {
  const till = aTill()
  for (let refusal = 0; refusal < 6; refusal++) till.pay(someone)
  expect(till.waitFor(someone, 86_400)).toBe(0)
  const place = aTill()
  for (let refusal = 0; refusal < 9; refusal++)
    place.pay({ ...someone, session: `s${refusal}`, sim: `sim${refusal % 3}` })
  expect(place.waitFor({ ...someone, session: 'new', sim: 'sim0' })).toBe(300)
  expect(place.waitFor({ ...someone, session: 'new', sim: 'sim0' }, 3_600)).toBe(0)
})

describe('an attack from twenty sessions, three IP addresses and five SIMs', () => {
  const aTry = fc.record({
    address: fc.constantFrom('a1', 'a2', 'a3'),
    session: fc.integer({ min: 1, max: 20 }).map((n) => `s${n}`),
    sim: fc.constantFrom('1', '2', '3', '4', '5'),
  })

  test('an attack can send at most 39 cards to the gateway, and other customers can still pay', () => {
    fc.assert(
      fc.property(fc.array(aTry, { minLength: 500, maxLength: 500 }), (tries) => {
        const till = aTill()
        // All payments are made within five minutes, so no waiting time has passed yet.
        expect(tries.filter((one, index) => till.pay(one, (index * 299) / 500)).length).toBeLessThanOrEqual(39)
        for (const sim of ['1', '2', '3', '4', '5'])
          expect(till.waitFor({ address: 'elsewhere', session: 'fresh', sim }, 299)).toBe(0)
        for (const address of ['a1', 'a2', 'a3'])
          expect(till.waitFor({ address, session: 'theirs', sim: '1', account: 'owner', isKnown: true }, 299)).toBe(0)
      }),
      { numRuns: 200 },
    )
  })

  test('an attack with a new session for each card can send at most 39 cards to the gateway', () => {
    const addresses = ['a1', 'a2', 'a3']
    const sims = ['1', '2', '3', '4', '5']
    const bySim = sims.flatMap((sim) => addresses.map((address) => ({ address, sim })))
    const byAddress = addresses.flatMap((address) => sims.map((sim) => ({ address, sim })))
    for (const order of [bySim, byAddress, bySim.toReversed()]) {
      const till = aTill()
      const tries = order.flatMap((one) =>
        Array.from({ length: 40 }, (_, time) => ({ ...one, session: `${one.address} ${one.sim} ${time}` })),
      )
      const reached = tries.filter((one) => till.pay(one)).length
      expect(reached).toBeGreaterThan(25)
      expect(reached).toBeLessThanOrEqual(39)
    }
  })
})

test('a SIM with thirty refused payments in a day is blocked, except for a customer in a known browser', () => {
  const till = aTill()
  const reached = Array.from({ length: 100 }, (_, index) =>
    till.pay({ address: `a${index}`, session: `s${index}`, sim: 'bait' }, index),
  ).filter(Boolean)
  expect(reached).toHaveLength(30)
  expect(till.waitFor({ address: 'another', session: 'another', sim: 'bait' }, 100)).toBe(86_300)
  expect(
    till.waitFor({ address: 'another', session: 'another', sim: 'bait', account: 'owner', isKnown: true }, 100),
  ).toBe(0)
})

test('a SIM without refused payments gets three payment attempts even at an IP address whose limit others have used up', () => {
  const till = aTill()
  for (let index = 0; index < 40; index++) till.pay({ address: 'nat', session: `s${index}`, sim: `sim${index % 2}` })
  const mine = { address: 'nat', session: 'mine', sim: 'mine' }
  expect([till.pay(mine), till.pay(mine), till.pay(mine), till.pay(mine)]).toEqual([true, true, true, false])
})

test('refused payments limit an account across all sessions and IP addresses', () => {
  const till = aTill()
  const reached = Array.from({ length: 30 }, (_, index) =>
    till.pay({ address: `a${index}`, session: `s${index}`, sim: null, account: 'one', isKnown: index % 2 === 0 }),
  ).filter(Boolean)
  expect(reached).toHaveLength(6)
})

describe('payment limits that a payer shares with others who use the same SIM or IP address', () => {
  function after(withSim: number, atAddress: number, own: Try[] = []) {
    const till = aTill()
    for (let n = 0; n < withSim; n++) till.pay({ address: `far${n}`, session: `far${n}`, sim: 'shared' })
    for (let n = 0; n < atAddress; n++) till.pay({ address: 'café', session: `guest${n}`, sim: `guest${n}` })
    for (const one of own) expect(till.pay(one)).toBe(true)
    return till
  }
  const times = (count: number, one: Try): Try[] => Array.from({ length: count }, () => one)
  const newcomer: Try = { address: 'home', session: 'mine', sim: 'shared' }
  const guest: Try = { address: 'café', session: 'mine', sim: 'own' }

  test('a SIM’s declined payments delay a payer only if at least three came from the payer’s own session or IP address', () => {
    expect(after(6, 0).waitFor(newcomer)).toBe(0)
    expect(after(4, 0, times(2, newcomer)).waitFor(newcomer)).toBe(0)
    expect(after(3, 0, times(3, newcomer)).waitFor(newcomer)).toBeGreaterThan(0)
    const elsewhere = { ...newcomer, session: 'other' }
    expect(after(3, 0, times(3, elsewhere)).waitFor({ ...newcomer, address: 'home' })).toBeGreaterThan(0)
    expect(after(3, 0, times(3, { ...newcomer, address: 'work' })).waitFor(newcomer)).toBeGreaterThan(0)
  })

  test('at an IP address with many refused payments, a payer must wait after three refused payments for their own SIM', () => {
    expect(after(0, 9).waitFor(guest)).toBe(0)
    expect(after(0, 7, times(2, guest)).waitFor(guest)).toBe(0)
    expect(after(0, 6, times(3, guest)).waitFor(guest)).toBe(300)
    expect(after(0, 9).waitFor({ ...guest, sim: null })).toBe(300)
  })

  test('an account with fewer than three refused payments can pay from an IP address with many refused payments', () => {
    const customer: Try = { ...guest, sim: null, account: 'ana' }
    expect(after(0, 9).waitFor(customer)).toBe(0)
    expect(after(0, 7, times(2, customer)).waitFor(customer)).toBe(0)
    expect(after(0, 6, times(3, customer)).waitFor(customer)).toBe(300)
  })

  test('declined payments from an IP address delay a customer in an unknown browser, but not in a known one', () => {
    const known: Try = { ...guest, sim: null, account: 'ana', isKnown: true }
    const till = after(0, 6, times(3, { ...known, isKnown: false }))
    expect(till.waitFor(known)).toBe(0)
    expect(till.waitFor({ ...known, isKnown: false })).toBe(300)
    expect(till.waitFor({ ...guest, sim: null, isKnown: true })).toBe(300)
  })
})

test('refused payments from an IP address stop counting after an hour, even if later payments were refused', () => {
  const till = aTill()
  const guests = (count: number, seconds: number) => {
    for (let n = 0; n < count; n++)
      till.pay({ address: 'café', session: `${seconds}-${n}`, sim: `${seconds}-${n}` }, seconds)
  }
  const next: Try = { address: 'café', session: 'next', sim: null }
  guests(8, 0)
  guests(1, 3_599)
  expect(till.waitFor(next, 3_599)).toBe(300)
  expect(till.waitFor(next, 3_600)).toBe(0)
})
