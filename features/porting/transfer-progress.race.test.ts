import { expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import type { KnownOrder } from '#providers/network/network.port.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { recordPortResponse } from './server/port-response.ts'
import { findPortByExternalId } from './server/porting.store.ts'

const world = useWorld()

async function aTransfer() {
  const customer = await makeCustomer(world(), { services: 1 })
  const number = await newPortableNumber(world(), 'played')
  const { id } = customer.services[0]!
  await customer.visitor.post(`/api/services/port/${id}/`, portForm(number))
  const externalId = `${id}-port-1`
  await pollUntil(async () => (await findPortByExternalId(world().db, externalId))?.sub_state === 'draft')
  await world()
    .db.updateTable('porting_requests')
    .set({ retry_at: null })
    .where('external_id', '=', externalId)
    .execute()
  const port = await findPortByExternalId(world().db, externalId)
  if (!port) throw new Error('no transfer')
  return { customer, number, port }
}

const answerOf = (...subStates: string[]): KnownOrder => ({
  outcome: 'known',
  state: 'running',
  subState: subStates.at(-1) ?? null,
  milestones: subStates.map((subState) => ({ subState, at: world().deps.clock.now().toString() })),
  fault: null,
})

type Port = Awaited<ReturnType<typeof aTransfer>>['port']
const record = (port: Port, answer: KnownOrder) =>
  transact(world().db, (trx) => recordPortResponse(trx, world().deps, port, answer))

const messagesAbout = async ({ id }: Port) =>
  (await world().db.selectFrom('messages').select('kind').where('ref', '=', id).execute())
    .map(({ kind }) => kind)
    .toSorted()

test('when ten workers record the same state of a transfer, it is stored once and the customer is notified once', async () => {
  for (let round = 0; round < 4; round++) {
    const { port } = await aTransfer()
    const heard = answerOf('draft', 'requested', 'awaitingCustomerReply')
    await Promise.all(Array.from({ length: 10 }, () => record(port, heard)))
    expect(await findPortByExternalId(world().db, port.external_id)).toMatchObject({
      status: 'SUBMITTED',
      sub_state: 'awaitingCustomerReply',
      version: port.version + 1,
    })
    expect(await messagesAbout(port)).toEqual(['port-reply', 'port-reply-text'])
    const milestones = await world()
      .db.selectFrom('porting_milestones')
      .select('sub_state')
      .where('port_id', '=', port.id)
      .where('sub_state', '=', 'awaitingCustomerReply')
      .execute()
    expect(milestones).toHaveLength(1)
  }
})

test('an outdated response from the network does not set a transfer back to an earlier step', async () => {
  const { port } = await aTransfer()
  await record(port, answerOf('draft', 'requested', 'awaitingCustomerReply', 'confirmed'))
  // This response was read from the network before the previous one, but recorded after it.
  await record(port, answerOf('draft', 'requested'))
  expect(await findPortByExternalId(world().db, port.external_id)).toMatchObject({ sub_state: 'confirmed' })
})

test('if two workers record a transfer’s failure and its next step at the same time, only the one recorded first counts', async () => {
  for (let round = 0; round < 4; round++) {
    const { port } = await aTransfer()
    const failed: KnownOrder = {
      ...answerOf('draft', 'declined'),
      state: 'failed',
      fault: { code: 'DONOR_ACCOUNT_MISMATCH', message: 'no', retryable: false },
    }
    const both = [record(port, failed), record(port, answerOf('draft', 'awaitingCustomerReply'))]
    await Promise.all(round % 2 === 0 ? both : both.toReversed())
    const now = await findPortByExternalId(world().db, port.external_id)
    const told = await messagesAbout(port)
    expect(told).toEqual(now?.status === 'FAILED' ? ['port', 'port-text'] : ['port-reply', 'port-reply-text'])
  }
})
