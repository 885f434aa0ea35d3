import { hashToken } from '#kit/server/secrets.ts'
import { wasPaid } from '#features/orders/orders.states.ts'
import { untilQuiet } from '../attempt.ts'
import { requestTo } from '../call.ts'
import { exampleOf, rightCall } from '../examples.ts'
import { stage } from '../plant.ts'
import { changesSomething, nameOf, type Scene } from '../scene.ts'
import { send } from '../send.ts'

export const admittedFirst = 'admitted first'

/**
 * Makes every call that an anonymous visitor can make. Afterwards overload protection may know the visitor's browser only if they are
 * logged in or have paid for an activation.
 * @param only the path of the one call to try; all of them without it
 */
export async function onAdmission(scene: Scene, only?: string): Promise<void> {
  const { world, tries, endpoints } = scene
  const calls = endpoints.filter((endpoint) => {
    const { who, right } = exampleOf(endpoint)
    const isAnonymous = right && (who === 'anyone' || who === 'session')
    return isAnonymous && changesSomething(endpoint) && (!only || endpoint.path === only)
  })
  for (const endpoint of calls) {
    const right = await rightCall(scene, endpoint)
    tries.count(admittedFirst)
    await send(world.url, requestTo(endpoint, right))
    await untilQuiet(scene)
    // A browser's next call updates the list of known browsers.
    await right.visitor.get('/api/account/')
    const cookie = right.visitor.cookie('fantail')
    if (stage.known?.has(cookie) && !(await mayBeKnown(scene, cookie)))
      tries.find({
        kind: admittedFirst,
        call: nameOf(endpoint),
        what: 'by an anonymous visitor',
        fault: 'makes the browser known to overload protection',
      })
  }
}

async function mayBeKnown({ world: { db } }: Scene, cookie = ''): Promise<boolean> {
  const rows = await db
    .selectFrom('sessions')
    .leftJoin('orders', 'orders.session_id', 'sessions.id')
    .select(['sessions.user_id', 'orders.state'])
    .where('sessions.token_hash', '=', hashToken(cookie.split('.')[0] ?? ''))
    .execute()
  return rows.some(({ user_id: userId, state }) => userId !== null || (state !== null && wasPaid(state)))
}
