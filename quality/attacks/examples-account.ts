import { type Customer, createCustomerSession, makeCustomer } from '#quality/support/customer.ts'
import { makeEmailChanger } from '#quality/support/email-changer.ts'
import { requestResetLink } from '#quality/support/reset-link.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { waitForVerifyTokens } from '#quality/support/verify-link.ts'
import { newEmail } from '#quality/support/visitor.ts'
import { requestPhoneChange, createAnonymousVisitor } from './attack-accounts.ts'
import type { Example, ValidRequest } from './example.ts'
import type { AttackContext } from './attack-context.ts'
import { typedPassword } from './malicious-texts.ts'

const otherPassword = 'a new kereru 7'

async function createUnverifiedCustomer({ world }: AttackContext): Promise<ValidRequest & { body: { token: string } }> {
  const { visitor, email } = await makeCustomer(world, { verified: false })
  await visitor.get('/api/account/resend_verification/', { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' })
  const [token = ''] = await waitForVerifyTokens(world, email)
  return { visitor, body: { token } }
}

async function startEmailChange({ world }: AttackContext, until: 'asked' | 'verified') {
  const person = await makeEmailChanger(world)
  await person.ask()
  if (until === 'verified') await person.enter(await person.pin())
  return person
}

async function startPhoneChange({
  world,
  cast: { mallory },
}: AttackContext): Promise<ValidRequest & { body: { token: string } }> {
  const { phone } = (await mallory.visitor.get('/api/account/')).body.user
  // Read the numbers from the database, because an earlier attack may have moved a number to a different service.
  const ids = mallory.services.map(({ id }) => id)
  const services = await world.db.selectFrom('services').select(['id', 'msisdn']).where('id', 'in', ids).execute()
  const current = {
    ...mallory,
    services: mallory.services.map((each) => ({ ...each, ...services.find(({ id }) => id === each.id) })),
  }
  const other = current.services.findIndex(({ msisdn }) => msisdn !== phone)
  return { visitor: mallory.visitor, body: { token: await requestPhoneChange(world, current, other) } }
}

async function createCustomerWithErasure({ world }: AttackContext): Promise<Customer> {
  const customer = await makeCustomer(world)
  await customer.visitor.post('/api/account/privacy/erasure/', { password: customer.password })
  return customer
}

const getAnonymousVisitor = ({ cast }: AttackContext) => cast.stranger()

export const accountExamples: Record<string, Example> = {
  'GET /api/account/': { who: 'anyone' },
  // Use a new customer, because Mallory's saved card is still needed for other requests.
  'DELETE /api/account/payment_method/': {
    right: async ({ world }) => ({ visitor: (await makeCustomer(world, { card: true })).visitor }),
  },
  'POST /api/account/login/': {
    who: 'anyone',
    right: async (scene) => ({
      visitor: await getAnonymousVisitor(scene),
      body: { username: scene.cast.mallory.email, password: scene.cast.mallory.password },
    }),
    guesses: {
      most: 20,
      who: getAnonymousVisitor,
      call: ({ cast }, at) => ({ body: { username: cast.victim.email, password: `${typedPassword}${at}` } }),
    },
  },
  'POST /api/account/logout/': {
    who: 'anyone',
    right: async ({ world, cast }) => ({ visitor: await createCustomerSession(world, cast.mallory.id) }),
  },
  'POST /api/account/verify_email/': {
    who: 'anyone',
    right: createUnverifiedCustomer,
    guesses: {
      most: 60,
      who: getAnonymousVisitor,
      call: (_scene, at) => ({ body: { token: `${'a'.repeat(39)}${1_000 + at}` } }),
    },
  },
  'POST /api/account/verify_email/about/': {
    who: 'anyone',
    bearer: true,
    right: createUnverifiedCustomer,
    guesses: {
      most: 60,
      who: getAnonymousVisitor,
      call: (_scene, at) => ({ body: { token: `${'a'.repeat(39)}${1_000 + at}` } }),
    },
  },
  'POST /api/account/verify_email/not_me/': {
    who: 'anyone',
    bearer: true,
    right: createUnverifiedCustomer,
    guesses: {
      most: 60,
      who: getAnonymousVisitor,
      call: (_scene, at) => ({ body: { token: `${'a'.repeat(39)}${1_000 + at}` } }),
    },
  },
  'GET /api/account/resend_verification/': {
    who: 'signed in',
    right: async ({ world }) => ({ visitor: (await makeCustomer(world, { verified: false })).visitor }),
  },
  'POST /api/account/password_reset_request/': {
    who: 'anyone',
    right: async (scene) => ({ visitor: await getAnonymousVisitor(scene), body: { email: scene.cast.mallory.email } }),
  },
  'POST /api/forgot_password_reset/:uid/:token/': {
    who: 'anyone',
    bearer: true,
    async right(scene) {
      const { email } = await makeCustomer(scene.world)
      const { uid, token } = await requestResetLink(scene.world, email)
      return {
        visitor: await getAnonymousVisitor(scene),
        params: { uid, token },
        body: { password: otherPassword, password_confirm: otherPassword },
      }
    },
    guesses: {
      most: 70,
      who: getAnonymousVisitor,
      call: ({ cast }, at) => ({
        params: { uid: cast.victim.links.reset.uid, token: `${'a'.repeat(39)}${1_000 + at}` },
        body: { password: otherPassword, password_confirm: otherPassword },
      }),
    },
  },
  'POST /api/account/update_details/': {
    right: async ({ cast: { mallory } }) => ({
      visitor: mallory.visitor,
      body: { first_name: 'Ana', last_name: 'Ngata', phone: mallory.has['phone'], email: mallory.email },
    }),
    noGuessing: 'the password is asked for after a day, which features/auth/password-again.api.test.ts lets pass',
  },
  'POST /api/services/alerts/:uuid/': {
    right: async ({ cast: { mallory } }) => ({
      visitor: mallory.visitor,
      params: { uuid: mallory.services[0]?.id ?? '' },
      body: { half: 'text', most: 'both', all: 'off', before_end: 'both' },
    }),
  },
  'POST /api/account/confirm_phone/': {
    right: startPhoneChange,
    guesses: {
      most: 70,
      who: async ({ cast }) => cast.mallory.visitor,
      call: (_scene, at) => ({ body: { token: `${'a'.repeat(39)}${1_000 + at}` } }),
    },
  },
  'POST /api/account/confirm_phone/resend/': {
    right: async (scene) => ({ visitor: (await startPhoneChange(scene)).visitor }),
  },
  'POST /api/account/confirm_phone/cancel/': {
    right: async (scene) => ({ visitor: (await startPhoneChange(scene)).visitor }),
  },
  'POST /api/account/change_password/': {
    async right({ world }) {
      const { visitor, password } = await makeCustomer(world)
      return { visitor, body: { old_password: password, new_password: otherPassword, password_confirm: otherPassword } }
    },
    guesses: {
      most: 20,
      who: async ({ world }) => (await makeCustomer(world)).visitor,
      call: (_scene, at) => ({
        body: { old_password: `${typedPassword}${at}`, new_password: otherPassword, password_confirm: otherPassword },
      }),
    },
  },
  'PUT /api/services/name/:uuid/': {
    right: async ({ cast: { mallory } }) => ({
      visitor: mallory.visitor,
      params: { uuid: mallory.has['uuid'] ?? '' },
      body: { name: 'Mum’s tablet' },
    }),
  },
  'POST /api/services/puk/:uuid/': {
    right: async ({ cast: { mallory } }) => ({
      visitor: mallory.visitor,
      params: { uuid: mallory.has['uuid'] ?? '' },
      body: { password: mallory.password },
    }),
    guesses: {
      most: 20,
      who: async ({ cast: { mallory } }) => mallory.visitor,
      call: ({ cast: { mallory } }, at) => ({
        params: { uuid: mallory.has['uuid'] ?? '' },
        body: { password: `${typedPassword}${at}` },
      }),
    },
  },
  'GET /api/account/update_email/': { who: 'signed in' },
  'POST /api/account/update_email/': {
    who: 'signed in',
    right: async ({ world }) => ({ visitor: (await makeCustomer(world)).visitor, body: { new_email: newEmail() } }),
    guesses: {
      most: 8,
      who: async (scene) => (await startEmailChange(scene, 'asked')).visitor,
      call: (_scene, at) => ({ body: { otp: String(100_000 + at) } }),
    },
  },
  'POST /api/account/update_email/resend_otp/': {
    who: 'signed in',
    right: async (scene) => ({ visitor: (await startEmailChange(scene, 'asked')).visitor }),
  },
  'POST /api/account/update_email/resend_email/': {
    who: 'signed in',
    right: async (scene) => ({ visitor: (await startEmailChange(scene, 'verified')).visitor }),
  },
  'POST /api/account/update_email/confirm/': {
    who: 'signed in',
    async right(scene) {
      const person = await startEmailChange(scene, 'verified')
      return { visitor: person.visitor, body: { token: await person.token() } }
    },
    guesses: {
      most: 70,
      who: async ({ cast }) => cast.mallory.visitor,
      call: (_scene, at) => ({ body: { token: `${'a'.repeat(39)}${1_000 + at}` } }),
    },
  },
  'DELETE /api/account/sessions/:id/': {
    async right({ world, cast: { mallory } }) {
      await createCustomerSession(world, mallory.id)
      const { id } = await world.db
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', mallory.id)
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow()
      return { visitor: mallory.visitor, params: { id } }
    },
  },
  'POST /api/account/end_other_sessions/': {
    async right({ world }) {
      const { id, visitor } = await makeCustomer(world)
      await createCustomerSession(world, id)
      return { visitor }
    },
  },
  'POST /api/account/privacy/data/': {
    async right({ world }) {
      const { visitor, password } = await makeCustomer(world)
      return { visitor, body: { password, format: 'json' } }
    },
    guesses: {
      most: 20,
      who: async ({ world }) => (await makeCustomer(world)).visitor,
      call: (_scene, at) => ({ body: { password: `${typedPassword}${at}` } }),
    },
  },
  'GET /api/account/privacy/messages/': {},
  'GET /api/account/privacy/marketing/': {},
  'POST /api/account/privacy/marketing/': {
    right: async ({ world }) => ({ visitor: (await makeCustomer(world)).visitor, body: { agreed: true } }),
  },
  'GET /api/account/privacy/erasure/': {},
  'POST /api/account/privacy/erasure/': {
    async right({ world }) {
      const { visitor, password } = await makeCustomer(world)
      return { visitor, body: { password } }
    },
    guesses: {
      most: 20,
      who: async ({ world }) => (await makeCustomer(world)).visitor,
      call: (_scene, at) => ({ body: { password: `${typedPassword}${at}` } }),
    },
  },
  'DELETE /api/account/privacy/erasure/': {
    right: async (scene) => ({ visitor: (await createCustomerWithErasure(scene)).visitor }),
  },
  'POST /api/account/privacy/keep/': {
    who: 'anyone',
    bearer: true,
    async right(scene) {
      const { email } = await createCustomerWithErasure(scene)
      const token = await pollUntil(async () => {
        const links = (await scene.world.mailTo(email)).flatMap((mail) => mail.links)
        return links.map((link) => /\/keep\/\?token=([\w-]+)/.exec(link)?.[1]).find(Boolean)
      })
      return { visitor: await getAnonymousVisitor(scene), body: { token } }
    },
    guesses: {
      most: 70,
      who: getAnonymousVisitor,
      call: (_scene, at) => ({ body: { token: `${'a'.repeat(39)}${1_000 + at}` } }),
    },
  },
  'GET /api/account/porting_providers/': { who: 'anyone' },
  'POST /api/errors/': {
    who: 'anyone',
    right: async (scene) => ({
      visitor: await createAnonymousVisitor(scene.world),
      body: {
        kind: 'error',
        name: 'TypeError',
        message: 'x is not a function',
        frames: ['/static/build/index-abc.js:1:10'],
        page: '/services/:uuid/',
        request_id: null,
        build: 'index-abc.js',
        browser: 'Firefox 140',
      },
    }),
  },
}
