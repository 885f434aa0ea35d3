import { Refusal } from '#kit/server/refusal.ts'
import type { RawCall } from '#kit/server/route.ts'
import type { Db } from '#kit/server/db.ts'
import type { KindName } from './all-kinds.ts'
import type { Cast } from './cast.ts'
import { onCallbacks, onClaims, onPages } from './kinds/beside.ts'
import type { Plant } from './plant.ts'
import type { Scene } from './scene.ts'
import { mark } from './texts.ts'

/** One page is enough to find what is on all. */
const onLogin = (scene: Scene) => onPages(scene, (path) => path === '/login/')

type Attack = { call: string; kinds: KindName[]; long?: true } | ((scene: Scene) => Promise<void>)

/** A weakness, where the suite is let loose on it, and the kind of attack that has to find it. */
export type Weakness = { name: string; plant: (cast: Cast) => Plant; attack: Attack; foundBy: string }

const asOwner = (raw: RawCall, userId: string | undefined): RawCall =>
  userId ? { ...raw, visit: { ...raw.visit, user: { id: userId, emailVerified: true } } } : raw
const ownerOf = async (db: Db, service: unknown) =>
  (await db.selectFrom('services').select('user_id').where('id', '=', String(service)).executeTakeFirst())?.user_id ??
  undefined
const partsOf = (raw: RawCall) => ({
  params: raw.params as Record<string, string>,
  body: (raw.body ?? {}) as Record<string, unknown>,
})
const textsOf = (raw: RawCall): string[] =>
  Object.values(partsOf(raw).body).filter((value) => typeof value === 'string')

/** Does this before the product does anything. */
const first = (act: (call: Parameters<NonNullable<Plant['answer']>>[0]) => unknown): Plant => ({
  async answer(call) {
    await act(call)
    return call.real()
  },
})

const ofOwners: Weakness[] = [
  {
    name: 'another’s invoices are read',
    foundBy: 'another’s things',
    attack: { call: 'GET /api/account/invoices/:uuid/', kinds: ['withOthersThings'] },
    plant: () => ({
      answer: async ({ db, raw, real }) => real(asOwner(raw, await ownerOf(db, partsOf(raw).params['uuid']))),
    }),
  },
  {
    name: 'another’s renewal is switched',
    foundBy: 'another’s things',
    attack: { call: 'DELETE /api/services/auto_renew/:uuid/:scheduleId/', kinds: ['withOthersThings'] },
    plant: () => ({
      answer: async ({ db, raw, real }) => real(asOwner(raw, await ownerOf(db, partsOf(raw).params['uuid']))),
    }),
  },
  {
    name: 'an add-on is bought for another’s service',
    foundBy: 'another’s things',
    attack: { call: 'POST /api/orders/addons/', kinds: ['withOthersThings'] },
    plant: () => ({
      answer: async ({ db, raw, real }) => real(asOwner(raw, await ownerOf(db, partsOf(raw).body['uuid']))),
    }),
  },
  {
    name: 'another’s session is ended',
    foundBy: 'another’s things',
    attack: { call: 'DELETE /api/account/sessions/:id/', kinds: ['withOthersThings'] },
    plant: () =>
      first(({ db, raw }) =>
        db
          .updateTable('sessions')
          .set({ user_id: null })
          .where('id', '=', partsOf(raw).params['id'] ?? '')
          .execute(),
      ),
  },
  {
    name: 'an unknown field names the owner',
    foundBy: 'unknown field',
    attack: { call: 'POST /api/account/update_details/', kinds: ['withUnknownFields'] },
    plant: () =>
      first(({ db, raw }) =>
        db
          .updateTable('users')
          .set({ first_name: 'Mallory' })
          .where('id', '=', String(partsOf(raw).body['user_id'] ?? '00000000-0000-4000-8000-000000000000'))
          .execute(),
      ),
  },
  {
    name: 'who signs up gets the account of the address',
    foundBy: 'claims',
    attack: onClaims,
    plant: () => ({ oneAccountAnAddress: true }),
  },
]

