import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decimalToCents, centsToDecimal } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { markets } from '#kit/server/markets.ts'
import { markServiceReleased } from '#features/services/server/releases.store.ts'
import { readProvider } from '#app/provider/read-provider.ts'
import { createRenewingCustomer } from '#quality/support/auto-renewal.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { readPdf } from '#quality/support/pdf-text.ts'
import { fantailFolder } from '#quality/support/provider.ts'
import { renew } from '#quality/support/purchases.ts'
import { clearFailures, failGateway } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { writeInvoice } from './server/invoices.ts'

const world = useWorld()
const notThere = { status: 404, body: { code: 'Not found.' } }

type Buyer = Customer & { list: string; one: string; pdf: string; service: string; orderCode: string }

async function aBuyer(wishes: Parameters<typeof makeCustomer>[1] = { card: true }): Promise<Buyer> {
  const customer = await makeCustomer(world(), wishes)
  const { id: service = '', orderCode = '' } = customer.services[0] ?? {}
  const list = `/api/account/invoices/${service}/`
  return {
    ...customer,
    service,
    orderCode,
    list,
    one: `${list}${orderCode}/`,
    pdf: `/documents/${service}/${orderCode}.pdf`,
  }
}

const ask = async (visitor: Visitor, path: string) => {
  const { status, body } = await visitor.get(path)
  return { status, body }
}

async function download(visitor: Visitor, path: string): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const answer = await fetch(new URL(path, world().url), {
    redirect: 'manual',
    headers: { cookie: `fantail=${visitor.cookie('fantail') ?? ''}` },
  })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

