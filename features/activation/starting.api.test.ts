import { expect, test } from 'vitest'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { failNetwork, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import type { Activation } from './activation.contract.ts'

const world = useWorld()

test.each(['card', 'voucher'] as const)(
  'an activation paid by %s has not started yet when the payment request is answered',
  async (by) => {
    // Hold the webhook back, because it could advance the activation before the payment request has been answered.
    await setWebhookMode(world(), { mode: 'hold' })
    const voucher = by === 'voucher' ? { voucher: await world().newVoucher() } : {}
    const { pay } = await advanceWizardTo(world(), 'PAYMENT', voucher)
    expect(await pay()).toMatchObject({ status: 200, body: { state: 'ACTIVATING', activation_state: 'NOT_STARTED' } })
    await setWebhookMode(world(), { mode: 'normal', release: true })
  },
)

test('reports an activation as started only after the network has received the order', { tags: ['slow'] }, async () => {
  const { visitor, pay } = await advanceWizardTo(world(), 'PAYMENT', { behaviour: 'slow' })
  await failNetwork(world(), { operation: 'activate', kind: 'error_500', times: 4 })
  await pay()
  const hasIt = async (code: string | null) =>
    (await world().ledgers()).network.some(({ external_id }) => external_id.startsWith(`${code}-`))
  const seen: { stage: Activation['activation_state']; isThere: boolean }[] = []
  await pollUntil(async () => {
    const { body } = await visitor.get('/api/activate/activate/')
    const { state, activation_state: stage, order_code } = body as Activation
    if (state === 'ACTIVATING' && seen.at(-1)?.stage !== stage) seen.push({ stage, isThere: await hasIt(order_code) })
    return state === 'SUCCESSFUL'
  })
  expect(seen.slice(0, 2)).toMatchObject([{ stage: 'NOT_STARTED' }, { stage: 'ACTIVATING_SIM', isThere: true }])
})
