import { countUse } from '#kit/server/limits.ts'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { loginsOfAddress } from '#features/auth/server/login-limits.ts'
import { claimAddress, type Claim } from '#quality/support/claimed-address.ts'
import { enterAs, makeCustomer } from '#quality/support/customer.ts'
import { travelTo } from '#quality/support/journey.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { untilQuiet } from '../attempt.ts'
import { requestTo } from '../call.ts'
import type { Right } from '../example.ts'
import { exampleOf, rightCall } from '../examples.ts'
import { changesSomething, fieldsOf, nameOf, type Scene } from '../scene.ts'
import { type Answer, send } from '../send.ts'

export const guessesByKnownBrowser = 'guesses by a known browser'
export const oldProofs = 'old proofs'
export const mailFlood = 'mails to one address'

const maxMailsPerHour = 12
const requests = 18
const emailField = /^(?:username|email|new_email)$/

async function exhaustLogins({ world: { db } }: Scene, email: string): Promise<void> {
  await db.deleteFrom('rate_limits').execute()
  const accounts = await db.selectFrom('users').selectAll().where('email', '=', email).execute()
  for (let use = 0; use < 100; use++) await countUse(db, [loginsOfAddress(email, accounts)])
}

const logIn = (visitor: Visitor, username: string, password: string) =>
  visitor.post('/api/account/login/', { username, password })

async function browserWith({ cast }: Scene, device: string): Promise<Visitor> {
  const visitor = await cast.stranger()
  visitor.setCookie('fantail_device', device)
  return visitor
}

const deviceOf = async ({ world }: Scene, { id }: { id: string }): Promise<string> =>
  (await enterAs(world, id)).cookie('fantail_device') ?? ''

/**
 * Makes every public call that takes an email address and a password, with the owner's right password, in a browser known to a stranger's
 * account with the same address. Once the ordinary limits are used up, the call reveals nothing and opens nothing.
 */
export async function onKnownBrowsers(scene: Scene): Promise<void> {
  const { world, tries, endpoints } = scene
  const owner = await makeCustomer(world)
  const device = await deviceOf(scene, await claimAddress(world, owner.email))
  const calls = endpoints.filter(({ body }) => {
    const fields = fieldsOf(body)
    return fields.includes('password') && fields.some((field) => emailField.test(field))
  })
  for (const endpoint of calls) {
    const visitor = await visitorFor(scene, endpoint, device)
    const fields = fieldsOf(endpoint.body).filter((field) => emailField.test(field))
    const address = Object.fromEntries(fields.map((field) => [field, owner.email]))
    const body = { ...(await rightCall(scene, endpoint)).body, ...address, password: owner.password }
    await exhaustLogins(scene, owner.email)
    tries.count(guessesByKnownBrowser)
    const answer = await send(world.url, requestTo(endpoint, { visitor, body }))
    if (answer.status < 300 && (await isOpened(scene, answer, owner.id)))
      tries.find({
        kind: guessesByKnownBrowser,
        call: nameOf(endpoint),
        what: 'the owner’s password in a stranger’s known browser',
        fault: 'was compared after the limits were used up',
      })
  }
}

const visitorFor = async (scene: Scene, endpoint: Endpoint, device: string): Promise<Visitor> => {
  if (exampleOf(endpoint).who === 'anyone') return browserWith(scene, device)
  const { visitor } = await travelTo(scene.world, 'CREATED')
  visitor.setCookie('fantail_device', device)
  return visitor
}

async function isOpened({ world: { db } }: Scene, { body }: Answer, ownerId: string): Promise<boolean> {
  const joined = await db.selectFrom('activations').select('id').where('joins_user_id', '=', ownerId).execute()
  return body.includes('"email_verified":true') || joined.length > 0
}

export async function onOldProofs(scene: Scene): Promise<void> {
  const { world, tries, endpoints } = scene
  const calls = endpoints.filter(
    ({ body, path }) => fieldsOf(body).includes('password_confirm') || path.includes('end_other'),
  )
  for (const endpoint of calls) {
    const right = await rightCall(scene, endpoint)
    const account = await accountOf(scene, right)
    const other = await enterAs(world, account.id)
    tries.count(oldProofs)
    const { status } = await send(world.url, requestTo(endpoint, right))
    const find = (fault: string) =>
      tries.find({ kind: oldProofs, call: nameOf(endpoint), what: 'another browser of the account', fault })
    if (status >= 300) find(`could not be tried: ${status}`)
    if ((await other.get('/api/account/')).body.authenticated) find('is still logged in')
    await exhaustLogins(scene, account.email)
    const known = await browserWith(scene, other.cookie('fantail_device') ?? '')
    if ((await logIn(known, account.email, passwordAfter(right))).status !== 429) find('is still known')
  }
}

async function accountOf({ world: { db } }: Scene, { params, visitor }: Right): Promise<{ id: string; email: string }> {
  const of = db.selectFrom('users').select(['id', 'email'])
  const uid = params?.['uid']
  if (uid) return of.where('id', '=', Buffer.from(uid, 'base64url').toString()).executeTakeFirstOrThrow()
  const { body } = await visitor.get('/api/account/')
  return of.where('email', '=', body.user.email).executeTakeFirstOrThrow()
}

function passwordAfter({ body = {} }: Right): string {
  const { new_password: changed, password } = body as Record<string, string | undefined>
  return changed ?? password ?? 'korimako1'
}

export async function onMailFloods(scene: Scene): Promise<void> {
  const { endpoints } = scene
  const calls = endpoints.filter(
    (endpoint) =>
      changesSomething(endpoint) &&
      (/resend|reset_request/.test(endpoint.path) || fieldsOf(endpoint.body).includes('new_email')),
  )
  for (const endpoint of calls) await floodBy(scene, endpoint)
}

async function floodBy(scene: Scene, endpoint: Endpoint): Promise<void> {
  const { world, tries } = scene
  const right = await rightCall(scene, endpoint)
  const email = (right.body as { email?: string } | undefined)?.email
  const claim: Claim | null = email ? await claimAddress(world, email) : null
  await untilQuiet(scene)
  await world.db.deleteFrom('rate_limits').execute()
  const before = await messagesByRecipient(scene)
  for (let time = 0; time < requests; time++) {
    const visitor = claim ? await browserWith(scene, await deviceOf(scene, claim)) : right.visitor
    const headers = { 'x-forwarded-for': `198.51.100.${time}` }
    tries.count(mailFlood)
    await send(world.url, requestTo(endpoint, right, { visitor, headers }))
  }
  await untilQuiet(scene)
  for (const [recipient, count] of await messagesByRecipient(scene)) {
    const sent = count - (before.get(recipient) ?? 0)
    if (sent > maxMailsPerHour)
      tries.find({
        kind: mailFlood,
        call: nameOf(endpoint),
        what: `${requests} requests`,
        fault: `sent ${sent} messages`,
      })
  }
}

async function messagesByRecipient({ world: { db } }: Scene): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('messages')
    .select(({ fn }) => ['recipient', fn.countAll<string>().as('count')])
    .groupBy('recipient')
    .execute()
  return new Map(rows.map(({ recipient, count }) => [recipient, Number(count)]))
}