const anInstant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('a service’s purchase history', () => {
  test('the purchase history has a row for each purchase, and each invoice contains all fields', async () => {
    const { visitor, email, list, one, pdf, orderCode, services } = await aBuyer()
    expect(await ask(visitor, list)).toEqual({
      status: 200,
      body: [
        {
          created: anInstant,
          order_code: orderCode,
          title: '5 GB Prepay Plan',
          length: 30,
          paid_with: 'Visa ending 1111',
          auto: false,
          total_price: '22.00',
          document_type: 'invoice',
          partial: false,
          is_oldest: true,
        },
      ],
    })
    expect(await ask(visitor, one)).toEqual({
      status: 200,
      body: {
        created: anInstant,
        email,
        full_name: 'Ana Rewi',
        line_items: [
          {
            title: expect.any(String),
            quantity: 1,
            unit_price: '22.00',
            subtotal: '22.00',
            product: { product_type: 1, length: 30, sku: expect.any(String), data_gb: 5, voice_mins: 0, txt_sms: 0 },
          },
        ],
        order_code: orderCode,
        phone_number: formatNational(services[0]?.msisdn ?? ''),
        paid_with: 'Visa ending 1111',
        auto: false,
        tax: '2.87',
        total_price: '22.00',
        currency: 'NZD',
        document_type: 'invoice',
        partial: false,
        refund_ref: null,
        issuer: {
          name: 'Fantail Mobile Limited',
          tax_label: 'GST number',
          tax_number: '49-091-850',
          address: '1 Queen Street, Auckland 1010, New Zealand',
        },
        pdf_url: pdf,
      },
    })
  })

  test('all amounts on an invoice are zero if a voucher paid for the plan', async () => {
    const { visitor, one } = await aBuyer({ services: 1 })
    expect((await visitor.get(one)).body).toMatchObject({
      paid_with: 'Voucher',
      total_price: '0.00',
      tax: '0.00',
      line_items: [{ unit_price: '0.00', subtotal: '0.00' }],
    })
  })

  test('a service without invoices has an empty purchase history', async () => {
    const { visitor, list, one, service } = await aBuyer({ services: 1 })
    await world().db.deleteFrom('invoices').where('service_id', '=', service).execute()
    expect(await ask(visitor, list)).toEqual({ status: 200, body: [] })
    expect(await ask(visitor, one)).toEqual(notThere)
  })

  test('a customer keeps their invoices after their number is released and given to a different customer', async () => {
    const [buyer, heir] = [await aBuyer(), await makeCustomer(world())]
    const before = await ask(buyer.visitor, buyer.one)
    await transact(world().db, (trx) => markServiceReleased(trx, buyer.service, world().deps.clock.now()))
    expect((await buyer.visitor.get('/api/services/')).body).toEqual({})
    expect(await ask(buyer.visitor, buyer.one)).toEqual(before)
    expect((await buyer.visitor.get(buyer.list)).body).toHaveLength(1)

    await world()
      .db.updateTable('services')
      .set({ user_id: heir.id, released_at: null })
      .where('id', '=', buyer.service)
      .execute()
    expect(await ask(buyer.visitor, buyer.one)).toEqual(before)
    expect((await download(buyer.visitor, buyer.pdf)).status).toBe(200)
    expect(await ask(heir.visitor, buyer.list)).toEqual({ status: 200, body: [] })
    expect(await ask(heir.visitor, buyer.one)).toEqual(notThere)
  })

  test(
    'a released number stays in the customer’s list of numbers, and its purchases can still be read',
    { tags: ['slow'] },
    async () => {
      const [buyer, other] = [await aBuyer({ services: 2 }), await aBuyer({ services: 1 })]
      const [gone, kept] = buyer.services
      const at = world().deps.clock.now()
      await transact(world().db, (trx) => markServiceReleased(trx, gone?.id ?? '', at))
      const number = (service: typeof gone, released: string | null) => ({
        uuid: service?.id,
        phone_number: formatNational(service?.msisdn ?? ''),
        name: null,
        released,
      })
      expect(await ask(buyer.visitor, '/api/account/numbers/')).toEqual({
        status: 200,
        body: [number(kept, null), number(gone, toDate(at).toISOString())],
      })
      expect((await buyer.visitor.get(`/api/account/invoices/${gone?.id}/`)).body).toHaveLength(1)
      expect((await other.visitor.get('/api/account/numbers/')).body).toEqual([number(other.services[0], null)])
    },
  )

  test('responds with 404 to a request for someone else’s purchase history or invoice, as if it did not exist', async () => {
    const [ana, hemi] = [await aBuyer({ services: 1 }), await aBuyer({ services: 1 })]
    const none = randomUUID()
    const paths = [
      ana.list,
      ana.one,
      `/api/account/invoices/${hemi.service}/${ana.orderCode}/`,
      `/api/account/invoices/${hemi.service}/FT0000000000/`,
      ...[none, 'x', none.toUpperCase(), '%00'].flatMap((uuid) => [
        `/api/account/invoices/${uuid}/`,
        `/api/account/invoices/${uuid}/${hemi.orderCode}/`,
      ]),
    ]
    for (const path of paths) expect({ path, ...(await ask(hemi.visitor, path)) }).toEqual({ path, ...notThere })
    for (const path of [ana.list, ana.one]) expect((await world().visitor().get(path)).status).toBe(401)
  })
})

