import { expect, test } from 'vitest'
import { createClient, serviceOrder, sims, startNetwork } from '#simulators/network/test-network.ts'
import { createMobileNetwork } from './tmf.ts'

const hours = (count: number) => Temporal.Now.instant().add({ hours: count })

test('lists every order placed in a period, whichever paging, counting and filtering the network uses', async () => {
  const network = await startNetwork()
  const { place, call } = createClient(network)
  await place(serviceOrder('A-1', 'add', 'mobileLine', sims.ok))
  await place(serviceOrder('A-2', 'add', 'mobileLine', sims.second))
  const { list } = createMobileNetwork({ baseUrl: network.url, timeoutMs: 30_000 })
  for (const habits of [{}, { most: 1 }, { most: 1, total: false }, { ignore_filters: true }]) {
    await call('POST', '/_simulator/lists', habits)
    const answer = await list({ from: hours(-50), until: hours(1) })
    if (answer.outcome === 'unknown') throw new Error(answer.why)
    expect(answer.orders.map(({ externalId }) => externalId).toSorted()).toEqual(['A-1', 'A-2'])
    expect(answer.orders[0]).toMatchObject({ iccid: sims.ok.iccid, msisdn: expect.stringMatching(/^\+?\d+$/) })
    expect(await list({ from: hours(-50), until: hours(-1) })).toEqual({ outcome: 'known', orders: [] })
  }
  await call('POST', '/_simulator/failures', { operation: 'read', kind: 'error_500' })
  expect(await list({ from: hours(-1), until: hours(1) })).toMatchObject({ outcome: 'unknown' })
})
