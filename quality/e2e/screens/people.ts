import { demoPorts } from '#demo/fixtures.ts'
import { type Customer, makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { portForm, advanceWizardTo, type WizardInputs } from '#quality/support/activation-journey.ts'
import { addPastCycles } from '#quality/support/past-cycles.ts'
import { buyAddOn } from '#quality/support/purchases.ts'
import { newPortableNumber, addSimUsage } from '#quality/support/simulators.ts'
import type { World } from '#quality/support/world.ts'
import { once, type Stage } from './screen.ts'

export const buildPortForm = ({ deps }: World) => portForm(demoPorts[deps.market.code][0].msisdn)

export const longFirstName = 'Wh'.repeat(15)
export const longLastName = 'Ngarimu'.repeat(30).slice(0, 150)
export function createLongEmail(): string {
  const localPart = `${Date.now()}${'m'.repeat(64)}`.slice(0, 64)
  const domainLabels = [62, 62, 59].map((length) => 'example'.repeat(9).slice(0, length))
  return `${localPart}@${domainLabels.join('.')}.nz`
}

const recipientNumbers = {
  NZ: ['64215550101', '64275550102', '61491570156'],
  AU: ['61491570156', '61491570157', '61293744000'],
}

export const subscriber = once(async (world) => {
  const customer = await makeSubscriber(world, { card: true, plan: 'plan-90-25gb' })
  const { iccid } = customer.service.sim
  await addSimUsage(world, { iccid, type: 'data', amount: 6_600 })
  for (const [index, destination] of recipientNumbers[world.deps.market.code].entries()) {
    await addSimUsage(world, { iccid, type: 'voice', amount: 75 + 3_599 * index, destination })
    await addSimUsage(world, { iccid, type: 'sms', amount: 1, destination })
  }
  return customer
})

export const aYear = once(async (world) => {
  const customer = await makeSubscriber(world, { card: true, plan: 'plan-90-25gb' })
  const used = [9_200, 13_000, 11_400, 10_100, null, 9_800, 12_000, 12_600, 10_900, 9_400, 11_000]
  await addPastCycles(
    world,
    customer.service.id,
    used.map((usedMb) => ({ usedMb })),
  )
  return customer
})

export const heavyUser = once(async (world) => {
  const customer = await makeSubscriber(world, {
    services: 3,
    plan: 'plan-365-60gb',
    first_name: longFirstName,
    last_name: longLastName,
  })
  for (const product of [
    'extra-500mb',
    'extra-2gb',
    'extra-10gb',
    'calls-100',
    'texts-100',
    world.deps.market.code === 'NZ' ? 'roam-au-7' : 'roam-nz-7',
    'roam-pacific-14',
    'roam-world-30',
  ]) {
    await buyAddOn(world, customer.visitor, customer.service, { product })
  }
  await world.db.updateTable('users').set({ email: createLongEmail() }).where('id', '=', customer.id).execute()
  return customer
})

export const customerWithoutCard = once((world) => makeSubscriber(world))

export const customerWithoutService = once((world) => makeCustomer(world))

export const customerWithExpiredPlan = once(async (world) => {
  const customer = await makeSubscriber(world, { card: true })
  const oneDayAgo = new Date(world.deps.clock.now().epochMilliseconds - 86_400_000)
  await world.db
    .updateTable('schedules')
    .set({ expires_at: oneDayAgo })
    .where('service_id', '=', customer.service.id)
    .execute()
  return customer
})

export const portingCustomer = once(async (world) => {
  const customer = await makeSubscriber(world)
  const { status } = await customer.visitor.post(
    `/api/services/port/${customer.service.id}/`,
    portForm(await newPortableNumber(world, 'played')),
  )
  if (status !== 200) throw new Error(`the transfer was answered ${status}`)
  return customer
})

/**
 * Two visitors in the activation wizard: one has yet to choose a plan, the other has yet to pay. Neither of them submits anything, so any
 * number of screens may share them.
 */
export const visitorChoosingPlan = once((world) => advanceWizardTo(world, 'METHOD_ENTERED'))
export const payingVisitor = once((world) =>
  advanceWizardTo(world, 'PAYMENT', { plan: 'plan-90-25gb', port: buildPortForm(world) }),
)

export const createNoOwner = async (): Promise<null> => null

export const voucher = once((world) => world.newVoucher('plan-90-25gb'))

export const backdatePasswordEntry = ({ world }: Stage, { id }: Customer) =>
  world.db
    .updateTable('sessions')
    .set({ authenticated_at: new Date(Date.now() - 2 * 86_400_000) })
    .where('user_id', '=', id)
    .execute()

export const createWizardVisitor = (
  state: Parameters<typeof advanceWizardTo>[1],
  answersIn: (world: World) => WizardInputs = () => ({}),
) => once((world) => advanceWizardTo(world, state, answersIn(world)))