const ofSessions: Weakness[] = [
  {
    name: 'nobody asks for a session',
    foundBy: 'no session',
    attack: { call: 'GET /api/services/', kinds: ['byTheWrongOnes'] },
    plant: (cast) => ({ answer: ({ raw, real }) => real(raw.visit.user ? raw : asOwner(raw, cast.mallory.id)) }),
  },
  {
    name: 'nobody asks for a confirmed address',
    foundBy: 'unverified account',
    attack: { call: 'GET /api/services/', kinds: ['byTheWrongOnes'] },
    plant: () => ({ answer: ({ raw, real }) => real(asOwner(raw, raw.visit.user?.id)) }),
  },
  {
    name: 'a session lives on after its end',
    foundBy: 'ended session',
    attack: { call: 'GET /api/services/', kinds: ['byTheWrongOnes'] },
    plant: () => ({ endless: true }),
  },
  {
    name: 'no CSRF token is asked for',
    foundBy: 'CSRF token',
    attack: { call: 'POST /api/account/update_details/', kinds: ['fromAnotherSite'] },
    plant: () => ({ csrfFault: () => null }),
  },
  {
    name: 'any session’s CSRF token will do',
    foundBy: 'CSRF token',
    attack: { call: 'POST /api/account/update_details/', kinds: ['fromAnotherSite'] },
    plant: () => ({
      csrfFault: ({ headers }, real) => (String(headers['x-csrftoken'] ?? '').length > 20 ? null : real()),
    }),
  },
  {
    name: 'the origin is not looked at',
    foundBy: 'foreign origin',
    attack: { call: 'POST /api/account/update_details/', kinds: ['fromAnotherSite'] },
    plant: () => ({
      csrfFault(request, real) {
        delete request.headers.origin
        return real()
      },
    }),
  },
  {
    name: 'a GET changes something',
    foundBy: 'wrong verb',
    attack: { call: 'POST /api/account/update_details/', kinds: ['byTheWrongVerb'] },
    plant: () => ({}),
  },
  {
    name: 'nothing is limited: SIM serials',
    foundBy: 'guesses',
    attack: { call: 'POST /api/activate/sim/', kinds: ['withGuesses'] },
    plant: () => ({ unlimited: true }),
  },
  {
    name: 'nothing is limited: passwords',
    foundBy: 'guesses',
    attack: { call: 'POST /api/account/login/', kinds: ['withGuesses'] },
    plant: () => ({ unlimited: true }),
  },
]

const refuseWith = (echo: (raw: RawCall) => object): Plant => ({
  answer: ({ raw, real }) =>
    real().catch((error: unknown) => {
      throw error instanceof Refusal && error.status === 400 ? new Refusal(400, echo(raw)) : error
    }),
})

