import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { activate, portForm, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { createNextPlan } from '#quality/support/next-plan.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail } from '#quality/support/visitor.ts'
import type { Example, ValidRequest } from './example.ts'
import type { AttackContext } from './attack-context.ts'
import { typedPassword } from './malicious-texts.ts'

const plan = 'plan-30-5gb'
const shown = { plan: { expected_total: '22.00' }, addOn: { expected_total: '10.00' } }
const getAnonymousVisitor = ({ cast }: AttackContext) => cast.stranger()

const createWizardRequest =
  (state: Parameters<typeof advanceWizardTo>[1], body?: (scene: AttackContext) => object, port = false) =>
  async (scene: AttackContext): Promise<ValidRequest> => {
    const { visitor } = await advanceWizardTo(scene.world, state, port ? { port: portForm('027 555 0142') } : {})
    return { visitor, ...(body && { body: body(scene) }) }
  }

let turns = 0
const buildPayment = ({ world }: AttackContext) => ({
  payment_method: '1',
  use_saved_card: false,
  adyen_encrypted: world.card(),
})
const buildDeclinedPayment = (scene: AttackContext) => ({
  ...buildPayment(scene),
  adyen_encrypted: scene.world.card('DECLINED'),
})
const getAttackerVisitor = async ({ cast }: AttackContext) => cast.mallory.visitor
const aCode = (at: number) => `FT00000${10_000 + at}`

export const buyingExamples: Record<string, Example> = {
  'GET /api/products/': { who: 'anyone' },
  'GET /api/products/filters/': { who: 'anyone' },
  'GET /api/vouchers/:code/': {
    who: 'anyone',
    bearer: true,
    right: async (scene) => ({
      visitor: await getAnonymousVisitor(scene),
      params: { code: await scene.world.newVoucher() },
    }),
    guesses: { most: 40, who: getAnonymousVisitor, call: (_scene, at) => ({ params: { code: aCode(at) } }) },
  },
  'GET /api/activate/': { who: 'session', right: createWizardRequest('PAYMENT') },
  'GET /api/activate/activate/': { who: 'session', right: createWizardRequest('PAYMENT') },
  'POST /api/activate/activate/': {
    who: 'session',
    right: async ({ world }) => ({
      visitor: (await activate(world, { voucher: await world.newVoucher() })).visitor,
      body: {},
    }),
  },
  'POST /api/activate/sim/': {
    who: 'anyone',
    async right(scene) {
      const { msisdn, sim_serial } = await scene.world.newSim()
      return { visitor: await getAnonymousVisitor(scene), body: { msisdn, sim_serial, setup_porting: false } }
    },
    guesses: {
      most: 20,
      who: getAnonymousVisitor,
      call: ({ cast }, at) => ({
        body: { msisdn: cast.victim.services[0]?.msisdn, sim_serial: String(1_000 + at), setup_porting: false },
      }),
    },
  },
  'POST /api/activate/port/': {
    who: 'session',
    right: createWizardRequest('PORTING_ENTERED', () => portForm('027 555 0142'), true),
  },
  'POST /api/activate/signup/': {
    who: 'session',
    right: createWizardRequest('CREATED', () => ({
      full_name: 'Ana Rewi',
      email: newEmail(),
      password: 'korimako1',
      marketing_consent: true,
    })),
    guesses: {
      most: 40,
      who: async (scene) => (await createWizardRequest('CREATED')(scene)).visitor,
      call: ({ cast }, at) => ({
        body: { full_name: 'Ana Rewi', email: cast.mallory.email, password: `${typedPassword}${at}` },
      }),
    },
  },
  'POST /api/activate/method/': {
    who: 'session',
    right: createWizardRequest('DETAILS_ENTERED', () => ({ method: 'payment' })),
    guesses: {
      most: 40,
      who: async (scene) => (await createWizardRequest('DETAILS_ENTERED')(scene)).visitor,
      call: (_scene, at) => ({ body: { method: 'voucher', code: aCode(at) } }),
    },
  },
  'POST /api/activate/plan/': { who: 'session', right: createWizardRequest('METHOD_ENTERED', () => ({ plan })) },
  'POST /api/activate/pay/': {
    who: 'session',
    right: createWizardRequest('PAYMENT', (scene) => ({ ...buildPayment(scene), ...shown.plan })),
    guesses: {
      most: 14,
      who: async (scene) => (await createWizardRequest('PAYMENT')(scene)).visitor,
      call: (scene) => ({ body: buildDeclinedPayment(scene) }),
    },
  },
  'DELETE /api/services/next_plan/:uuid/': {
    async right({ world }) {
      const { customer, service } = await createNextPlan(world)
      return { visitor: customer.visitor, params: { uuid: service.id } }
    },
  },
  'POST /api/orders/:orderId/resume/': {
    who: 'session',
    right: async ({ cast: { mallory } }) => ({ visitor: mallory.visitor, params: mallory.has, body: {} }),
  },
  'POST /api/orders/recharge/': {
    async right(scene) {
      const { visitor, service } = await makeSubscriber(scene.world)
      const what = { uuid: service.id, schedule: service.shortId, product: plan, ...shown.plan }
      return { visitor, body: { ...what, ...buildPayment(scene) } }
    },
    guesses: {
      most: 14,
      who: getAttackerVisitor,
      call: (scene) => ({
        body: {
          uuid: scene.cast.mallory.has['uuid'],
          schedule: scene.cast.mallory.has['schedule'],
          product: plan,
          ...buildDeclinedPayment(scene),
        },
      }),
    },
  },
  'POST /api/orders/addons/': {
    right: async (scene) => ({
      visitor: scene.cast.mallory.visitor,
      body: { uuid: scene.cast.mallory.has['uuid'], product: 'extra-2gb', ...shown.addOn, ...buildPayment(scene) },
    }),
    guesses: {
      most: 14,
      who: getAttackerVisitor,
      call: (scene) => ({
        body: { uuid: scene.cast.mallory.has['uuid'], product: 'extra-2gb', ...buildDeclinedPayment(scene) },
      }),
    },
  },
  'POST /api/orders/update_payment/': {
    right: async (scene) => ({ visitor: scene.cast.mallory.visitor, body: buildPayment(scene) }),
    guesses: { most: 14, who: getAttackerVisitor, call: (scene) => ({ body: buildDeclinedPayment(scene) }) },
  },
  'GET /api/services/port/:uuid/': {
    right: async ({ cast: { mallory } }) => ({
      visitor: mallory.visitor,
      params: { uuid: mallory.services[0]?.id ?? '' },
    }),
  },
  // Use a cancelled transfer, because cancelling it again always gets the same response. An open transfer would change by itself.
  'DELETE /api/services/port/:uuid/': {
    async right({ world }) {
      const { visitor, services } = await makeCustomer(world, { services: 1 })
      const params = { uuid: services[0]?.id ?? '' }
      const number = await newPortableNumber(world, 'waits_for_reply')
      const path = `/api/services/port/${params.uuid}/`
      await visitor.post(path, portForm(number))
      await pollUntil(
        async () =>
          (await visitor.send('DELETE', path, { headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' } }))
            .status === 200,
      )
      return { visitor, params }
    },
  },
  // Use a completed transfer, because the state of an open one would change by itself. Fantail treats the code of a completed transfer as
  // already received.
  'POST /api/services/port_code/:uuid/': {
    async right({ world }) {
      const { visitor, services } = await makeCustomer(world, { services: 1 })
      const params = { uuid: services[0]?.id ?? '' }
      await visitor.post(`/api/services/port/${params.uuid}/`, portForm(await newPortableNumber(world)))
      const body = { code: '123456' }
      await pollUntil(async () => (await visitor.get('/api/services/')).body[params.uuid].porting_request.status === 3)
      return { visitor, params, body }
    },
    noGuessing: 'the network counts them and ends the transfer; an account has twenty tries an hour beside that',
  },
  'POST /api/services/port/:uuid/': {
    async right({ cast: { mallory } }) {
      turns += 1
      const service = mallory.services[turns % mallory.services.length]
      return {
        visitor: mallory.visitor,
        params: { uuid: service?.id ?? '' },
        body: portForm(`027 555 011${1 + (turns % 4)}`),
      }
    },
  },
}
