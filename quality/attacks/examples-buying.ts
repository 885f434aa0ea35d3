import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { activate, portAnswers, travelTo } from '#quality/support/journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { aNextPlan } from '#quality/support/next-plan.ts'
import { until } from '#quality/support/until.ts'
import { newEmail } from '#quality/support/visitor.ts'
import type { Example, Right } from './example.ts'
import type { Scene } from './scene.ts'
import { typedPassword } from './texts.ts'

const plan = 'plan-30-5gb'
const shown = { plan: { expected_total: '22.00' }, addOn: { expected_total: '10.00' } }
const stranger = ({ cast }: Scene) => cast.stranger()

const before =
  (state: Parameters<typeof travelTo>[1], body?: (scene: Scene) => object, port = false) =>
  async (scene: Scene): Promise<Right> => {
    const { visitor } = await travelTo(scene.world, state, port ? { port: portAnswers('027 555 0142') } : {})
    return { visitor, ...(body && { body: body(scene) }) }
  }

let turns = 0
const payment = ({ world }: Scene) => ({ payment_method: '1', use_saved_card: false, adyen_encrypted: world.card() })
const declined = (scene: Scene) => ({ ...payment(scene), adyen_encrypted: scene.world.card('DECLINED') })
const mallory = async ({ cast }: Scene) => cast.mallory.visitor
const aCode = (at: number) => `FT00000${10_000 + at}`

export const buyingExamples: Record<string, Example> = {
  'GET /api/products/': { who: 'anyone' },
  'GET /api/products/filters/': { who: 'anyone' },
  'GET /api/vouchers/:code/': {
    who: 'anyone',
    bearer: true,
    right: async (scene) => ({ visitor: await stranger(scene), params: { code: await scene.world.newVoucher() } }),
    guesses: { most: 40, who: stranger, call: (_scene, at) => ({ params: { code: aCode(at) } }) },
  },
  'GET /api/activate/': { who: 'session', right: before('PAYMENT') },
  'GET /api/activate/activate/': { who: 'session', right: before('PAYMENT') },
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
      return { visitor: await stranger(scene), body: { msisdn, sim_serial, setup_porting: false } }
    },
    guesses: {
      most: 20,
      who: stranger,
      call: ({ cast }, at) => ({
        body: { msisdn: cast.victim.services[0]?.msisdn, sim_serial: String(1_000 + at), setup_porting: false },
      }),
    },
  },
  'POST /api/activate/port/': {
    who: 'session',
    right: before('PORTING_ENTERED', () => portAnswers('027 555 0142'), true),
  },
  'POST /api/activate/signup/': {
    who: 'session',
    right: before('CREATED', () => ({
      full_name: 'Ana Rewi',
      email: newEmail(),
      password: 'korimako1',
      marketing_consent: true,
    })),
    guesses: {
      most: 40,
      who: async (scene) => (await before('CREATED')(scene)).visitor,
      call: ({ cast }, at) => ({
        body: { full_name: 'Ana Rewi', email: cast.mallory.email, password: `${typedPassword}${at}` },
      }),
    },
  },
  'POST /api/activate/method/': {
    who: 'session',
    right: before('DETAILS_ENTERED', () => ({ method: 'payment' })),
    guesses: {
      most: 40,
      who: async (scene) => (await before('DETAILS_ENTERED')(scene)).visitor,
      call: (_scene, at) => ({ body: { method: 'voucher', code: aCode(at) } }),
    },
  },
  'POST /api/activate/plan/': { who: 'session', right: before('METHOD_ENTERED', () => ({ plan })) },
  'POST /api/activate/pay/': {
    who: 'session',
    right: before('PAYMENT', (scene) => ({ ...payment(scene), ...shown.plan })),
    guesses: {
      most: 14,
      who: async (scene) => (await before('PAYMENT')(scene)).visitor,
      call: (scene) => ({ body: declined(scene) }),
    },
  },
  'DELETE /api/services/next_plan/:uuid/': {
    async right({ world }) {
      const { customer, service } = await aNextPlan(world)
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
      return { visitor, body: { ...what, ...payment(scene) } }
    },
    guesses: {
      most: 14,
      who: mallory,
      call: (scene) => ({
        body: {
          uuid: scene.cast.mallory.has['uuid'],
          schedule: scene.cast.mallory.has['schedule'],
          product: plan,
          ...declined(scene),
        },
      }),
    },
  },
  'POST /api/orders/addons/': {
    right: async (scene) => ({
      visitor: scene.cast.mallory.visitor,
      body: { uuid: scene.cast.mallory.has['uuid'], product: 'extra-2gb', ...shown.addOn, ...payment(scene) },
    }),
    guesses: {
      most: 14,
      who: mallory,
      call: (scene) => ({ body: { uuid: scene.cast.mallory.has['uuid'], product: 'extra-2gb', ...declined(scene) } }),
    },
  },
  'POST /api/orders/update_payment/': {
    right: async (scene) => ({ visitor: scene.cast.mallory.visitor, body: payment(scene) }),
    guesses: { most: 14, who: mallory, call: (scene) => ({ body: declined(scene) }) },
  },
  'GET /api/services/port/:uuid/': {
    right: async ({ cast: { mallory } }) => ({
      visitor: mallory.visitor,
      params: { uuid: mallory.services[0]?.id ?? '' },
    }),
  },
  // Uses a transfer that is already cancelled, which is answered like the first time. An open transfer changes by itself.
  'DELETE /api/services/port/:uuid/': {
    async right({ world }) {
      const { visitor, services } = await makeCustomer(world, { services: 1 })
      const params = { uuid: services[0]?.id ?? '' }
      const number = await newPortableNumber(world, 'waits_for_reply')
      const path = `/api/services/port/${params.uuid}/`
      await visitor.post(path, portAnswers(number))
      await until(
        async () =>
          (await visitor.send('DELETE', path, { headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' } }))
            .status === 200,
      )
      return { visitor, params }
    },
  },
  // Uses a transfer that is completed: where nothing is waited for any more, the code has arrived as well.
  'POST /api/services/port_code/:uuid/': {
    async right({ world }) {
      const { visitor, services } = await makeCustomer(world, { services: 1 })
      const params = { uuid: services[0]?.id ?? '' }
      await visitor.post(`/api/services/port/${params.uuid}/`, portAnswers(await newPortableNumber(world)))
      const body = { code: '123456' }
      await until(async () => (await visitor.get('/api/services/')).body[params.uuid].porting_request.status === 3)
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
        body: portAnswers(`027 555 011${1 + (turns % 4)}`),
      }
    },
  },
}