const ofTexts: Weakness[] = [
  {
    name: 'a refusal repeats what was typed',
    foundBy: 'field: nasty text',
    attack: { call: 'POST /api/account/verify_email/about/', kinds: ['inFields'] },
    plant: () => refuseWith((raw) => ({ token: [`${String(partsOf(raw).body['token'])} is no token`] })),
  },
  {
    name: 'a page repeats what was asked for',
    foundBy: 'page',
    attack: onLogin,
    plant: () => ({
      leaving: (request, _reply, page) =>
        request.method === 'GET' && page.startsWith('<!')
          ? page.replace('</body>', `${decodeURIComponent(request.url.replaceAll(/%(?![\dA-F]{2})/gi, ''))}</body>`)
          : page,
    }),
  },
  {
    name: 'an expression that backtracks',
    foundBy: 'field: long text',
    attack: { call: 'POST /api/account/verify_email/about/', kinds: ['inFields'], long: true },
    plant: () => first(({ raw }) => textsOf(raw).some((text) => /\s+$/.test(text))),
  },
  {
    name: 'marks are put in order before anybody looks at lengths',
    foundBy: 'field: long text',
    attack: { call: 'POST /api/account/verify_email/about/', kinds: ['inFields'], long: true },
    plant: () => first(({ raw }) => textsOf(raw).map((text) => text.normalize('NFKC') === text.normalize('NFKD'))),
  },
  {
    name: 'nobody thought of null',
    foundBy: 'field: wrong type',
    attack: { call: 'POST /api/account/verify_email/about/', kinds: ['inFields'], long: true },
    plant: () => first(({ raw }) => Object.values(partsOf(raw).body).map((value) => (value as object).constructor)),
  },
  {
    name: 'a name becomes a key of an object',
    foundBy: 'field: nasty text',
    attack: { call: 'POST /api/account/verify_email/about/', kinds: ['inFields'], long: true },
    plant: () =>
      first(({ raw }) => {
        const seen: Record<string, { times?: number }> = {}
        for (const text of textsOf(raw)) (seen[text] ??= {}).times = 1
      }),
  },
  {
    name: 'a header takes what was asked for',
    foundBy: 'page',
    attack: onLogin,
    plant: () => ({
      leaving(request, reply, page) {
        const asked = (request.query as Record<string, string>)[mark]
        if (asked) reply.header('x-asked', asked)
        return page
      },
    }),
  },
  {
    name: 'a redirect leads wherever it is told to',
    foundBy: 'page',
    attack: onLogin,
    plant: () => ({
      leaving(request, reply, page) {
        const next = (request.query as Record<string, string>)['next']
        if (next) reply.code(302)
        if (next) reply.header('location', next)
        return page
      },
    }),
  },
]

const ofMoneyAndSecrets: Weakness[] = [
  {
    name: 'a price comes from the request',
    foundBy: 'unknown field',
    attack: { call: 'POST /api/activate/pay/', kinds: ['withUnknownFields'] },
    plant: () => ({
      async answer({ db, raw, real }) {
        const answered = await real()
        if ('price' in partsOf(raw).body)
          await db
            .updateTable('orders')
            .set({ amount_cents: 7 })
            .where('session_id', '=', raw.visit.session.id)
            .execute()
        return answered
      },
    }),
  },
  {
    name: 'a repeat is another purchase',
    foundBy: 'replay',
    attack: { call: 'POST /api/orders/addons/', kinds: ['manyAtOnce'] },
    plant: () => ({ answer: ({ raw, real }) => real({ ...raw, idempotencyKey: crypto.randomUUID() }) }),
  },
  {
    name: 'the gateway’s reports need no signature',
    foundBy: 'callbacks',
    attack: onCallbacks,
    plant: () => ({ unsigned: true }),
  },
  {
    name: 'a password is in the log',
    foundBy: 'field: wrong type',
    attack: { call: 'POST /api/account/change_password/', kinds: ['inFields'] },
    plant: () => first(({ raw, deps }) => deps.log.info({ form: raw.body }, 'a form')),
  },
  {
    name: 'a card number is kept',
    foundBy: 'field: nasty text',
    attack: { call: 'POST /api/account/verify_email/about/', kinds: ['inFields'], long: true },
    plant: () =>
      first(({ db, raw }) =>
        db
          .insertInto('audit_events')
          .values({
            at: new Date(),
            event: 'seen',
            user_id: null,
            session_id: null,
            details: JSON.stringify(
              textsOf(raw).filter((text) => text.length < 100 && text.isWellFormed() && !text.includes('\0')),
            ),
          })
          .execute(),
      ),
  },
  {
    name: 'the session’s token is in an answer',
    foundBy: 'query',
    attack: { call: 'GET /api/services/', kinds: ['inAddress'] },
    plant: () => ({
      answer: async ({ raw, real }) => ({
        status: 200,
        body: { ...((await real()).body as object), session: raw.visit.session.token },
      }),
    }),
  },
]

export const weaknesses: readonly Weakness[] = [...ofOwners, ...ofSessions, ...ofTexts, ...ofMoneyAndSecrets]
