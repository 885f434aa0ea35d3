import { hashToken } from '#kit/server/secrets.ts'
import { wasPaid } from '#features/orders/orders.states.ts'
import { waitUntilIdle } from '../run-attempts.ts'
import { buildRequest } from '../attack-request.ts'
import { findExample, buildValidRequest } from '../examples.ts'
import { stage } from '../planted-weakness.ts'
import { isWriteCall, nameOf, type AttackContext } from '../attack-context.ts'
import { send } from '../send.ts'

export const admissionAttackKind = 'admitted first'

/**
 * Sends a request to every endpoint that lets anonymous visitors change data. Then checks that overload protection recognises the visitor's
 * browser only if the visitor is logged in or has paid for an activation.
 * @param only path of the only endpoint to try; all endpoints are tried if it is omitted
 */
export async function attackAdmissionControl(scene: AttackContext, only?: string): Promise<void> {
  const { world, tries, endpoints } = scene
  const calls = endpoints.filter((endpoint) => {
    const { who, right } = findExample(endpoint)
    const isAnonymous = right && (who === 'anyone' || who === 'session')
    return isAnonymous && isWriteCall(endpoint) && (!only || endpoint.path === only)
  })
  for (const endpoint of calls) {
    const right = await buildValidRequest(scene, endpoint)
    tries.count(admissionAttackKind)
    await send(world.url, buildRequest(endpoint, right))
    await waitUntilIdle(scene)
    // Send another request, because Fantail updates its list of known browsers only on a browser's next request.
    await right.visitor.get('/api/account/')
    const cookie = right.visitor.cookie('fantail')
    if (stage.known?.has(cookie) && !(await isLoggedInOrHasPaid(scene, cookie)))
      tries.find({
        kind: admissionAttackKind,
        call: nameOf(endpoint),
        what: 'by an anonymous visitor',
        fault: 'makes the browser known to overload protection',
      })
  }
}

async function isLoggedInOrHasPaid({ world: { db } }: AttackContext, cookie = ''): Promise<boolean> {
  const rows = await db
    .selectFrom('sessions')
    .leftJoin('orders', 'orders.session_id', 'sessions.id')
    .select(['sessions.user_id', 'orders.state'])
    .where('sessions.token_hash', '=', hashToken(cookie.split('.')[0] ?? ''))
    .execute()
  return rows.some(({ user_id: userId, state }) => userId !== null || (state !== null && wasPaid(state)))
}
