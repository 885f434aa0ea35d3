import { passesLuhn } from '#kit/contract/card-number.ts'
import type { Region } from '#kit/contract/phone.ts'
import { type LineFault, getLineFaultMessage } from '#features/stock/server/sim-line.ts'
import type { BadLineRow } from '#features/stock/server/sim-load-lines.store.ts'
import type { BadLine, MarkedField } from '../sim-loads.contract.ts'

const faultTitles: Record<LineFault, string> = {
  too_long: 'Too long',
  fields: 'Wrong number of fields',
  iccid: 'Invalid ICCID',
  check_digit: 'Wrong check digit',
  number: 'Invalid mobile number',
  puk: 'Invalid PUK',
  iccid_twice: 'Duplicate ICCID',
  number_twice: 'Duplicate number',
  iccid_in_stock: 'ICCID already in stock',
  number_in_use: 'Number in use',
  number_reserved: 'Number being transferred to us',
  number_in_stock: 'Number already in stock',
}
export const faultTitle = (fault: LineFault): string => faultTitles[fault]

/** Returns a bad line in a SIM file, with its fault. The line's PUK was never stored. */
export function presentBadLine({ line, iccid, msisdn, fault, other_line: other }: BadLineRow, region: Region): BadLine {
  const mark = iccid === null ? null : findFault(fault, iccid)
  return {
    line,
    iccid: createMarkedField(iccid, mark?.place ?? null),
    number: createMarkedField(msisdn, markWrongText(phoneNumberFaults.includes(fault), msisdn)),
    why: mark?.why ?? getLineFaultMessage(fault, { line: other, region }),
  }
}

type FaultRange = NonNullable<MarkedField>['mark']
const createMarkedField = (text: string | null, mark: FaultRange): MarkedField =>
  text === null ? null : { text, mark }

const phoneNumberFaults: readonly LineFault[] = [
  'number',
  'number_twice',
  'number_in_use',
  'number_reserved',
  'number_in_stock',
]
const markWrongText = (isWrong: boolean, text: string | null): FaultRange =>
  isWrong && text !== null ? { start: 0, length: text.length } : null

type FaultDetail = { place: FaultRange; why: string | null }

function findFault(fault: LineFault, iccid: string): FaultDetail | null {
  if (fault === 'check_digit') return locateWrongCheckDigit(iccid)
  if (fault === 'iccid') return locateWrongDigits(iccid)
  return fault === 'iccid_twice' || fault === 'iccid_in_stock' ? { place: markWrongText(true, iccid), why: null } : null
}

function locateWrongCheckDigit(iccid: string): FaultDetail {
  const body = iccid.slice(0, -1)
  const correctDigit = [...'0123456789'].find((digit) => passesLuhn(body + digit)) ?? ''
  return { place: { start: body.length, length: 1 }, why: `The check digit should be ${correctDigit}.` }
}

function locateWrongDigits(iccid: string): FaultDetail {
  const start = iccid.search(/\D/)
  if (start >= 0) {
    const found = iccid[start] ?? ''
    const kind = /[a-z]/i.test(found) ? `The letter ${found}` : `The character ${found}`
    return { place: { start, length: 1 }, why: `${kind} is not a digit.` }
  }
  if (!iccid.startsWith('89'))
    return { place: { start: 0, length: Math.min(2, iccid.length) }, why: 'The ICCID does not start with 89.' }
  const extra = Math.max(0, iccid.length - 20)
  return {
    place: extra > 0 ? { start: 20, length: extra } : { start: Math.max(0, iccid.length - 2), length: 2 },
    why: `${iccid.length} digits; an ICCID has 19 or 20.`,
  }
}
