/* @module-tag slow */
import { beforeEach, describe, expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { newVisitor, type Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { TRUSTED_PROXIES: '127.0.0.1,::1' } })
beforeEach(async () => void (await world().db.deleteFrom('rate_limits').execute()))

type Sim = { msisdn: string; sim_serial: string }
const visitorAt = (address: string): Visitor => newVisitor(world().url, undefined, { 'x-forwarded-for': address })
let last = 0
const newAddress = (): string => `203.0.${Math.floor(++last / 250)}.${last % 250}`
const enter = async (visitor: Visitor, { msisdn, sim_serial }: Sim) =>
  (await visitor.post('/api/activate/sim/', { msisdn, sim_serial, setup_porting: false })).status
const wrong = (sim: Sim, guess = 0): Sim => ({
  ...sim,
  sim_serial: String((Number(sim.sim_serial) + 1 + guess) % 10_000).padStart(4, '0'),
})
const times = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Array.fromAsync({ length: count }, (_, index) => act(index))

async function guessTwelveTimes(sim: Sim, address = newAddress()): Promise<number[]> {
  return times(12, (guess) => enter(visitorAt(address), wrong(sim, guess)))
}

describe('strangers who guess the last digits of a SIM number', () => {
  test("after a stranger's guesses, the SIM's owner can still mistype the digits twice, then start from any IP address", async () => {
    const sim = await world().newSim()
    expect(await guessTwelveTimes(sim)).toEqual([...Array<number>(10).fill(400), 429, 429])
    const owner = visitorAt(newAddress())
    expect([await enter(owner, wrong(sim)), await enter(owner, wrong(sim)), await enter(owner, sim)]).toEqual([
      400, 400, 200,
    ])
    expect(await enter(visitorAt(newAddress()), sim)).toBe(200)
  })

  test("after too many wrong guesses of a SIM's digits, an IP address gets a 429 even for the correct digits", async () => {
    const [sim, address] = [await world().newSim(), newAddress()]
    await guessTwelveTimes(sim, address)
    const { status, headers } = await visitorAt(address).post('/api/activate/sim/', { ...sim, setup_porting: false })
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    const { visitor } = await makeCustomer(world())
    expect(
      (await visitor.post('/api/activate/sim/', { ...sim, setup_porting: false }, { 'x-forwarded-for': address }))
        .status,
    ).toBe(200)
  })

  test("guesses of a SIM's digits from the same IPv6 network count together", async () => {
    const sim = await world().newSim()
    await guessTwelveTimes(sim)
    const statuses = await times(8, (index) => enter(visitorAt(`2001:db8:77:${index}::1`), wrong(sim, index)))
    expect(statuses).toEqual([400, 400, 400, 429, 429, 429, 429, 429])
    expect(await enter(visitorAt('2001:db8:78::1'), sim)).toBe(200)
  })

  test("allows strangers a total of 310 guesses a day at one SIM's digits", async () => {
    const sim = await world().newSim()
    const statuses = (
      await times(115, async (index) => {
        const visitor = visitorAt(newAddress())
        return times(3, (guess) => enter(visitor, wrong(sim, 3 * index + guess)))
      })
    ).flat()
    expect(statuses.filter((status) => status === 400)).toHaveLength(310)
    expect(statuses.filter((status) => status === 429)).toHaveLength(35)
    const { visitor } = await makeCustomer(world())
    expect(await enter(visitor, sim)).toBe(200)
  })
})

test('allows an IP address sixty wrong guesses of SIM digits an hour, across all phone numbers', async () => {
  const address = newAddress()
  const numberOf = (index: number): Sim => ({ msisdn: `+64215${String(100_000 + index)}`, sim_serial: '0000' })
  const statuses = await times(108, (index) => enter(visitorAt(address), numberOf(index % 12)))
  expect(statuses).toEqual([...Array<number>(60).fill(400), ...Array<number>(48).fill(429)])
  const sim = await world().newSim()
  expect(await enter(visitorAt(address), sim)).toBe(429)
  expect(await enter(visitorAt(newAddress()), sim)).toBe(200)
  const { visitor } = await makeCustomer(world())
  expect(
    (
      await visitor.post(
        '/api/activate/sim/',
        { ...(await world().newSim()), setup_porting: false },
        { 'x-forwarded-for': address },
      )
    ).status,
  ).toBe(200)
})

test("entering a SIM's correct last digits does not count as a guess", async () => {
  const address = newAddress()
  const sim = await world().newSim()
  expect(await times(70, () => enter(visitorAt(address), sim))).toEqual(Array(70).fill(200))
})

test("does not write to the rate limits table when a guess of a SIM's digits exceeds the limit", async () => {
  const [sim, address] = [await world().newSim(), newAddress()]
  await guessTwelveTimes(sim, address)
  const rows = () => world().db.selectFrom('rate_limits').selectAll().orderBy('key').execute()
  const before = await rows()
  await times(5, (guess) => enter(visitorAt(address), wrong(sim, guess)))
  expect(await rows()).toEqual(before)
})
