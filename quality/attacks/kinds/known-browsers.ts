import { countLimitUse } from '#kit/server/limits.ts'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { loginsPerEmailLimit } from '#features/auth/server/login-limits.ts'
import { claimAddress, type Claim } from '#quality/support/claimed-address.ts'
import { createCustomerSession, makeCustomer } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { waitUntilIdle } from '../run-attempts.ts'
import { buildRequest } from '../attack-request.ts'
import type { ValidRequest } from '../example.ts'
import { findExample, buildValidRequest } from '../examples.ts'
import { isWriteCall, fieldsOf, nameOf, type AttackContext } from '../attack-context.ts'
import { type Answer, send } from '../send.ts'

export const knownBrowserAttackKind = 'guesses by a known browser'
export const revokedSessionAttackKind = 'old proofs'
export const mailFloodAttackKind = 'mails to one address'

const maxMailsPerHour = 12
const requestCount = 18
const emailFieldPattern = /^(?:username|email|new_email)$/

async function exhaustLoginLimits({ world: { db } }: AttackContext, email: string): Promise<void> {
  await db.deleteFrom('rate_limits').execute()
  const accounts = await db.selectFrom('users').selectAll().where('email', '=', email).execute()
  for (let use = 0; use < 100; use++) await countLimitUse(db, [loginsPerEmailLimit(email, accounts)])
}

const logIn = (visitor: Visitor, username: string, password: string) =>
  visitor.post('/api/account/login/', { username, password })

async function createVisitorWithDevice({ cast }: AttackContext, device: string): Promise<Visitor> {
  const visitor = await cast.stranger()
  visitor.setCookie('fantail_device', device)
  return visitor
}

const createDeviceCookie = async ({ world }: AttackContext, { id }: { id: string }): Promise<string> =>
  (await createCustomerSession(world, id)).cookie('fantail_device') ?? ''

/**
 * Sends a request to every endpoint that takes an email address and a password. Each request has the owner's correct password, but comes
 * from a browser that is known only to a stranger's account with the same address. Once the ordinary limits are used up, the response must
 * neither reveal anything nor grant access.
 */
export async function attackFromKnownBrowsers(scene: AttackContext): Promise<void> {
  const { world, tries, endpoints } = scene
  const owner = await makeCustomer(world)
  const device = await createDeviceCookie(scene, await claimAddress(world, owner.email))
  const calls = endpoints.filter(({ body }) => {
    const fields = fieldsOf(body)
    return fields.includes('password') && fields.some((field) => emailFieldPattern.test(field))
  })
  for (const endpoint of calls) {
    const visitor = await createEndpointVisitor(scene, endpoint, device)
    const fields = fieldsOf(endpoint.body).filter((field) => emailFieldPattern.test(field))
    const address = Object.fromEntries(fields.map((field) => [field, owner.email]))
    const body = { ...(await buildValidRequest(scene, endpoint)).body, ...address, password: owner.password }
    await exhaustLoginLimits(scene, owner.email)
    tries.count(knownBrowserAttackKind)
    const answer = await send(world.url, buildRequest(endpoint, { visitor, body }))
    if (answer.status < 300 && (await hasOpenedAccount(scene, answer, owner.id)))
      tries.find({
        kind: knownBrowserAttackKind,
        call: nameOf(endpoint),
        what: 'the owner’s password in a stranger’s known browser',
        fault: 'was compared after the limits were used up',
      })
  }
}

const createEndpointVisitor = async (scene: AttackContext, endpoint: Endpoint, device: string): Promise<Visitor> => {
  if (findExample(endpoint).who === 'anyone') return createVisitorWithDevice(scene, device)
  const { visitor } = await advanceWizardTo(scene.world, 'CREATED')
  visitor.setCookie('fantail_device', device)
  return visitor
}

async function hasOpenedAccount({ world: { db } }: AttackContext, { body }: Answer, ownerId: string): Promise<boolean> {
  const joiningActivations = await db
    .selectFrom('activations')
    .select('id')
    .where('joins_user_id', '=', ownerId)
    .execute()
  return body.includes('"email_verified":true') || joiningActivations.length > 0
}

