import { expect, test } from 'vitest'
import { activateTestSim, createClient, createPortInOrder, startNetwork } from './test-network.ts'
import { orderingBase } from './present-order.ts'
import type { PortBehaviour } from './state.ts'

const msisdn = '64220000042'

async function asked({ behaviour = 'asks_code', dataDir }: { behaviour?: PortBehaviour; dataDir?: string } = {}) {
  const network = await startNetwork({ portDelayMs: 3_600_000, ...(dataDir !== undefined && { dataDir }) })
  network.seed({ ports: [{ msisdn, behaviour }] })
  await activateTestSim(network)
  const { call, place, read } = createClient(network)
  const { id } = (await place(createPortInOrder('X-1', msisdn))).body
  const path = `${orderingBase}/serviceOrder/${id}`
  if (behaviour === 'played') await call('POST', '/_simulator/ports/play', { msisdn, state: 'awaitingCustomerReply' })
  else network.setClockOffset(3_600_000)
  const send = (code: string) =>
    call('PATCH', path, {
      serviceOrderItem: [{ id: '1', service: { serviceCharacteristic: [{ name: 'donorCode', value: code }] } }],
    })
  const texts = async () => (await call('GET', '/_simulator/ports/texts')).body as { to: string; text: string }[]
  const codeOf = (text: string | undefined): string => /\d{6}/.exec(text ?? '')?.[0] ?? ''
  return {
    network,
    call,
    send,
    texts,
    code: async () => codeOf((await texts())[0]?.text),
    now: async () => (await read(path)).body,
  }
}

const wrongOf = (code: string): string => (code === '000000' ? '111111' : '000000')

test('the old provider texts a code to the number, and the number transfer continues once the network has received that code', async () => {
  const { network, send, texts, code, now } = await asked()
  expect(await now()).toMatchObject({ state: 'inProgress', milestone: { length: 3 } })
  expect(await texts()).toMatchObject([
    { to: `+${msisdn}`, text: expect.stringMatching(/code to move this number .* is \d{6}\./) },
  ])
  expect(JSON.stringify(await now())).not.toContain(await code())
  const taken = await send(await code())
  expect(taken).toMatchObject({ status: 200, body: { externalId: 'X-1' } })
  expect((await now()).milestone.at(-1).name).toBe('confirmed')
  expect((await send(await code())).status).toBe(200)
  network.setClockOffset(6 * 3_600_000)
  expect(await now()).toMatchObject({ state: 'completed' })
})

test('a wrong number transfer code is rejected, and the fifth wrong code ends the transfer', async () => {
  const { send, code, now } = await asked()
  const wrong = wrongOf(await code())
  for (let sent = 0; sent < 4; sent++)
    expect(await send(wrong)).toMatchObject({ status: 400, body: { code: 'WRONG_CODE' } })
  expect((await now()).state).toBe('inProgress')
  expect((await send(wrong)).status).toBe(400)
  expect(await now()).toMatchObject({ state: 'failed', errorMessage: [{ code: 'WRONG_CODE' }] })
  expect(await send(await code())).toMatchObject({ status: 409, body: { code: 'CODE_NOT_AWAITED' } })
})

test('if its code is never entered, a number transfer fails after three hours on the simulator’s clock', async () => {
  const { network, now } = await asked()
  network.setClockOffset(3 * 3_600_000)
  expect(await now()).toMatchObject({ state: 'failed', errorMessage: [{ code: 'NO_CUSTOMER_REPLY' }] })
})

test('a code for a number transfer that needs none is rejected, and so is any other change to an order', async () => {
  const { send, texts, call } = await asked({ behaviour: 'played' })
  expect(await texts()).toEqual([])
  expect((await send('123456')).status).toBe(409)
  const amend = (body: object) => call('PATCH', `${orderingBase}/serviceOrder/none`, body)
  expect((await amend({ state: 'completed' })).status).toBe(400)
})
