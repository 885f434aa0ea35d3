import { describe, expect, test } from 'vitest'
import { portForm, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { useWizardServer } from '#quality/support/wizard-server.ts'

const rig = useWizardServer()
const good = portForm('027 555 0142')

async function send(changes: object) {
  const { visitor } = await advanceWizardTo(rig(), 'PORTING_ENTERED', { port: good })
  return visitor.post('/api/activate/port/', { ...good, ...changes })
}

const sentences = {
  required: 'This field is required.',
  number: 'Please enter a valid mobile Phone Number.',
  ownNumber: 'This is the Phone Number on the SIM pack. Please enter the Existing Phone Number you want to bring.',
  provider: 'Please choose your current provider from the list.',
  method:
    'You must provide an Existing Prepay SIM Number or an Existing Account Number to Transfer (Port) the Phone Number you want to bring.',
  sim: 'Please provide an Existing Prepay SIM Number to Transfer (Port) the Number you want to bring.',
  simLength: 'Please enter a valid Prepay SIM Number between 16 and 20 digits.',
  account: 'Please provide an Existing Account Number to Transfer (Port) the Phone Number you want to bring.',
  accountLength: 'Please enter a valid Existing Account Number up to 20 digits.',
}

test('reports all errors in an empty number transfer form together', async () => {
  const { visitor } = await advanceWizardTo(rig(), 'PORTING_ENTERED', { port: good })
  const { status, body } = await visitor.post('/api/activate/port/', {})
  expect({ status, body }).toEqual({
    status: 400,
    body: { msisdn: [sentences.required], provider: [sentences.required], billing_method: [sentences.method] },
  })
})

test('reports several errors in the number transfer form together', async () => {
  const { body } = await send({ msisdn: '09 555 0142', prepaid_sim_number: '123' })
  expect(body).toEqual({ msisdn: [sentences.number], prepaid_sim_number: [sentences.simLength] })
})

test('reports errors in all fields together, including number transfer errors that only the server can detect', async () => {
  const bad = { msisdn: '+61 412 345 678', provider: 'nobody' }
  expect((await send({ ...bad, prepaid_sim_number: '123' })).body).toEqual({
    msisdn: [sentences.number],
    provider: [sentences.provider],
    prepaid_sim_number: [sentences.simLength],
  })
  expect((await send(bad)).body).toEqual({ msisdn: [sentences.number], provider: [sentences.provider] })
  expect((await send({ msisdn: 7, billing_method: 'account', account_number: '' })).body).toEqual({
    msisdn: [sentences.required],
    account_number: [sentences.account],
  })
})

describe('the number being transferred', () => {
  test.each([
    ['', sentences.required],
    [['027 555 0142'], sentences.required],
    ['my old one', sentences.number],
    ['027 555 0142 x', sentences.number],
    ['027.555.0142', sentences.number],
    ['09 555 0142', sentences.number],
    ['026 123 4567', sentences.number],
    ['027 555', sentences.number],
    ['+44 7700 900123', sentences.number],
    ['+61 412 345 678', sentences.number],
    ['0412 345 678', sentences.number],
  ])('rejects %j as the number to transfer', async (msisdn, sentence) => {
    const { status, body } = await send({ msisdn })
    expect({ status, body }).toEqual({ status: 400, body: { msisdn: [sentence] } })
  })

  test.each(['0275550142', '027 555 0142', '(027) 555-0142', '+64 27 555 0142', '0064275550142'])(
    'accepts %j as the number to transfer',
    async (msisdn) => {
      expect(await send({ msisdn })).toMatchObject({
        status: 200,
        body: { state: 'CREATED', porting_request: { msisdn } },
      })
    },
  )

  test("rejects the SIM pack's own number as the number being transferred", async () => {
    const { visitor, sim } = await advanceWizardTo(rig(), 'PORTING_ENTERED', { port: good })
    const { status, body } = await visitor.post('/api/activate/port/', {
      ...good,
      msisdn: sim.msisdn.replace('+64', '0'),
    })
    expect({ status, body }).toEqual({ status: 400, body: { msisdn: [sentences.ownNumber] } })
  })
})

describe('the current provider of a number being transferred', () => {
  test.each([
    ['', sentences.required],
    [undefined, sentences.required],
    ['telstra', sentences.provider],
    ['Skinny', sentences.provider],
    [{ id: 'skinny' }, sentences.required],
  ])('rejects %j as the current provider', async (provider, sentence) => {
    const { status, body } = await send({ provider })
    expect({ status, body }).toEqual({ status: 400, body: { provider: [sentence] } })
  })
})

describe('the billing method of a number being transferred', () => {
  test.each([[undefined], [null], [''], [0], [3], ['PREPAY'], ['3'], [true], [[1]]])(
    'rejects %o as the billing method',
    async (billing_method) => {
      const { status, body } = await send({ billing_method })
      expect({ status, body }).toEqual({ status: 400, body: { billing_method: [sentences.method] } })
    },
  )

  test.each([1, '1', 'prepay'])(
    'accepts %o as the billing method for prepay, with a SIM number',
    async (billing_method) => {
      expect(await send({ billing_method })).toMatchObject({
        status: 200,
        body: { porting_request: { billing_method: 1, prepaid_sim_number: good.prepaid_sim_number } },
      })
    },
  )

  test.each([2, '2', 'account'])(
    'accepts %o as the billing method for an account, with an account number',
    async (billing_method) => {
      const answer = await send({ billing_method, prepaid_sim_number: '', account_number: 'AB12345' })
      expect(answer).toMatchObject({
        status: 200,
        body: { porting_request: { billing_method: 2, account_number: 'AB12345' } },
      })
    },
  )
})

describe("the old SIM card's number in a number transfer", () => {
  test.each([
    ['', sentences.sim],
    [undefined, sentences.sim],
    ['8'.repeat(15), sentences.simLength],
    ['8'.repeat(21), sentences.simLength],
    ['896405012345678901X', sentences.simLength],
    ['8964-0501-2345-6789', sentences.simLength],
    [8_964_050_123_456_789, sentences.simLength],
  ])('rejects %j as the old SIM number', async (prepaid_sim_number, sentence) => {
    const { status, body } = await send({ prepaid_sim_number, account_number: 'AB12345' })
    expect({ status, body }).toEqual({ status: 400, body: { prepaid_sim_number: [sentence] } })
  })

  test.each([16, 17, 19, 20])(
    'accepts an old SIM number with %i digits without verifying its check digit',
    async (length) => {
      expect((await send({ prepaid_sim_number: `89640501234567890121`.slice(0, length) })).status).toBe(200)
    },
  )
})

describe('the account number in a number transfer', () => {
  test.each([
    ['', sentences.account],
    [undefined, sentences.account],
    ['1'.repeat(21), sentences.accountLength],
    ['AB-12345', sentences.accountLength],
    ['AB 12345', sentences.accountLength],
    ['Ā12345', sentences.accountLength],
  ])('rejects %j as the account number', async (account_number, sentence) => {
    const { status, body } = await send({ billing_method: 2, account_number })
    expect({ status, body }).toEqual({ status: 400, body: { account_number: [sentence] } })
  })

  test.each(['1', 'A1', 'ab12CD34ef56GH78ij90'])('accepts %s as the account number', async (account_number) => {
    expect((await send({ billing_method: 2, prepaid_sim_number: '', account_number })).status).toBe(200)
  })
})

test("a valid number transfer leads to the next step, and the response contains the visitor's answers unchanged", async () => {
  const { status, body } = await send({})
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      state: 'CREATED',
      setup_porting: true,
      porting_request: {
        msisdn: '027 555 0142',
        provider: 'skinny',
        billing_method: 1,
        prepaid_sim_number: '8964050123456789012',
        account_number: '',
      },
    },
  })
})

test("answers 409 when a visitor who has chosen to use the SIM pack's number submits a number transfer", async () => {
  const { visitor } = await advanceWizardTo(rig(), 'CREATED')
  expect((await visitor.post('/api/activate/port/', good)).status).toBe(409)
})
