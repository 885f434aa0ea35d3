import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createNetworkInventory } from './tmf-inventory.ts'

const iccid = '89640320000000000017'

async function inventoryThat(status: number, body: unknown) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { asked, inventory: createNetworkInventory({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 30_000 }) }
}
const sim = (serialNumber: string, value: unknown) => ({
  id: `sim-${serialNumber}`,
  serialNumber,
  resourceCharacteristic: [
    { name: 'pin', value: '0000' },
    { name: 'puk', value },
  ],
})

test('the PUK is requested for one SIM, and other SIMs’ entries in the response are ignored', async () => {
  const { asked, inventory } = await inventoryThat(200, [
    sim('89640320000000000025', '11111111'),
    sim(iccid, '01234567'),
  ])
  expect(await inventory.puk(iccid)).toEqual({ outcome: 'known', puk: '01234567' })
  expect(asked[0]).toMatch(new RegExp(`^/tmf-api/resourceInventoryManagement/v4/resource\\?serialNumber=${iccid}&`))
})

test.each([
  ['another SIM alone', [sim('89640320000000000025', '11111111')]],
  ['no SIM', []],
  ['a SIM without a PUK', [{ id: 'a', serialNumber: iccid }]],
  ['a SIM with an invalid PUK', [sim(iccid, 'locked')]],
  ['a SIM whose PUK is not text', [sim(iccid, { digits: '01234567' })]],
])('the PUK is absent if the network returns %s', async (_what, body) => {
  expect(await (await inventoryThat(200, body)).inventory.puk(iccid)).toEqual({ outcome: 'absent' })
})

test.each([
  [500, []],
  [200, { code: 1 }],
])('HTTP %d with %j leaves the PUK unknown', async (status, body) => {
  expect(await (await inventoryThat(status, body)).inventory.puk(iccid)).toMatchObject({ outcome: 'unknown' })
})
