import { expect } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { isOver } from '#features/porting/porting.states.ts'
import { portAnswers } from './journey.ts'
import type { DonorsWord } from './order-commands.ts'
import { type Shopping, today } from './shopping.ts'
import { newPortableNumber, playPort } from './simulators.ts'
import { until } from './until.ts'

const pathOf = ({ service }: Shopping): string => `/api/services/port/${service.id}/`

/** Whether the number was given back. Null means that this is not certain. */
const isGone = (shopping: Shopping): boolean | null => {
  const { life } = shopping.model
  return life && today(shopping).until(life.ends).days <= -50
}

export async function askForNumber(shopping: Shopping): Promise<void> {
  const { world, customer, model } = shopping
  const { is, number, tries } = model.transfer
  const wanted = is === 'over' && number ? number : await newPortableNumber(world, 'played')
  const prepaid_sim_number = `89640500000000${String(tries).padStart(4, '0')}`
  const { status } = await customer.visitor.post(pathOf(shopping), { ...portAnswers(wanted), prepaid_sim_number })
  const gone = isGone(shopping)
  if (gone === null) expect([200, 400, 404]).toContain(status)
  else expect([is, gone, status]).toEqual([is, gone, gone ? 404 : is === 'open' || is === 'through' ? 400 : 200])
  if (status === 200) model.transfer = { is: 'open', number: wanted, tries: tries + 1 }
}

export async function hearDonor(shopping: Shopping, says: DonorsWord | 'expired'): Promise<void> {
  const { world, model } = shopping
  const { is, number } = model.transfer
  if (is !== 'open' || !number) return
  // The network has nothing to report before the transfer was handed in.
  await until(async () => {
    await askNow(shopping)
    const { network } = await world.ledgers()
    return network.some(({ external_id }) => external_id === idOf(shopping))
  })
  await playPort(world, { msisdn: number, state: says })
  const port = await until(async () => {
    await askNow(shopping)
    const row = await latest(shopping)
    return (says === 'awaitingCustomerReply' ? row.sub_state === says : isOver(row.status)) && row
  })
  if (says === 'awaitingCustomerReply') return
  expect(port.status).toBe(says === 'completed' ? 'COMPLETED' : 'FAILED')
  model.transfer.is = says === 'completed' ? 'through' : 'over'
  await compareTransfer(shopping)
}

export async function callTransferOff(shopping: Shopping): Promise<void> {
  const { customer, model } = shopping
  const { visitor } = customer
  const headers = { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' }
  const { status } = await visitor.send('DELETE', pathOf(shopping), { headers })
  if (model.transfer.is !== 'open') return expect([200, 400, 404]).toContain(status)
  expect([200, 202]).toContain(status)
  await until(async () => {
    await askNow(shopping)
    return isOver((await latest(shopping)).status)
  })
  expect((await latest(shopping)).status).toBe('CANCELLED')
  model.transfer.is = 'over'
  await compareTransfer(shopping)
}

/** Nobody waits for days. An unanswered transfer has expired by then. */
export const letTransferLapse = (shopping: Shopping): Promise<void> => hearDonor(shopping, 'expired')

export async function compareTransfer(shopping: Shopping): Promise<void> {
  const { world, customer, service, model } = shopping
  const { is, number, tries } = model.transfer
  const ports = await world.db
    .selectFrom('porting_requests')
    .select(['external_id', 'status'])
    .where('service_id', '=', service.id)
    .execute()
  expect(ports).toHaveLength(tries)
  const { network } = await world.ledgers()
  const stateOf = (id: string) => network.find(({ external_id }) => external_id === id)?.state
  const through = ports.filter(({ external_id: id }) => stateOf(id) === 'completed').map(({ status }) => status)
  expect(through).toEqual(is === 'through' ? ['COMPLETED'] : [])
  const listed = (await customer.visitor.get('/api/services/')).body[service.id]
  if (listed) expect(listed.msisdn).toBe(is === 'through' ? number : service.msisdn)
}

const idOf = ({ service, model }: Shopping): string => `${service.id}-port-${model.transfer.tries}`

const latest = (shopping: Shopping) =>
  shopping.world.db
    .selectFrom('porting_requests')
    .select(['status', 'sub_state'])
    .where('external_id', '=', idOf(shopping))
    .executeTakeFirstOrThrow()

async function askNow(shopping: Shopping): Promise<void> {
  const now = toDate(realNow())
  await shopping.world.db
    .updateTable('porting_requests')
    .set({ retry_at: now })
    .where('external_id', '=', idOf(shopping))
    .where('retry_at', '>', now)
    .execute()
}
