import type { Endpoint } from '#kit/contract/endpoint.ts'
import { sendWithoutLimits, waitUntilIdle } from '../run-attempts.ts'
import { buildRequest } from '../attack-request.ts'
import type { ValidRequest } from '../example.ts'
import { findExample } from '../examples.ts'
import { findResponseFaults, findSecretsInLog, findSecretsInRows } from '../answer-checks.ts'
import { isWriteCall, nameOf, type AttackContext } from '../attack-context.ts'
import { type Answer, send } from '../send.ts'
import { takeRowChanges } from '../row-changes.ts'
import { mark } from '../malicious-texts.ts'

const sum = (scene: AttackContext) => async () => {
  const { gateway, network } = await scene.world.ledgers()
  const { count } = await scene.world.db
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return {
    authorisations: gateway.filter(({ cancelled }) => cancelled === 0).length,
    operations: network.length,
    orders: Number(count),
  }
}

/** Sends a valid request several times in parallel with the same idempotency key, and then once more. It must take effect only once. */
export async function attackConcurrently(scene: AttackContext, endpoint: Endpoint, right: ValidRequest): Promise<void> {
  if (!isWriteCall(endpoint)) return
  const [{ world, tries }, call, books] = [scene, nameOf(endpoint), sum(scene)]
  const request = buildRequest(endpoint, right, { headers: { 'idempotency-key': crypto.randomUUID() } })
  const find = (kind: string, fault: string) => tries.find({ kind, call, what: 'the same under the same key', fault })
  const judge = (kind: string, answers: Answer[]) => {
    for (const answer of answers) for (const fault of findResponseFaults(scene, request, answer)) find(kind, fault)
  }
  const previousRecords = await books()
  await world.db.deleteFrom('rate_limits').execute()
  const answers = await Promise.all(Array.from({ length: scene.long ? 16 : 8 }, () => send(world.url, request)))
  answers.forEach(() => tries.count('at once'))
  judge('at once', answers)
  if (!answers.some(({ status }) => status < 300))
    find(
      'at once',
      `is refused for every caller, so its example is wrong: ${answers[0]?.status} ${answers[0]?.body.slice(0, 160)}`,
    )
  await waitUntilIdle(scene)
  const once = await books()
  if (once.orders - previousRecords.orders > 1) find('at once', `made ${once.orders - previousRecords.orders} orders`)
  if (once.authorisations - previousRecords.authorisations > 1)
    find('at once', `was authorised ${once.authorisations - previousRecords.authorisations} times`)

  const [again, others] = [await sendWithoutLimits(scene, request), findExample(endpoint)]
  tries.count('replay')
  judge('replay', [again])
  await waitUntilIdle(scene)
  const twice = await books()
  for (const what of ['authorisations', 'operations', 'orders'] as const)
    if (twice[what] > once[what])
      find('replay', `made ${twice[what] - once[what]} more ${what}${others.bearer ? ' of a link' : ''}`)
}

export async function attackWithUnknownFields(
  scene: AttackContext,
  endpoint: Endpoint,
  right: ValidRequest,
): Promise<void> {
  if (!endpoint.body || endpoint.method === 'GET') return
  const { world, tries, cast } = scene
  const [kind, call] = ['unknown field', nameOf(endpoint)]
  const taken = {
    user_id: cast.victim.id,
    userId: cast.victim.id,
    email_verified_at: '2026-01-01T00:00:00Z',
    verified: true,
    email_verified: true,
    is_admin: true,
    role: mark,
    status: mark,
    state: mark,
    amount: 7,
    amount_cents: 7,
    total_price: '0.07',
    balance_due: '0.07',
    discount: '0.07',
    currency: 'XXX',
    order_id: cast.victim.has['orderId'],
    shopper_reference: mark,
    made_by_order: cast.victim.has['orderId'],
  }
  // Fantail stops at the first rejected field, so send each group of unknown fields separately.
  for (const [what, more] of Object.entries({ price: { price: '0.07' }, 'what our tables have': taken })) {
    const unknownFields = Object.fromEntries(Object.entries(more).filter(([name]) => !(name in (right.body ?? {}))))
    const request = buildRequest(endpoint, right, { body: { ...right.body, ...unknownFields } })
    tries.count(kind)
    const answer = await sendWithoutLimits(scene, request)
    await waitUntilIdle(scene)
    const changes = await takeRowChanges(world)
    const price = changes.filter(
      ({ table, row }) =>
        ['orders', 'payment_attempts', 'activations'].includes(table) &&
        /"(?:amount|total|price)\w*": "?(?:7|0\.07)"?[,}]/.test(row),
    )
    const held = changes.filter(
      ({ row, table }) => row.includes(mark) || (table !== 'messages' && row.includes(cast.victim.id)),
    )
    const faults = [
      ...findResponseFaults(scene, request, answer),
      ...findSecretsInRows(cast, changes),
      ...findSecretsInLog(cast),
      ...[...price, ...held].map(({ table, row }) => `was honoured in ${table}: ${row.slice(0, 160)}`),
    ]
    for (const fault of faults) tries.find({ kind, call, what, fault })
  }
}

export async function attackWithGuesses(scene: AttackContext, endpoint: Endpoint): Promise<void> {
  const { guesses } = findExample(endpoint)
  if (!guesses) return
  const { world, tries } = scene
  const [kind, call, visitor] = ['guesses', nameOf(endpoint), await guesses.who(scene)]
  await world.db.deleteFrom('rate_limits').execute()
  await world.db.deleteFrom('refused_payments').execute()
  for (let at = 0; at < guesses.most; at++) {
    tries.count(kind)
    const request = buildRequest(endpoint, { visitor, ...guesses.call(scene, at) })
    const answer = await send(world.url, request)
    for (const fault of findResponseFaults(scene, request, answer)) tries.find({ kind, call, what: 'a guess', fault })
    if (answer.status === 429 || answer.status === 409) return
  }
  tries.find({ kind, call, what: 'guesses', fault: `were not stopped after ${guesses.most}` })
}