export async function attackWithRevokedSessions(scene: AttackContext): Promise<void> {
  const { world, tries, endpoints } = scene
  const calls = endpoints.filter(
    ({ body, path }) => fieldsOf(body).includes('password_confirm') || path.includes('end_other'),
  )
  for (const endpoint of calls) {
    const right = await buildValidRequest(scene, endpoint)
    const account = await findAccount(scene, right)
    const other = await createCustomerSession(world, account.id)
    tries.count(revokedSessionAttackKind)
    const { status } = await send(world.url, buildRequest(endpoint, right))
    const find = (fault: string) =>
      tries.find({
        kind: revokedSessionAttackKind,
        call: nameOf(endpoint),
        what: 'another browser of the account',
        fault,
      })
    if (status >= 300) find(`could not be tried: ${status}`)
    if ((await other.get('/api/account/')).body.authenticated) find('is still logged in')
    await exhaustLoginLimits(scene, account.email)
    const known = await createVisitorWithDevice(scene, other.cookie('fantail_device') ?? '')
    if ((await logIn(known, account.email, getResultingPassword(right))).status !== 429) find('is still known')
  }
}

async function findAccount(
  { world: { db } }: AttackContext,
  { params, visitor }: ValidRequest,
): Promise<{ id: string; email: string }> {
  const of = db.selectFrom('users').select(['id', 'email'])
  const uid = params?.['uid']
  if (uid) return of.where('id', '=', Buffer.from(uid, 'base64url').toString()).executeTakeFirstOrThrow()
  const { body } = await visitor.get('/api/account/')
  return of.where('email', '=', body.user.email).executeTakeFirstOrThrow()
}

function getResultingPassword({ body = {} }: ValidRequest): string {
  const { new_password: changed, password } = body as Record<string, string | undefined>
  return changed ?? password ?? 'korimako1'
}

export async function attackWithMailFloods(scene: AttackContext): Promise<void> {
  const { endpoints } = scene
  const calls = endpoints.filter(
    (endpoint) =>
      isWriteCall(endpoint) &&
      (/resend|reset_request/.test(endpoint.path) || fieldsOf(endpoint.body).includes('new_email')),
  )
  for (const endpoint of calls) await floodEndpointWithMails(scene, endpoint)
}

async function floodEndpointWithMails(scene: AttackContext, endpoint: Endpoint): Promise<void> {
  const { world, tries } = scene
  const right = await buildValidRequest(scene, endpoint)
  const email = (right.body as { email?: string } | undefined)?.email
  const claim: Claim | null = email ? await claimAddress(world, email) : null
  await waitUntilIdle(scene)
  await world.db.deleteFrom('rate_limits').execute()
  const previousMessageCounts = await countMessagesByRecipient(scene)
  for (let time = 0; time < requestCount; time++) {
    const visitor = claim ? await createVisitorWithDevice(scene, await createDeviceCookie(scene, claim)) : right.visitor
    const headers = { 'x-forwarded-for': `198.51.100.${time}` }
    tries.count(mailFloodAttackKind)
    await send(world.url, buildRequest(endpoint, right, { visitor, headers }))
  }
  await waitUntilIdle(scene)
  for (const [recipient, count] of await countMessagesByRecipient(scene)) {
    const sent = count - (previousMessageCounts.get(recipient) ?? 0)
    if (sent > maxMailsPerHour)
      tries.find({
        kind: mailFloodAttackKind,
        call: nameOf(endpoint),
        what: `${requestCount} requests`,
        fault: `sent ${sent} messages`,
      })
  }
}

async function countMessagesByRecipient({ world: { db } }: AttackContext): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('messages')
    .select(({ fn }) => ['recipient', fn.countAll<string>().as('count')])
    .groupBy('recipient')
    .execute()
  return new Map(rows.map(({ recipient, count }) => [recipient, Number(count)]))
}
