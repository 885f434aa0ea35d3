import { expect } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { isTransferOver } from '#features/porting/porting.states.ts'
import { portForm } from './activation-journey.ts'
import type { DonorResponse } from './order-commands.ts'
import { type ShoppingState, today } from './shopping-state.ts'
import { newPortableNumber, setPortState } from './simulators.ts'
import { pollUntil } from './poll-until.ts'

const getPortPath = ({ service }: ShoppingState): string => `/api/services/port/${service.id}/`

/** Returns whether the number has been released, or null if that is uncertain. */
const hasLostNumber = (shopping: ShoppingState): boolean | null => {
  const { life } = shopping.model
  return life && today(shopping).until(life.ends).days <= -50
}

export async function requestTransfer(shopping: ShoppingState): Promise<void> {
  const { world, customer, model } = shopping
  const { is, number, tries } = model.transfer
  const requestedNumber = is === 'over' && number ? number : await newPortableNumber(world, 'played')
  const prepaid_sim_number = `89640500000000${String(tries).padStart(4, '0')}`
  const { status } = await customer.visitor.post(getPortPath(shopping), {
    ...portForm(requestedNumber),
    prepaid_sim_number,
  })
  const gone = hasLostNumber(shopping)
  if (gone === null) expect([200, 400, 404]).toContain(status)
  else expect([is, gone, status]).toEqual([is, gone, gone ? 404 : is === 'open' || is === 'through' ? 400 : 200])
  if (status === 200) model.transfer = { is: 'open', number: requestedNumber, tries: tries + 1 }
}

export async function applyDonorResponse(shopping: ShoppingState, says: DonorResponse | 'expired'): Promise<void> {
  const { world, model } = shopping
  const { is, number } = model.transfer
  if (is !== 'open' || !number) return
  // Wait until Fantail has submitted the transfer, because the network has nothing to report until then.
  await pollUntil(async () => {
    await makeTransferPollDue(shopping)
    const { network } = await world.ledgers()
    return network.some(({ external_id }) => external_id === idOf(shopping))
  })
  await setPortState(world, { msisdn: number, state: says })
  const port = await pollUntil(async () => {
    await makeTransferPollDue(shopping)
    const row = await readLatestTransfer(shopping)
    return (says === 'awaitingCustomerReply' ? row.sub_state === says : isTransferOver(row.status)) && row
  })
  if (says === 'awaitingCustomerReply') return
  expect(port.status).toBe(says === 'completed' ? 'COMPLETED' : 'FAILED')
  model.transfer.is = says === 'completed' ? 'through' : 'over'
  await compareTransfer(shopping)
}

export async function cancelTransfer(shopping: ShoppingState): Promise<void> {
  const { customer, model } = shopping
  const { visitor } = customer
  const headers = { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' }
  const { status } = await visitor.send('DELETE', getPortPath(shopping), { headers })
  if (model.transfer.is !== 'open') return expect([200, 400, 404]).toContain(status)
  expect([200, 202]).toContain(status)
  await pollUntil(async () => {
    await makeTransferPollDue(shopping)
    return isTransferOver((await readLatestTransfer(shopping)).status)
  })
  expect((await readLatestTransfer(shopping)).status).toBe('CANCELLED')
  model.transfer.is = 'over'
  await compareTransfer(shopping)
}

/**
 * Lets an open transfer expire. Call this before moving the clock forward by several days, because a real transfer would expire in that
 * time.
 */
export const expireTransfer = (shopping: ShoppingState): Promise<void> => applyDonorResponse(shopping, 'expired')

export async function compareTransfer(shopping: ShoppingState): Promise<void> {
  const { world, customer, service, model } = shopping
  const { is, number, tries } = model.transfer
  const ports = await world.db
    .selectFrom('porting_requests')
    .select(['external_id', 'status'])
    .where('service_id', '=', service.id)
    .execute()
  expect(ports).toHaveLength(tries)
  const { network } = await world.ledgers()
  const findOrderState = (id: string) => network.find(({ external_id }) => external_id === id)?.state
  const completedPorts = ports
    .filter(({ external_id: id }) => findOrderState(id) === 'completed')
    .map(({ status }) => status)
  expect(completedPorts).toEqual(is === 'through' ? ['COMPLETED'] : [])
  const listedService = (await customer.visitor.get('/api/services/')).body[service.id]
  if (listedService) expect(listedService.msisdn).toBe(is === 'through' ? number : service.msisdn)
}

const idOf = ({ service, model }: ShoppingState): string => `${service.id}-port-${model.transfer.tries}`

const readLatestTransfer = (shopping: ShoppingState) =>
  shopping.world.db
    .selectFrom('porting_requests')
    .select(['status', 'sub_state'])
    .where('external_id', '=', idOf(shopping))
    .executeTakeFirstOrThrow()

async function makeTransferPollDue(shopping: ShoppingState): Promise<void> {
  const now = toDate(realNow())
  await shopping.world.db
    .updateTable('porting_requests')
    .set({ retry_at: now })
    .where('external_id', '=', idOf(shopping))
    .where('retry_at', '>', now)
    .execute()
}
