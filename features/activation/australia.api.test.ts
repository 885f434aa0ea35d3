import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { portingMessages } from '#features/porting/porting.contract.ts'
import { activate, portForm, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { simStepMessages } from './sim-step.contract.ts'

const world = useWorld({ env: { MARKET: 'AU' } })

describe("an Australian SIM pack's phone number", () => {
  const send = (msisdn: string, sim_serial = '1234') =>
    world().visitor().post('/api/activate/sim/', { msisdn, sim_serial, setup_porting: false })

  test.each([
    // In New Zealand, the landline and the mobile number below would be valid mobile numbers, because they start with 02.
    ['a Sydney landline', '02 9374 4000', simStepMessages.invalid],
    ['a New Zealand mobile in national format', '021 555 0142', simStepMessages.invalid],
    ['a number from a different country', '+44 7700 900123', simStepMessages.region.AU],
  ])("rejects %s as an Australian SIM pack's number", async (_what, msisdn, sentence) =>
    expect(await send(msisdn)).toMatchObject({ status: 400, body: { msisdn: [sentence] } }),
  )

  test("accepts an Australian SIM pack's number in national format and with its country code", async () => {
    for (const written of [(e164: string) => formatNational(e164), (e164: string) => `0011 ${e164.slice(1)}`]) {
      const sim = await world().newSim()
      expect(await send(written(sim.msisdn), sim.sim_serial)).toMatchObject({
        status: 200,
        body: { phone_number: formatNational(sim.msisdn) },
      })
    }
  })
})

test('in Australia, only Australian mobile numbers can be transferred', async () => {
  const port = portForm(await newPortableNumber(world()))
  const { visitor } = await advanceWizardTo(world(), 'PORTING_ENTERED', { port })
  for (const msisdn of ['02 9374 4000', '021 555 0142', '+64 21 555 0142'])
    expect(await visitor.post('/api/activate/port/', { ...port, msisdn })).toEqual(
      expect.objectContaining({ status: 400, body: { msisdn: [portingMessages.number] } }),
    )
})

test('an Australian activation with a number transfer uses Australian prices, taxes, providers and emails', async () => {
  const number = await newPortableNumber(world())
  const { visitor, email, orderCode, done } = await activate(world(), { port: portForm(number) })
  expect(done.porting_providers.map(({ name }) => name)).toEqual(expect.arrayContaining(['Telstra', 'Optus']))
  expect(done.porting_providers.map(({ name }) => name)).not.toContain('Spark')
  const products = (await visitor.get('/api/products/')).body as Record<string, { title: string }>
  const titles = Object.values(products).map(({ title }) => title)
  expect(titles).toContain('New Zealand Roaming')
  expect(titles).not.toContain('Australia Roaming')
  const invoice = await world()
    .db.selectFrom('invoices')
    .selectAll()
    .where('order_code', '=', orderCode)
    .executeTakeFirstOrThrow()
  expect(invoice).toMatchObject({
    total_cents: 2_200,
    tax_cents: 200,
    currency: 'AUD',
    issuer: { name: 'Fantail Mobile Pty Ltd', tax_label: 'ABN' },
  })
  await world().advance('PT5H')
  const mails = await pollUntil(async () => {
    const all = await world().mailTo(email)
    return (
      all.some(({ subject }) => subject === `Your number ${formatNational(number)} is now with Fantail Mobile`) && all
    )
  })
  /*
   * The customer gets a welcome email and a transfer confirmation. If the transfer takes long enough, an email asking the customer to
   * enter a code is sent in between.
   */
  expect([2, 3]).toContain(mails.length)
  for (const { text } of mails) expect(text).not.toMatch(/Kia ora|2542|New Zealand|NZD|\+64/)
})
