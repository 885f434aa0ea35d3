import type { FastifyInstance } from 'fastify'
import { AdyenFault } from './faults.ts'
import type { Gateway } from './gateway.ts'
import type { Payment } from './state.ts'

/** An entry in the payment report. Amounts are in cents. */
type ReportEntry = { payment: Payment; type: string; at: number; cents: number; modification: string }

const accountingColumns =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Booking Date,TimeZone,Main Currency,Main Amount,' +
  'Record Type,Payment Currency,Received (PC),Authorised (PC),Captured (PC),Modification Psp Reference'
const settlementColumns =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,' +
  'Gross Currency,Gross Debit (GC),Gross Credit (GC)'

export function serveReports(app: FastifyInstance, gateway: Gateway, { apiKey }: { apiKey: string }): void {
  const reports: Record<string, () => string[][]> = {
    'payments_accounting_report.csv': () => [
      accountingColumns.split(','),
      ...listReportEntries(gateway).map((entry) => buildAccountingLine(gateway, entry)),
    ],
    'settlement_detail_report_batch_1.csv': () => [
      settlementColumns.split(','),
      ...listReportEntries(gateway)
        .filter(({ type }) => Object.hasOwn(settlementTypes, type))
        .map((entry) => buildSettlementLine(gateway, entry)),
    ],
  }
  app.get<{ Params: { account: string; file: string } }>(
    '/reports/download/MerchantAccount/:account/:file',
    (request, reply) => {
      if (request.headers['x-api-key'] !== apiKey) throw new AdyenFault('000')
      const { account, file } = request.params
      const lines = Object.hasOwn(reports, file) && account === gateway.merchantAccount ? reports[file]?.() : undefined
      if (!lines) return reply.code(404).send()
      return reply.type('text/csv').send(lines.map((fields) => `${fields.map(quoteField).join(',')}\n`).join(''))
    },
  )
}

const quoteField = (field: string): string => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)

function listReportEntries(gateway: Gateway): ReportEntry[] {
  const payments = gateway.store.table('payments')
  const refunds = gateway.store
    .table('refunds')
    .values()
    .flatMap(({ payment: of, value: cents, createdAt, returned, pspReference: modification }) => {
      const payment = payments.get(of)
      if (!payment) return []
      const entry = { payment, at: createdAt ?? getBookingTime(payment), cents, modification }
      return [{ ...entry, type: 'SentForRefund' }, ...(returned ? [{ ...entry, type: 'RefundFailed' }] : [])]
    })
  return [...payments.values().flatMap(listPaymentEntries), ...refunds].toSorted((one, other) => one.at - other.at)
}

const getBookingTime = ({ createdAt = 0, capturedAt = createdAt }: Payment): number => capturedAt

function listPaymentEntries(payment: Payment): ReportEntry[] {
  const { authorised, captured, cancelled, requested, pending, createdAt = 0 } = payment
  if (pending) return []
  const entry = { payment, at: createdAt, modification: '' }
  if (authorised === 0) return [{ ...entry, type: 'Refused', cents: requested }]
  const [whole, part] = [
    { ...entry, type: 'Authorised', cents: authorised },
    { ...entry, at: getBookingTime(payment) },
  ]
  if (captured > 0) return [whole, { ...part, type: 'SentForSettle', cents: captured }]
  return cancelled > 0 ? [whole, { ...part, type: 'Cancelled', cents: cancelled }] : [whole]
}

const formatCents = (cents: number): string => (cents / 100).toFixed(2)
const formatReportTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

const buildLeadingFields = (gateway: Gateway, { payment, at }: ReportEntry): string[] => [
  'FantailCompany',
  gateway.merchantAccount,
  payment.pspReference,
  payment.reference,
  payment.card.paymentMethod,
  formatReportTime(at),
  'UTC',
]

/** Writes one line of the accounting report. Money moves between registers: a captured amount leaves the authorised register. */
function buildAccountingLine(gateway: Gateway, entry: ReportEntry): string[] {
  const { payment, type, cents, modification } = entry
  const amount = formatCents(cents)
  const amountsByEntryType: Record<string, [authorised: string, captured: string]> = {
    Authorised: [amount, ''],
    SentForSettle: [`-${amount}`, amount],
    SentForRefund: ['', `-${amount}`],
    RefundFailed: ['', amount],
  }
  const [authorised, captured] = amountsByEntryType[type] ?? [`-${amount}`, '']
  return [
    ...buildLeadingFields(gateway, entry),
    payment.currency,
    formatCents(payment.requested),
    type,
    payment.currency,
    '',
    authorised,
    captured,
    modification,
  ]
}

const settlementTypes: Readonly<Record<string, string>> = {
  SentForSettle: 'Settled',
  SentForRefund: 'Refunded',
  RefundFailed: 'RefundedReversed',
}

function buildSettlementLine(gateway: Gateway, entry: ReportEntry): string[] {
  const { payment, type, cents, modification } = entry
  const isDebit = type === 'SentForRefund'
  return [
    ...buildLeadingFields(gateway, entry),
    settlementTypes[type] ?? type,
    modification,
    payment.currency,
    isDebit ? formatCents(cents) : '',
    isDebit ? '' : formatCents(cents),
  ]
}
