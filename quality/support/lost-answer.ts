import { clearFailures, failGateway } from './simulators.ts'
import type { Answer } from './visitor.ts'
import type { World } from './world.ts'

/**
 * Presses, and the gateway's answer is lost: the money is reserved, and the payment in doubt. It stays so until the test resumes it:
 * no worker asks again within the hour, so that a test can look for as long as it takes. Other failures are called off.
 */
export async function loseAnswerTo(world: World, press: () => Promise<Answer>): Promise<Answer> {
  await failGateway(world, { operation: 'authorise', kind: 'lost_answer', times: 1000 })
  const answer = await press()
  await wakeWorkerIn(world, 1, answer.body.order_code)
  await clearFailures(world)
  return answer
}

/** When a worker comes back to an order by itself: `hours` may be less than none. */
export async function wakeWorkerIn({ db }: World, hours: number, orderCode: string): Promise<void> {
  await db
    .updateTable('orders')
    .set({ retry_at: new Date(Date.now() + hours * 3_600_000) })
    .where('order_code', '=', orderCode)
    .execute()
}
