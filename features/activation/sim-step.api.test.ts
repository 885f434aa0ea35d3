import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { useWizardServer } from '#quality/support/wizard-server.ts'

const rig = useWizardServer()
const send = (body: object, visitor = rig().visitor()) => visitor.post('/api/activate/sim/', body)
const good = { msisdn: '021 600 0000', sim_serial: '1234', setup_porting: false }

const sentences = {
  required: 'This field is required.',
  invalid: 'Invalid Phone Number (on the SIM pack). Please enter the Phone Number found on your SIM Pack.',
  region: 'Please ensure you are using a New Zealand Phone Number (on the SIM pack).',
  serial: 'Please enter the last 4 digits of your SIM Number.',
  choice:
    'Please choose whether you would like to Transfer (Port) your Existing Phone Number or use the Phone Number on the SIM pack.',
  unknown:
    'We couldn’t find an unused SIM with this Phone Number and these last 4 digits. Please check both on your SIM pack.',
}

test('reports all errors in an empty SIM step together', async () => {
  const { status, body } = await send({})
  expect({ status, body }).toEqual({
    status: 400,
    body: { msisdn: [sentences.required], sim_serial: [sentences.serial], setup_porting: [sentences.choice] },
  })
})

describe('the phone number on the SIM pack', () => {
  test.each([
    ['a landline', '09 555 0142'],
    ['a landline with its country code', '+64 9 555 0142'],
    ['a free-call number', '0800 555 014'],
    ['a pager', '026 123 4567'],
    ['too short', '021 555 01'],
    ['too long', '021 555 0142 99'],
    ['a word', 'the one on the pack'],
    ['a number with an extension', '021 555 0142 ext 5'],
    ['an Australian landline', '+61 2 5550 1421'],
    // A number without a country code is taken to be from the portal's own country.
    ['an Australian mobile in national format', '0412 345 678'],
    ['just a plus sign', '+'],
  ])('rejects a SIM pack number that is %s', async (_what, msisdn) => {
    expect(await send({ ...good, msisdn })).toMatchObject({ status: 400, body: { msisdn: [sentences.invalid] } })
  })

  test.each(['+44 7700 900123', '+1 415 555 0142', '0044 7700 900123', '+679 701 2345', '+4915112345678'])(
    'rejects %s as a number from a different region',
    async (msisdn) => {
      const { status, body } = await send({ ...good, msisdn })
      expect({ status, body }).toEqual({ status: 400, body: { msisdn: [sentences.region] } })
    },
  )

  test.each([[''], ['   '], [null], [214_567_890], [['021 555 0142']], [{}]])(
    'requires a SIM pack number and reports %o as missing',
    async (msisdn) => {
      expect(await send({ ...good, msisdn })).toMatchObject({ status: 400, body: { msisdn: [sentences.required] } })
    },
  )

  test.each(['+61 412 345 678', '0061 412 345 678'])(
    'accepts a number from another supported region (%s), but finds no SIM pack for it',
    async (msisdn) => {
      const { status, body } = await send({ ...good, msisdn })
      expect({ status, body }).toEqual({ status: 400, body: { __all__: [sentences.unknown] } })
    },
  )

  test.each([
    ['as on the pack', (e164: string) => formatNational(e164)],
    ['with its country code', (e164: string) => e164.replace('+6421', '+64 21 ')],
    ['with zeros for the plus', (e164: string) => e164.replace('+', '00')],
    ['with parentheses and hyphens', (e164: string) => `(021) ${e164.slice(5, 8)}-${e164.slice(8)}`],
    ['with spaces around', (e164: string) => `  ${e164} `],
  ])("accepts the SIM pack's number written %s", async (_how, written) => {
    const sim = await rig().newSim()
    expect(await send({ ...sim, msisdn: written(sim.msisdn), setup_porting: false })).toMatchObject({
      status: 200,
      body: { phone_number: formatNational(sim.msisdn) },
    })
  })
})

describe('the last four digits of the SIM number', () => {
  test.each([[''], ['123'], ['12345'], ['12a4'], ['12 4'], ['-123'], [1234], [null], [undefined], [['1234']]])(
    'rejects %o as the last four digits of the SIM number',
    async (sim_serial) => {
      const { status, body } = await send({ ...good, sim_serial })
      expect({ status, body }).toEqual({ status: 400, body: { sim_serial: [sentences.serial] } })
    },
  )

  test('accepts the last four digits of the SIM number with surrounding spaces', async () => {
    const sim = await rig().newSim()
    expect((await send({ ...sim, sim_serial: ` ${sim.sim_serial} `, setup_porting: false })).status).toBe(200)
  })
})

test.each([[undefined], [null], ['yes'], ['true'], [1], [[]]])(
  'rejects %o as the answer to whether to transfer a number',
  async (setup_porting) => {
    const { status, body } = await send({ ...good, setup_porting })
    expect({ status, body }).toEqual({ status: 400, body: { setup_porting: [sentences.choice] } })
  },
)

describe("entering a SIM pack's details", () => {
  test('accepts a SIM pack only if the last four digits match its phone number', async () => {
    const [sim, other] = [await rig().newSim(), await rig().newSim()]
    const wrong = sim.sim_serial === '0000' ? '0001' : '0000'
    expect(await send({ ...good, msisdn: sim.msisdn, sim_serial: wrong })).toMatchObject({
      status: 400,
      body: { __all__: [sentences.unknown] },
    })
    expect((await send({ ...other, sim_serial: other.sim_serial, setup_porting: false })).status).toBe(200)
  })

  test('two visitors may start activating the same SIM pack', async () => {
    const sim = await rig().newSim()
    expect((await send({ ...sim, setup_porting: false })).status).toBe(200)
    expect((await send({ ...sim, setup_porting: true })).status).toBe(200)
  })

  test('the SIM step starts an activation that continues with the sign-up', async () => {
    const sim = await rig().newSim()
    const { status, body } = await send({ ...sim, setup_porting: false })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        state: 'CREATED',
        activation_state: 'NOT_STARTED',
        product: null,
        next_product: null,
        is_new_customer: true,
        balance_due: '0.00',
        full_name: '',
        email: '',
        phone_number: formatNational(sim.msisdn),
        setup_porting: false,
        porting_request: null,
        porting_providers: [],
        method: null,
        using_voucher: false,
        voucher_refusal: null,
        plan_title: '',
        order_code: null,
        uuid: null,
        retry: false,
      },
    })
  })

  test('choosing to transfer a number leads to the transfer step and returns the list of providers', async () => {
    const { body } = await send({ ...(await rig().newSim()), setup_porting: true })
    expect(body).toMatchObject({ state: 'PORTING_ENTERED', setup_porting: true, porting_request: null })
    expect(body.porting_providers).toHaveLength(14)
    expect(body.porting_providers[2]).toEqual({ id: '2degrees', name: '2degrees' })
  })
})
