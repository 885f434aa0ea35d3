import { describe, expect, test } from 'vitest'
import { findInconsistencies, type OrderLedger } from './server/order-ledger.ts'

type Change = {
  order?: object
  attempts?: object[]
  refunds?: object[]
  disputes?: object[]
  documents?: object[]
}

const attempt = { reference: 'FT1-1', state: 'captured', amount_cents: 2200, capture_failed_at: null }
const invoice = { document_type: 'invoice', total_cents: 2200, refund_id: null }
const note = { document_type: 'credit', total_cents: -500, refund_id: 'r1' }
const refund = { id: 'r1', reference: 'FT1-1-refund', state: 'received', amount_cents: 500, psp_reference: 'psp' }
const dispute = { state: 'charged_back', amount_cents: 1700 }

const faults = ({ order, attempts, refunds, disputes, documents }: Change = {}): string[] =>
  findInconsistencies({
    order: { state: 'completed', paid_with: 'card', amount_cents: 2200, overdue_at: null, ...order },
    attempts: attempts ?? [attempt],
    refunds: refunds ?? [],
    disputes: disputes ?? [],
    documents: documents ?? [invoice],
  } as unknown as OrderLedger)

describe('orders with consistent records', () => {
  test.each<[string, Change]>([
    ['a sale', {}],
    ['a partial refund', { refunds: [refund], documents: [invoice, note] }],
    [
      'an order with a refund and a dispute of the rest',
      { refunds: [refund], disputes: [dispute], documents: [invoice, note] },
    ],
    ['a dispute that was reversed', { disputes: [{ ...dispute, state: 'reversed', amount_cents: 9900 }] }],
    ['a rejected refund', { refunds: [{ ...refund, state: 'refused', psp_reference: null }] }],
    [
      'a voucher',
      { order: { paid_with: 'voucher', amount_cents: 0 }, attempts: [], documents: [{ ...invoice, total_cents: 0 }] },
    ],
    ['a declined order', { order: { state: 'refused' }, attempts: [{ ...attempt, state: 'refused' }], documents: [] }],
    ['an undone order', { order: { state: 'undone' }, attempts: [{ ...attempt, state: 'cancelled' }], documents: [] }],
    ['an order in progress', { order: { state: 'adding_plan', overdue_at: new Date() }, documents: [] }],
    ['a held order', { order: { state: 'held' }, documents: [] }],
  ])('finds no inconsistency in the records of %s', (_, change) => expect(faults(change)).toEqual([]))
})

describe('orders with inconsistent records', () => {
  test.each<[string, Change]>([
    ['is delivered and was charged 0 times', { attempts: [{ ...attempt, state: 'refused' }] }],
    ['is delivered and was charged 2 times', { attempts: [attempt, { ...attempt, reference: 'FT1-2' }] }],
    ['was charged a different amount from its price', { attempts: [{ ...attempt, amount_cents: 2100 }] }],
    ['is delivered, and FT1-1 could not be captured', { attempts: [{ ...attempt, capture_failed_at: new Date() }] }],
    ['has money reserved by FT1-2', { attempts: [attempt, { ...attempt, state: 'authorised', reference: 'FT1-2' }] }],
    [
      'is undone, and money is reserved by FT1-1',
      { order: { state: 'undone' }, attempts: [{ ...attempt, state: 'authorised' }] },
    ],
    ['is undone, and FT1-1 was captured', { order: { state: 'undone' } }],
    ['is not over', { order: { state: 'adding_plan' } }],
    ['has 0 invoices', { documents: [] }],
    ['has an invoice for a different amount', { documents: [{ ...invoice, total_cents: 2100 }] }],
    ['has 1 credit notes for 0 refunds', { documents: [invoice, note] }],
    [
      'still owes the customer the refund FT1-1-refund',
      { refunds: [{ ...refund, state: 'returned' }], documents: [invoice, note] },
    ],
    [
      'was charged $22.00, of which $5.00 was refunded and $17.01 is disputed',
      { refunds: [refund], disputes: [{ ...dispute, amount_cents: 1701 }], documents: [invoice, note] },
    ],
  ])('reports an order that %s', (fault, change) => expect(faults(change)).toContain(fault))

  test('reports a refund that has no credit note', () =>
    expect(faults({ refunds: [refund] })).toEqual([
      'has no credit note for FT1-1-refund',
      'has 0 credit notes for 1 refunds',
    ]))
})
