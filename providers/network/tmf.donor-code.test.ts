import { expect, test } from 'vitest'
import { activateTestSim, createClient, createPortInOrder, startNetwork } from '#simulators/network/test-network.ts'
import type { NetworkSimulator } from '#simulators/network/simulator.ts'
import { createMobileNetwork } from './tmf.ts'

const msisdn = '64220000042'

async function asked(network: NetworkSimulator): Promise<string> {
  network.seed({ ports: [{ msisdn, behaviour: 'asks_code' }] })
  await activateTestSim(network)
  const { call, place } = createClient(network)
  await place(createPortInOrder('X-1', msisdn))
  await call('POST', '/_simulator/ports/play', { msisdn, state: 'awaitingCustomerReply' })
  const { body } = await call('GET', '/_simulator/ports/texts')
  return /\d{6}/.exec(body[0].text)![0]
}

test('a number transfer’s code is forwarded; the outcome is `rejected` if it is wrong, and `unknown` without a response', async () => {
  const network = await startNetwork({ portDelayMs: 3_600_000 })
  const adapter = createMobileNetwork({ baseUrl: network.url, timeoutMs: 1_000 })
  const send = (code: string, externalId = 'X-1') => adapter.sendDonorCode({ externalId, code })
  const code = await asked(network)
  expect(await send(code, 'X-2')).toEqual({ outcome: 'absent' })
  expect(await send(code === '000000' ? '111111' : '000000')).toMatchObject({ outcome: 'rejected', code: 'WRONG_CODE' })
  network.fail({ operation: 'amend', kind: 'error_500' })
  expect(await send(code)).toMatchObject({ outcome: 'unknown' })
  network.fail({ operation: 'amend', kind: 'lost_answer' })
  expect(await send(code)).toMatchObject({ outcome: 'unknown' })
  expect(await adapter.read('X-1')).toMatchObject({ outcome: 'known', subState: 'confirmed' })
  expect(await send(code)).toMatchObject({ outcome: 'known', subState: 'confirmed' })
})
