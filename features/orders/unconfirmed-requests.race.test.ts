import { expect, test } from 'vitest'
import { activate } from '#quality/support/activation-journey.ts'
import { failGateway, readProviderRecords, sendNotification } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { repeatGatewayRequest, processDueRequests } from './server/unconfirmed-requests.ts'

const world = useWorld({ thresholds: { notificationTransitMs: 0 } })

const callsOf = (orderCode: string) =>
  world().db.selectFrom('unconfirmed_calls').selectAll().where('payment', '=', `${orderCode}-1`).execute()
const tasksOf = (orderCode: string) =>
  world()
    .db.selectFrom('operator_tasks')
    .innerJoin('orders', 'orders.id', 'order_id')
    .select(['reason', 'done_at', 'over_at'])
    .where('order_code', '=', orderCode)
    .execute()
const inHours = (hours: number) => world().deps.clock.now().add({ hours })
const times = <T>(count: number, act: () => Promise<T>) => Promise.all(Array.from({ length: count }, act))

async function withLostFailure(): Promise<string> {
  await failGateway(world(), { operation: 'capture', kind: 'refuse_untold' })
  return (await activate(world())).orderCode
}

test('if several workers repeat the same unconfirmed capture, only one task is created', async () => {
  const orderCode = await withLostFailure()
  let asked = 0
  const { card } = world().deps
  const counting = {
    ...world().deps,
    card: {
      ...card,
      capture(modification: Parameters<typeof card.capture>[0]) {
        asked++
        return card.capture(modification)
      },
    },
  }
  // One of these runs queues the job, so the test server's own workers repeat the request as well.
  await times(10, () => processDueRequests(counting, inHours(2)))
  const [call] = await callsOf(orderCode)
  expect(call).toMatchObject({ step: 'report', tries: 0 })
  await times(10, () => repeatGatewayRequest(counting, call?.id ?? ''))
  await pollUntil(async () => (await callsOf(orderCode))[0]?.retry_at === null)
  const before = asked
  await times(10, () => repeatGatewayRequest(counting, call?.id ?? ''))
  expect(asked).toBe(before)
  await times(10, () => processDueRequests(counting, inHours(26)))
  expect(await tasksOf(orderCode)).toHaveLength(1)
  expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ captured: 0 }])
})

test('if a capture is confirmed while workers are repeating it, no unconfirmed request and no open task remain', async () => {
  for (let round = 0; round < 8; round++) {
    const orderCode = await withLostFailure()
    const amount = { value: 2200, currency: 'NZD' }
    const tell = () => sendNotification(world(), { eventCode: 'CAPTURE', merchantReference: `${orderCode}-1`, amount })
    const [call] = await callsOf(orderCode)
    await Promise.all([
      times(3, () => processDueRequests(world().deps, inHours(26))),
      tell(),
      times(3, () => repeatGatewayRequest(world().deps, call?.id ?? '')),
      times(3, () => processDueRequests(world().deps, inHours(26))),
    ])
    expect(await callsOf(orderCode)).toEqual([])
    expect((await tasksOf(orderCode)).filter(({ over_at: over }) => over === null)).toEqual([])
  }
})
