import type { Activation } from '#features/activation/activation.contract.ts'
import type { SimBehaviour } from '#demo/tables.ts'
import { activateThroughFailures } from './activate-through-failures.ts'
import { portForm, advanceWizardTo } from './activation-journey.ts'
import type { KillTestWorld } from './kill-test-world.ts'
import { type KillMoment, runThroughKills } from './kill-moments.ts'
import type { Ledgers } from './ledgers.ts'
import { pollUntil } from './poll-until.ts'

export type Life = {
  moments: KillMoment[]
  behaviour?: SimBehaviour
  answers?: 'port' | 'voucher'
  holder?: string
  before?(): void
  state?: Activation['state']
  gateway: Partial<Ledgers['gateway'][number]>[]
  network: string[]
}

export const paid = [{ authorised: 2200, captured: 2200, refunded: 0, cancelled: 0 }]
export const releasedPayments = [{ authorised: 2200, captured: 0, cancelled: 2200 }]
export const activationActions = ['activate completed', 'add_plan completed']

export async function waitForEmails(
  world: KillTestWorld,
  email: string,
  orderCode: string | null,
  wanted = 1,
): Promise<number> {
  const ours = async () => (await world.mailTo(email)).filter(({ text }) => text.includes(orderCode ?? '')).length
  await pollUntil(async () => (await ours()) >= wanted, { withinMs: 60_000 })
  return ours()
}

export function getProviderRecords(
  world: KillTestWorld,
  orderCode: string | null,
): { gateway: Ledgers['gateway']; network: string[] } {
  const { gateway, network } = world.ledgers()
  return {
    gateway: gateway.filter(({ reference }) => reference.startsWith(`${orderCode}-`)),
    // Ignore the state of a number transfer, because a transfer carries on after its order has ended.
    network: network
      .filter(({ external_id }) => external_id.startsWith(`${orderCode}-`))
      .map(({ action, state }) => `${action} ${action === 'port_in' ? '…' : state}`),
  }
}

export async function live(world: KillTestWorld, { moments, answers, behaviour, holder, before }: Life) {
  before?.()
  const wizardVisitor = await advanceWizardTo(world, 'PAYMENT', {
    ...(behaviour && { behaviour }),
    ...(answers === 'voucher' && { voucher: await world.newVoucher() }),
    ...(answers === 'port' && { port: portForm('027 555 0111') }),
  })
  const { state, order_code: orderCode } = await runThroughKills(world, moments, () =>
    activateThroughFailures(wizardVisitor, { ...(holder && { holder }) }),
  )
  const mails = await waitForEmails(world, wizardVisitor.email, orderCode, getExpectedEmailCount(state))
  return { state, mails, ...getProviderRecords(world, orderCode) }
}

export const endOf = ({ state = 'SUCCESSFUL', gateway, network }: Life) => ({
  state,
  mails: getExpectedEmailCount(state),
  gateway,
  network,
})

const getExpectedEmailCount = (state: Activation['state']): number => (state === 'SUCCESSFUL' ? 1 : 0)