describe('invoice PDFs in downloads and emails', () => {
  test('an invoice PDF has the same data as the API, and is sent as a download that is never cached', async () => {
    const { visitor, email, one, pdf, orderCode } = await aBuyer()
    const { status, headers, bytes } = await download(visitor, pdf)
    expect(status).toBe(200)
    expect(
      Object.fromEntries(
        ['content-type', 'content-disposition', 'cache-control', 'x-content-type-options'].map((name) => [
          name,
          headers.get(name),
        ]),
      ),
    ).toEqual({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="tax-invoice-${orderCode}.pdf"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const { body } = await visitor.get(one)
    const { lines, pages } = readPdf(bytes)
    expect(pages).toBe(1)
    expect(lines).toEqual(
      expect.arrayContaining([
        'Tax Invoice',
        `Order number\t${orderCode}`,
        `${body.line_items[0].title}, 30 days\t1\t$22.00\t$22.00`,
        'Paid with\tVisa ending 1111',
        'GST included\t$2.87',
        'Total (NZD, including GST)\t$22.00',
      ]),
    )
    for (const words of [email, body.full_name, body.issuer.name, body.issuer.tax_number])
      expect(lines.join('\n')).toContain(words)
  })

  test('the PDF attached to the purchase email is identical to the downloaded PDF', async () => {
    const { visitor, email, pdf, orderCode } = await aBuyer()
    const mail = await pollUntil(async () => (await world().mailTo(email)).at(0))
    expect(mail.attachments).toEqual([
      {
        filename: `tax-invoice-${orderCode}.pdf`,
        url: expect.stringMatching(/^\/demo\/mailbox\/attachments\/[\da-f-]{36}$/),
      },
    ])
    const opened = await download(world().visitor(), mail.attachments[0]?.url ?? '')
    expect([opened.headers.get('content-type'), opened.headers.get('content-disposition')]).toEqual([
      'application/pdf',
      `inline; filename="tax-invoice-${orderCode}.pdf"`,
    ])
    expect(opened.bytes.equals((await download(visitor, pdf)).bytes)).toBe(true)
    for (const none of [randomUUID(), 'x', '%00'])
      expect((await download(world().visitor(), `/demo/mailbox/attachments/${none}`)).status).toBe(404)
  })

  test('only the customer can download their invoice PDF; a visitor who is not logged in is redirected to the invoice page', async () => {
    const [ana, hemi] = [await aBuyer({ services: 1 }), await aBuyer({ services: 1 })]
    const paths = [
      ana.pdf,
      ana.pdf.replace(ana.service, hemi.service),
      `/documents/${randomUUID()}/${hemi.orderCode}.pdf`,
      `/documents/x/${hemi.orderCode}.pdf`,
      `/documents/%00/${hemi.orderCode}.pdf`,
    ]
    for (const path of paths) expect({ path, ...(await ask(hemi.visitor, path)) }).toEqual({ path, ...notThere })
    for (const file of [
      hemi.orderCode,
      `${hemi.orderCode}.PDF`,
      `${hemi.orderCode}.pdf.html`,
      '.pdf',
      '%00.pdf',
      '%0d%0aset-cookie:a.pdf',
      `${'A'.repeat(41)}.pdf`,
    ]) {
      expect({ file, status: (await hemi.visitor.get(`/documents/${hemi.service}/${file}`)).status }).toEqual({
        file,
        status: 404,
      })
    }
    const { visitor: unconfirmed } = await makeCustomer(world(), { verified: false })
    for (const visitor of [world().visitor(), unconfirmed]) {
      const { status, headers } = await download(visitor, ana.pdf)
      expect([status, headers.get('location')]).toEqual([302, `/services/${ana.service}/invoices/${ana.orderCode}/`])
    }
    expect((await download(world().visitor(), `/documents/%2f%2fevil.example%3f/A.pdf`)).headers.get('location')).toBe(
      '/services/%2F%2Fevil.example%3F/invoices/A/',
    )
  })
})

describe.each([markets.NZ, markets.AU])('GST in $country', (market) => {
  test(`GST is ${market.taxPart.join('/')} of each price in the catalogue, rounded to the nearest cent`, async () => {
    const { db, deps } = world()
    const { visitor, one, orderCode } = await aBuyer({ services: 1 })
    const order = await db
      .selectFrom('orders')
      .selectAll()
      .where('order_code', '=', orderCode)
      .executeTakeFirstOrThrow()
    const products = await db.selectFrom('products').select(['price_cents', 'price_rebill_cents']).execute()
    const prices = new Set(
      products.flatMap(({ price_cents, price_rebill_cents }) => [price_cents, price_rebill_cents ?? price_cents]),
    )
    expect(prices.size).toBeGreaterThan(10)
    for (const price of prices) {
      const sale = {
        ...order,
        paidWith: 'Visa ending 1111',
        service_id: order.service_id ?? '',
        user_id: order.user_id ?? '',
        amount_cents: price,
        currency: market.currency,
      }
      await transact(db, async (trx) => {
        await trx.deleteFrom('invoices').where('order_id', '=', order.id).execute()
        await writeInvoice(trx, { clock: deps.clock, market, issuer: readProvider(fantailFolder, market).issuer }, sale)
      })
      const { body } = await visitor.get(one)
      expect(body).toMatchObject({
        total_price: centsToDecimal(price),
        currency: market.currency,
        issuer: { tax_label: market.taxLabel },
      })
      const [part, whole] = market.taxPart
      // Rounding to the nearest cent may change the tax by up to half a cent.
      expect(2 * Math.abs(decimalToCents(body.tax) * whole - price * part)).toBeLessThanOrEqual(whole)
    }
  })
})

describe('the payment method on an invoice', () => {
  test(
    'an invoice names the card that was charged, even if the customer saves a different card later',
    { tags: ['slow'] },
    async () => {
      const { visitor, services, list, id } = await aBuyer()
      const [service] = services
      if (!service) throw new Error('there is no service')
      expect((await renew(world(), visitor, service, { saved: true })).status).toBe(200)
      // The response is sent as soon as the plan has been added. The invoice is created after that, so wait for it.
      const before = await pollUntil(async () => {
        const { body } = await visitor.get(list)
        return body.length === 2 && (body as { paid_with: string }[])
      })
      expect(before.map(({ paid_with }) => paid_with)).toEqual(['Visa ending 1111', 'Visa ending 1111'])
      const row = { card_type: 'mc', last_four: '4444' }
      await world().db.updateTable('saved_cards').set(row).where('user_id', '=', id).execute()
      expect((await visitor.get(list)).body).toEqual(before)
    },
  )

  test('a payment with a saved card records which card was used even before the gateway has responded', async () => {
    const { visitor, services, id } = await aBuyer()
    const [service] = services
    if (!service) throw new Error('there is no service')
    const row = { card_type: 'amex', last_four: '0002' }
    await world().db.updateTable('saved_cards').set(row).where('user_id', '=', id).execute()
    await failGateway(world(), { operation: 'authorise', kind: 'lost_request', times: 1000 })
    expect((await renew(world(), visitor, service, { saved: true })).status).toBe(202)
    const attempt = await world()
      .db.selectFrom('payment_attempts')
      .innerJoin('orders', 'orders.id', 'payment_attempts.order_id')
      .select('card')
      .where('orders.user_id', '=', id)
      .where('orders.kind', '=', 'recharge')
      .executeTakeFirstOrThrow()
    expect(attempt.card).toMatchObject({ type: 'amex', lastFour: '0002' })
    await clearFailures(world())
  })

  test('the purchase history marks purchases made by auto-renewal', { tags: ['slow'] }, async () => {
    const renewing = await createRenewingCustomer(world())
    const { visitor } = renewing.customer
    const list = `/api/account/invoices/${renewing.service.id}/`
    await world().advance('P7D')
    const [newest] = await pollUntil(async () => {
      const documents = (await visitor.get(list)).body
      return documents.length === 2 && documents
    })
    expect(newest).toMatchObject({ paid_with: 'Visa ending 1111', auto: true, title: '500 MB Prepay Plan', length: 7 })
  })
})

test('an invoice keeps the customer’s name as it was at the time of purchase', async () => {
  const { visitor, id, one } = await aBuyer({ services: 1 })
  const before = await ask(visitor, one)
  await world()
    .db.updateTable('users')
    .set({ first_name: 'Another', updated_at: toDate(world().deps.clock.now()) })
    .where('id', '=', id)
    .execute()
  expect(await ask(visitor, one)).toEqual(before)
})
