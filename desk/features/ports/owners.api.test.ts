/* @module-tag slow */
import { beforeAll, expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber, setPortState } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { insertStaff } from '#desk/features/staff/server/staff.store.ts'
import { transact } from '#kit/server/db.ts'
import type { DeskPort, PortFigures, PortPage } from './ports.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

const sefa = 'sefa.reid@fantail.example'
const moana = 'moana.reid@fantail.example'
let support: Visitor
let other: Visitor
let lead: Visitor
beforeAll(async () => {
  const { db, deskUrl } = world()
  await transact(db, async (trx) => {
    await insertStaff(trx, { email: sefa, name: 'Sefa Reid', roles: ['support'], isLead: false })
    await insertStaff(trx, { email: moana, name: 'Moana Reid', roles: ['support'], isLead: true })
  })
  const signIn = (email: string): Promise<Visitor> => newStaffVisitor(deskUrl ?? '', email)
  support = await signIn(demoStaff.support)
  other = await signIn(sefa)
  lead = await signIn(moana)
})

async function aPort(state: 'declined' | 'completed', code?: string): Promise<string> {
  const customer = await makeCustomer(world(), { services: 1 })
  const number = await newPortableNumber(world(), 'played')
  const [service] = customer.services
  const asked = await customer.visitor.post(`/api/services/port/${service!.id}/`, portForm(number))
  expect(asked.status).toBe(200)
  const reference = `${service!.id}-port-1`
  await pollUntil(async () => (await world().ledgers()).network.some(({ external_id: id }) => id === reference))
  await setPortState(world(), { msisdn: number, state, ...(code && { code }) })
  await pollUntil(async () => (await see(reference)).ended !== null)
  return reference
}
const see = async (reference: string, who = support): Promise<DeskPort> =>
  (await who.get(`/api/desk/ports/${reference}/`)).body
const press = (who: Visitor, reference: string, act: string) => who.post(`/api/desk/ports/${reference}/${act}/`)
const rowOf = async (reference: string) => {
  const { rows }: PortPage = (await support.get('/api/desk/ports/')).body
  return rows.find((row) => row.reference === reference)
}

test('only one person can take a number transfer, and only that person or a team lead can hand it back', async () => {
  const reference = await aPort('declined')
  expect((await rowOf(reference))?.owner).toBe(null)
  expect((await press(support, reference, 'take')).status).toBe(200)
  expect((await press(support, reference, 'take')).status).toBe(200)
  expect((await press(other, reference, 'take')).body).toEqual({
    __all__: ['Hine Walker has already taken this transfer.'],
  })
  expect((await rowOf(reference))?.owner).toEqual({ name: 'Hine Walker', is_own: true })
  expect((await see(reference, other)).owner).toEqual({ name: 'Hine Walker', is_own: false })
  expect((await press(other, reference, 'hand-back')).status).toBe(409)
  expect((await press(lead, reference, 'hand-back')).status).toBe(200)
  expect((await see(reference)).owner).toBe(null)
  const acts = await world()
    .db.selectFrom('audit_events')
    .innerJoin('staff', 'staff.id', 'audit_events.staff_id')
    .select(['event', 'staff.email'])
    .where('event', 'in', ['port_taken', 'port_handed_back'])
    .orderBy('audit_events.id')
    .execute()
  expect(acts).toEqual([
    { event: 'port_taken', email: demoStaff.support },
    { event: 'port_taken', email: demoStaff.support },
    { event: 'port_handed_back', email: moana },
  ])
})

test('a staff member who corrects and resubmits a number transfer becomes the owner of the new request', async () => {
  const reference = await aPort('declined')
  const { answers } = await see(reference)
  const body = { ...answers, reason: 'details', note: '' }
  const { status, body: next } = await other.post(`/api/desk/ports/${reference}/correct/`, body)
  expect(status).toBe(200)
  expect((await see(next.reference)).owner).toEqual({ name: 'Sefa Reid', is_own: false })
})

test('a number transfer shows the outcomes of earlier transfers from the same provider, with reasons and median duration', async () => {
  const { donor: before } = await see(await aPort('completed'))
  await aPort('completed')
  const { donor } = await see(await aPort('declined'))
  expect({ moved: donor.moved - before.moved, declined: donor.declined - before.declined }).toEqual({
    moved: 1,
    declined: 1,
  })
  expect(donor.days).toBe(90)
  expect(donor.median_seconds).toBeGreaterThanOrEqual(0)
  expect(donor.reasons.reduce((sum, { times }) => sum + times, 0)).toBe(donor.declined)
  expect(donor.reasons[0]?.words).toBe('SIM or account number doesn’t match')
})

test('number transfer statistics count each service’s first request, by provider and reason, over 30 days', async () => {
  const figures = async (): Promise<PortFigures> => (await support.get('/api/desk/port-figures/')).body
  const skinnyIn = ({ donors }: PortFigures) =>
    donors.find(({ name }) => name === 'Skinny') ?? { asked: 0, came: 0, median_seconds: null }
  const timesOf = ({ reasons }: PortFigures, words: string) =>
    reasons.filter((reason) => reason.words === words).reduce((sum, { times }) => sum + times, 0)
  const before = await figures()
  await aPort('completed')
  const reference = await aPort('declined')
  const { answers } = await see(reference)
  const again = await support.post(`/api/desk/ports/${reference}/correct/`, {
    ...answers,
    reason: 'details',
    note: '',
  })
  const second: string = again.body.reference
  await pollUntil(async () => (await world().ledgers()).network.some(({ external_id: id }) => id === second))
  await setPortState(world(), { msisdn: (await numberOf(second))!, state: 'completed' })
  await pollUntil(async () => (await see(second)).ended !== null)
  const after = await figures()
  const [was, is] = [skinnyIn(before), skinnyIn(after)]
  expect({ asked: is.asked - was.asked, came: is.came - was.came }).toEqual({ asked: 2, came: 1 })
  expect(is.median_seconds).toBeGreaterThanOrEqual(0)
  expect(after.failed - before.failed).toBe(1)
  expect(timesOf(after, 'SIM number wrong') - timesOf(before, 'SIM number wrong')).toBe(1)
  expect(after.reasons.reduce((sum, { times }) => sum + times, 0)).toBe(after.failed)
  const longAgo = new Date(Date.now() - 31 * 86_400_000)
  await world().db.updateTable('porting_requests').set({ created_at: longAgo }).execute()
  expect(await figures()).toEqual({ days: 30, donors: [], failed: 0, reasons: [] })
})

const numberOf = async (reference: string): Promise<string | undefined> =>
  (
    await world()
      .db.selectFrom('porting_requests')
      .select('msisdn')
      .where('external_id', '=', reference)
      .executeTakeFirst()
  )?.msisdn
