import { type Endpoint, buildPath } from '#kit/contract/endpoint.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import { sendOversizedBody } from '#quality/support/send-oversized.ts'
import { nameOf, paramsOf, type AttackContext } from '../attack-context.ts'
import { headersOf } from '../send.ts'
import type { AttackLog } from '../attack-log.ts'

const megabyte = 1024 * 1024
/**
 * When a body never ends, the server must respond before it has received this many bytes above the limit. The margin allows for delays in
 * the test's own thread.
 */
const maxBytesOverLimit = 16 * megabyte

export async function attackWithOversizedBodies(scene: AttackContext, endpoint: Endpoint): Promise<void> {
  if (endpoint.method === 'GET') return
  const params = Object.fromEntries(paramsOf(endpoint).map((name) => [name, 'text']))
  const visitor = await scene.cast.stranger()
  await sendOversizedBodies(scene.tries, {
    origin: scene.world.url,
    call: nameOf(endpoint),
    method: endpoint.method,
    path: buildPath(endpoint, params),
    headers: { ...headersOf(visitor), 'content-type': 'application/json' },
  })
}

export async function attackWithOversizedCallbacks({ world, cast, tries }: AttackContext): Promise<void> {
  const headers = { ...headersOf(await cast.stranger()), 'content-type': 'application/json' }
  for (const path of [cardCallbackPath, '/callbacks/network/guess/', '/nowhere/'])
    await sendOversizedBodies(tries, { origin: world.url, call: `POST ${path}`, method: 'POST', path, headers })
}

type Upload = {
  origin: string
  call: string
  method: string
  path: string
  headers: Record<string, string>
  start?: string
  /** The largest body, in bytes, that the endpoint accepts. Defaults to the usual limit. */
  bound?: number
}

export async function sendOversizedBodies(
  tries: AttackLog,
  { origin, call, bound = 0, ...upload }: Upload,
): Promise<void> {
  for (const [kind, length] of [
    ['too long by its length', bound + 2 * megabyte],
    ['endless', 'chunked'],
  ] as const) {
    tries.count(kind)
    const { status, isReset, sentBytes } = await sendOversizedBody(origin, { ...upload, length })
    const find = (fault: string) => tries.find({ kind, call, what: 'a body above the bound', fault })
    if (status !== 413) find(`was answered ${status}`)
    if (isReset) find('was reset')
    if (sentBytes > bound + maxBytesOverLimit) find(`was read for ${Math.round(sentBytes / megabyte)} MB`)
  }
}
