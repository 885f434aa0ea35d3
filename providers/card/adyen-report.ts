import { dropTrailingEmpty, namedSeparator, tryEachSeparator } from '#kit/contract/csv-fields.ts'
import { GatewayReportError, type GatewayReportReader, type ReportedPayment } from './gateway-report.port.ts'
import { type ReportLine, readReportLines, splitReportLine } from './report-lines.ts'

const commonColumns = ['Merchant Account', 'Psp Reference', 'Merchant Reference', 'TimeZone']

/**
 * Columns that differ between the gateway's two reports. An entry contains an amount in only one of the `amounts` columns, or the same
 * amount in both columns with opposite signs.
 */
const reportLayouts = [
  {
    report: 'Payment accounting report',
    type: 'Record Type',
    at: 'Booking Date',
    currency: 'Payment Currency',
    amounts: ['Authorised (PC)', 'Captured (PC)'],
  },
  {
    report: 'Settlement details report',
    type: 'Type',
    at: 'Creation Date',
    currency: 'Gross Currency',
    amounts: ['Gross Debit (GC)', 'Gross Credit (GC)'],
  },
]

type ReportLayout = (typeof reportLayouts)[number]

/**
 * Maps each entry type to the total that its amounts count towards. Sending a payment for settlement and settling it are two separate
 * entries for the same amount.
 */
const totalByEntryType = {
  Authorised: 'authorised',
  SentForSettle: 'sentForSettle',
  Settled: 'settled',
  SettledBulk: 'settled',
  SettledInstallment: 'settled',
  SettledExternally: 'settled',
  CaptureFailed: 'captureFailed',
  SettledReversed: 'captureFailed',
  SentForRefund: 'sentForRefund',
  Refunded: 'refundArrived',
  RefundedBulk: 'refundArrived',
  RefundedExternally: 'refundArrived',
  RefundFailed: 'refundFailed',
  RefundedReversed: 'refundFailed',
  Chargeback: 'chargedBack',
  ChargebackExternally: 'chargedBack',
  SecondChargeback: 'chargedBack',
  ChargebackReversed: 'chargebackReversed',
  Cancelled: 'released',
  Expired: 'released',
  Refused: 'released',
  Error: 'released',
} as const
type TotalName = (typeof totalByEntryType)[keyof typeof totalByEntryType]

type ReportEntry = {
  pspReference: string
  reference: string
  at: Temporal.Instant
  currency: string
  sum: TotalName
  cents: number
}
type PaymentEntries = Omit<ReportEntry, 'sum' | 'cents'> & { sums: Map<TotalName, number> }

/** Creates a reader for Adyen's reports. Entries of unknown types, such as fees, are ignored. */
export const createAdyenReportReader =
  (merchantAccount: string): GatewayReportReader =>
  async (bytes, isOurs) => {
    const payments = new Map<string, PaymentEntries>()
    let named: string | null = null
    let readEntry: ((line: ReportLine) => ReportEntry | null) | null = null
    for await (const line of readReportLines(bytes)) {
      const separator = readEntry ? null : namedSeparator(line.text)
      if (readEntry) addEntry(payments, readEntry(line))
      else if (separator !== null) named = separator
      else readEntry = createEntryReader(readHeader(line, named), merchantAccount, isOurs)
    }
    if (!readEntry) throw new GatewayReportError('The file is empty.')
    return [...payments.values()]
      .map(toReportedPayment)
      .toSorted((one, other) => Temporal.Instant.compare(one.firstAt, other.firstAt))
  }

function addEntry(payments: Map<string, PaymentEntries>, entry: ReportEntry | null): void {
  if (!entry) return
  const { sum, cents, ...first } = entry
  const payment = payments.get(entry.pspReference) ?? { ...first, sums: new Map<TotalName, number>() }
  if (Temporal.Instant.compare(entry.at, payment.at) < 0) payment.at = entry.at
  if (payment.currency === '') payment.currency = entry.currency
  payment.sums.set(sum, (payment.sums.get(sum) ?? 0) + cents)
  payments.set(entry.pspReference, payment)
}

function toReportedPayment({ pspReference, reference, at, currency, sums }: PaymentEntries): ReportedPayment {
  const of = (sum: TotalName): number => sums.get(sum) ?? 0
  const clampToZero = (cents: number): number => Math.max(0, cents)
  return {
    pspReference,
    reference,
    firstAt: at,
    currency,
    authorised: of('authorised'),
    captured: clampToZero(Math.max(of('sentForSettle'), of('settled')) - of('captureFailed')),
    refunded: clampToZero(Math.max(of('sentForRefund'), of('refundArrived')) - of('refundFailed')),
    disputed: clampToZero(of('chargedBack') - of('chargebackReversed')),
    isReleased: sums.has('released'),
  }
}

