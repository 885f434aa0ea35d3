/* @module-tag slow */
import { afterEach, describe, expect, test } from 'vitest'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import {
  clearFailures,
  failNetwork,
  readProviderRecords,
  readNetworkActions,
  type NetworkFailure,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
afterEach(() => clearFailures(world()))

const stateOf = async (code: string) =>
  (await world().db.selectFrom('orders').select('state').where('order_code', '=', code).executeTakeFirstOrThrow()).state
const tasksOf = async (code: string) =>
  (
    await world()
      .db.selectFrom('operator_tasks')
      .innerJoin('orders', 'orders.id', 'operator_tasks.order_id')
      .select(['operator_tasks.kind', 'operator_tasks.reason'])
      .where('order_code', '=', code)
      .where('operator_tasks.done_at', 'is', null)
      .execute()
  ).map(({ kind, reason }) => `${kind}: ${reason}`)

async function payWhile(kind: NetworkFailure['kind'], reads = 1_000) {
  await failNetwork(world(), { operation: 'activate', kind })
  if (reads > 0) await failNetwork(world(), { operation: 'read', kind, times: reads })
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  expect((await traveller.pay()).status).toBe(200)
  const { order_code: code } = await world()
    .db.selectFrom('orders')
    .select('order_code')
    .where('email', '=', traveller.email)
    .executeTakeFirstOrThrow()
  return { traveller, code }
}

describe('unusable network responses about an activation', () => {
  test.each([
    [
      'names_other_sim',
      /network: The network’s order \w+-sim-1 names a different SIM or number \(SIM ending 9042 instead of \d{4}\)/,
    ],
    [
      'names_other_number',
      /network: The network’s order \w+-sim-1 names a different SIM or number \(number ending 9042 instead of \d{4}\)/,
    ],
    ['says_unheard_of', /network: The network’s order \w+-sim-1 is in the state “marinating”/],
  ] as const)(
    'the network response %s activates nothing and creates one task, which is closed after a correct response',
    async (kind, task) => {
      const { traveller, code } = await payWhile(kind)
      await pollUntil(async () => (await tasksOf(code)).length > 0)
      await pollUntil(async () => {
        const { tries } = await world()
          .db.selectFrom('orders')
          .select('tries')
          .where('order_code', '=', code)
          .executeTakeFirstOrThrow()
        return tries >= 3
      })
      expect(await stateOf(code)).toBe('activating_sim')
      expect((await readProviderRecords(world(), code)).gateway).toMatchObject([{ captured: 0, cancelled: 0 }])
      expect(await tasksOf(code)).toEqual([expect.stringMatching(task)])

      await clearFailures(world())
      await traveller.arriveAt('SUCCESSFUL')
      expect((await readProviderRecords(world(), code)).gateway).toMatchObject([{ captured: 2200, cancelled: 0 }])
      expect(await tasksOf(code)).toEqual([])
    },
  )

  test('if the network reports an activation first as failed and then as not failed, it is completed and a task is created', async () => {
    const { traveller, code } = await payWhile('says_failed', 0)
    await traveller.arriveAt('SUCCESSFUL')
    expect(await readNetworkActions(world(), code)).toEqual(['activate completed', 'add_plan completed'])
    expect(await tasksOf(code)).toEqual([expect.stringContaining('had failed, and later that it had not')])
  })
})
