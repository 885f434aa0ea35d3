import { clearFailures, failGateway } from './simulators.ts'
import type { Answer } from './visitor.ts'
import type { World } from './world.ts'

/**
 * Presses while the gateway's answer gets lost, so that the money is reserved and the payment is in doubt. It stays in doubt until the
 * test resumes it. No worker asks again within the hour, so the test has as long as it needs. Other failures are cleared.
 */
export async function loseResponseTo(world: World, press: () => Promise<Answer>): Promise<Answer> {
  await failGateway(world, { operation: 'authorise', kind: 'lost_answer', times: 1000 })
  const answer = await press()
  await setWorkerWake(world, 1, answer.body.order_code)
  await clearFailures(world)
  return answer
}

/** Sets when a worker returns to an order by itself. `hours` may be negative. */
export async function setWorkerWake({ db }: World, hours: number, orderCode: string): Promise<void> {
  await db
    .updateTable('orders')
    .set({ retry_at: new Date(Date.now() + hours * 3_600_000) })
    .where('order_code', '=', orderCode)
    .execute()
}
