import { expect, test } from 'vitest'
import {
  activateTestSim,
  createClient,
  serviceOrder,
  sims,
  startNetwork,
  waitForState,
} from '#simulators/network/test-network.ts'
import type { NetworkSimulator } from '#simulators/network/simulator.ts'
import { createNetworkUsage } from './tmf-usage.ts'

const products = [{ sku: 'plan', kind: 'plan', lengthDays: 30, dataMb: 5_000, voiceMinutes: 0, messages: 0 } as const]

async function useLine(
  network: NetworkSimulator,
  line: { iccid: string; msisdn: string },
  calls: number,
): Promise<void> {
  const { place, call } = createClient(network)
  await call('POST', '/_simulator/sims', [{ ...line, habits: 'none' }])
  await activateTestSim(network, line)
  await place(serviceOrder(`P-${line.iccid}`, 'add', 'prepaidPlan', { ...line, sku: 'plan' }))
  await waitForState(network, `P-${line.iccid}`, 'completed')
  for (let seconds = 1; seconds <= calls; seconds++)
    await call('POST', '/_simulator/uses', {
      iccid: line.iccid,
      type: 'voice',
      amount: seconds,
      destination: '64275550100',
    })
}

test('all usage records and balances of a phone number are read, whichever paging, counting and filtering the network uses', async () => {
  const network = await startNetwork()
  network.seed({ products: [...products] })
  await useLine(network, sims.ok, 250)
  await useLine(network, sims.second, 75)
  const usage = createNetworkUsage({ baseUrl: network.url, timeoutMs: 30_000 })
  const now = Temporal.Now.instant()
  const read = async (msisdn: string) => {
    const records = await usage.records(`+${msisdn}`, now.subtract({ hours: 1 }), now.add({ hours: 1 }))
    const balances = await usage.balances(`+${msisdn}`)
    if (records.outcome === 'unknown' || balances.outcome === 'unknown') throw new Error('no answer')
    const seconds = records.records.map(({ amount }) => amount).toSorted((a, b) => a - b)
    return { seconds, balances: balances.balances.map(({ operationId }) => operationId), foreign: records.foreign }
  }
  const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1)
  for (const habits of [
    { most: 100 },
    { most: 100, total: false },
    { most: 125, total: false },
    { most: 100, ignore_filters: true },
    { most: 100, ignore_filters: true, total: false },
  ]) {
    await createClient(network).call('POST', '/_simulator/lists', habits)
    const foreign = (others: number) => ('ignore_filters' in habits ? others : 0)
    expect([habits, await read(sims.ok.msisdn)]).toEqual([
      habits,
      { seconds: upTo(250), balances: [`P-${sims.ok.iccid}`], foreign: foreign(75) },
    ])
    expect([habits, await read(sims.second.msisdn)]).toEqual([
      habits,
      { seconds: upTo(75), balances: [`P-${sims.second.iccid}`], foreign: foreign(250) },
    ])
  }
})