type ReportHeader = { line: number; names: string[]; separator: string; layout: ReportLayout }

/** @throws GatewayReportError if a column is missing */
function readHeader({ line, text }: ReportLine, named: string | null): ReportHeader {
  const header = tryEachSeparator(named, (separator) => {
    const names = dropTrailingEmpty(splitReportLine(text, separator) ?? [])
    const layout = reportLayouts.find(({ type }) => names.includes(type))
    return layout ? { line, names, separator, layout } : null
  })
  if (!header)
    throw new GatewayReportError(
      `Line ${line} has neither a Record Type column (Payment accounting report) nor a Type column (Settlement details report).`,
    )
  const { names, layout } = header
  const requiredColumns = [...commonColumns, layout.at, layout.currency, ...layout.amounts]
  const missingColumns = requiredColumns.filter((name) => !names.includes(name))
  if (missingColumns.length > 0)
    throw new GatewayReportError(
      `Line ${line} of a ${layout.report} must have the columns ${missingColumns.join(', ')}.`,
    )
  return header
}

function createEntryReader(header: ReportHeader, merchantAccount: string, isOurs: (reference: string) => boolean) {
  const { names, separator, layout } = header
  return ({ line, text }: ReportLine): ReportEntry | null => {
    const fields = splitReportLine(text, separator)
    if (!fields) throw new GatewayReportError(`Line ${line} has a quotation mark in the wrong place.`)
    if (fields.every((value) => value === '')) return null
    if (fields.length < names.length || fields.slice(names.length).some((value) => value !== ''))
      throw new GatewayReportError(
        `Line ${line} has ${fields.length} fields, and line ${header.line} has ${names.length}.`,
      )
    const field = (name: string): string => fields[names.indexOf(name)] ?? ''
    const reference = field('Merchant Reference')
    if (field('Merchant Account') !== merchantAccount || !isOurs(reference)) return null
    const type = field(layout.type)
    if (!isKnownType(type)) return null
    return {
      pspReference: readPspReference(line, field('Psp Reference')),
      reference,
      at:
        parseReportInstant(field(layout.at), field('TimeZone')) ??
        throwReportFault(line, layout.at, 'must be like 2026-12-01 08:30:00'),
      currency: field(layout.currency),
      sum: totalByEntryType[type],
      cents:
        parseAmountInCents(layout, field) ??
        throwReportFault(line, layout.amounts.join(' or '), 'must be an amount like 22.00'),
    }
  }
}

/** Spreadsheet programs round a reference that consists of digits, and then several payments have the same one. */
function readPspReference(line: number, text: string): string {
  if (text === '') throwReportFault(line, 'Psp Reference', 'must not be empty')
  if (/^\d[.,]?\d*E\+\d+$/i.test(text))
    throwReportFault(line, 'Psp Reference', `${text} was rounded by a spreadsheet program; download the report again`)
  return text
}

const isKnownType = (type: string): type is keyof typeof totalByEntryType => Object.hasOwn(totalByEntryType, type)

function throwReportFault(line: number, column: string, what: string): never {
  throw new GatewayReportError(`Line ${line}: ${column} ${what}.`)
}

/**
 * Returns an entry's amount in cents, without its sign, or `null` if a field is not an amount. Where spreadsheet programs separate fields
 * with semicolons, they write amounts with a decimal comma.
 */
function parseAmountInCents({ amounts }: ReportLayout, field: (name: string) => string): number | null {
  let most = 0
  for (const text of amounts.map(field)) {
    if (text !== '' && !/^-?\d{1,9}(?:[.,]\d{1,2})?$/.test(text)) return null
    most = Math.max(most, Math.round(Math.abs(Number(text.replace(',', '.'))) * 100))
  }
  return most
}

const utcOffsetHoursByZone: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  CET: 1,
  CEST: 2,
  AWST: 8,
  ACST: 9.5,
  AEST: 10,
  ACDT: 10.5,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
}
/** UTC offset assumed for an unknown time zone. It yields the latest possible instant, so that no payment looks older than it is. */
const fallbackUtcOffsetHours = -12

function parseReportInstant(text: string, zone: string): Temporal.Instant | null {
  if (!/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?$/.test(text)) return null
  try {
    const inUtc = Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toZonedDateTime('UTC').toInstant()
    const hours = Object.hasOwn(utcOffsetHoursByZone, zone)
      ? (utcOffsetHoursByZone[zone] ?? fallbackUtcOffsetHours)
      : fallbackUtcOffsetHours
    return inUtc.subtract({ minutes: hours * 60 })
  } catch {
    return null
  }
}
