import { pages } from '#app/pages.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { newEmail, type Visitor } from '#quality/support/visitor.ts'
import { type Attempt, runAttempts, waitUntilIdle } from '../run-attempts.ts'
import { acceptAnyAnswer, expectStatus } from '../answer-checks.ts'
import type { AttackContext } from '../attack-context.ts'
import { headersOf } from '../send.ts'
import { mark, markup } from '../malicious-texts.ts'

export async function attackCallbacks(scene: AttackContext): Promise<void> {
  const { reference } = await scene.world.db
    .selectFrom('payment_attempts')
    .innerJoin('orders', 'orders.id', 'payment_attempts.order_id')
    .select('reference')
    .where('orders.user_id', '=', scene.cast.victim.id)
    .executeTakeFirstOrThrow()
  const item = (eventCode: string, hmacSignature: unknown) => ({
    NotificationRequestItem: {
      eventCode,
      success: 'false',
      merchantAccountCode: 'FantailTest',
      merchantReference: reference,
      pspReference: 'A'.repeat(16),
      originalReference: 'A'.repeat(16),
      amount: { value: 1, currency: 'NZD' },
      reason: markup,
      additionalData: { hmacSignature },
    },
  })
  const post = (path: string, body: unknown, what: string, ...codes: number[]): Attempt => ({
    what,
    request: { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    expected: expectStatus(...codes),
  })
  const attempts = ['AUTHORISATION', 'CAPTURE', 'CAPTURE_FAILED', 'REFUND', 'CANCELLATION', 'CHARGEBACK'].flatMap(
    (event) => [
      post(
        cardCallbackPath,
        { notificationItems: [item(event, Buffer.alloc(32, 1).toString('base64'))] },
        `${event} with a made-up signature`,
        401,
      ),
      post(cardCallbackPath, { notificationItems: [item(event, '')] }, `${event} without a signature`, 401),
      post(cardCallbackPath, { notificationItems: [item(event, null)] }, `${event} with an unreadable signature`, 401),
    ],
  )
  await runAttempts(scene, { kind: 'callbacks', call: `POST ${cardCallbackPath}`, attempts })
  const events = ['guess', '__proto__', '%00', 'x'.repeat(3_000)].map((secret) =>
    post(
      `/callbacks/network/${secret}/`,
      { eventType: 'ServiceOrderStateChangeEvent', event: { serviceOrder: { externalId: reference } } },
      `the path ${secret.slice(0, 20)}`,
      400,
      404,
    ),
  )
  await runAttempts(scene, { kind: 'callbacks', call: 'POST /callbacks/network/:secret/', attempts: events })
}

export async function attackPages(
  scene: AttackContext,
  isWanted: (path: string) => boolean = () => true,
): Promise<void> {
  const { victim, mallory, unverified, ended, stranger } = scene.cast
  const otherCustomer = await stranger()
  const paths = pages
    .flatMap(({ path }) => (typeof path === 'string' ? [path] : []))
    .concat(`/services/renew/${victim.has['schedule']}/`, '/nowhere/')
  const fillPath = (path: string, word?: string) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(word ?? victim.has[name] ?? 'FT0000000000'))
  const look = (what: string, path: string, visitor: Visitor): Attempt => ({
    what,
    request: { method: 'GET', path, headers: headersOf(visitor, { token: false }) },
    expected: acceptAnyAnswer,
  })
  for (const path of paths.filter(isWanted)) {
    const visitorsByName: [string, Visitor][] = [
      ['a stranger', otherCustomer],
      ['before they confirmed their address', unverified.visitor],
      ...ended.slice(0, 1),
      ['another customer', mallory.visitor],
    ]
    const query = `?next=//evil.example/&token=${encodeURIComponent(markup)}&${mark}=${encodeURIComponent('a\r\nset-cookie: a=1')}`
    const hasParameters = path.includes(':')
    await runAttempts(scene, {
      kind: 'page',
      call: `GET ${path}`,
      attempts: [
        ...visitorsByName.map(([who, visitor]) => look(who, fillPath(path), visitor)),
        look('a query', fillPath(path) + query, otherCustomer),
        ...(hasParameters
          ? [
              look('markup in the path', fillPath(path, markup), mallory.visitor),
              look('an address elsewhere in the path', fillPath(path, '//evil.example/'), otherCustomer),
            ]
          : []),
      ],
    })
  }
  const redirectAttempts = [
    '//evil.example/',
    '/\\evil.example/',
    '/.//evil.example',
    '/%2f%2fevil.example/',
    '/login/?next=https://evil.example/',
  ].map((path) => look(`the address ${path}`, path, otherCustomer))
  await runAttempts(scene, { kind: 'page', call: 'GET with the address of another site', attempts: redirectAttempts })
}

export async function attackSharedAddress(scene: AttackContext): Promise<void> {
  const { world, tries } = scene
  const [email, theirs, own] = [newEmail(), 'korimako of mallory 1', 'kereru of vera 2']
  const first = await activate(world, { email, password: theirs, voucher: await world.newVoucher() })
  const secondActivation = await activate(world, { email, password: own, voucher: await world.newVoucher() })
  await waitUntilIdle(scene)
  const services = await world.db
    .selectFrom('services')
    .innerJoin('users', 'users.id', 'services.user_id')
    .select(['services.msisdn', 'users.id', 'users.password_hash'])
    .where('users.email', '=', email)
    .execute()
  const findServiceByMsisdn = (msisdn: string) => services.find((service) => service.msisdn === msisdn)?.id
  const find = (fault: string) =>
    tries.find({
      kind: 'claims',
      call: 'POST /api/activate/pay/',
      what: 'an address that another person gave first',
      fault,
    })
  tries.count('claims')
  if (findServiceByMsisdn(first.sim.msisdn) === findServiceByMsisdn(secondActivation.sim.msisdn))
    find('puts the second’s service into the first’s account')
  tries.count('claims')
  const { status } = await world.visitor().post('/api/account/login/', { username: email, password: own })
  if (status !== 200) find(`keeps the second out: ${status}`)
}
