import { passesLuhn } from '#kit/contract/card-number.ts'
import { cleanField } from '#kit/contract/csv-fields.ts'
import { parseDomesticMobile, type Region } from '#kit/contract/phone.ts'

export type ParsedSimPack = { iccid: string; msisdn: string; puk: string | null }

/**
 * The faults that a line can have, in the order of the checks: within the line, within the file, and against the stock.
 */
export const lineFaults = [
  'too_long',
  'fields',
  'iccid',
  'check_digit',
  'number',
  'puk',
  'iccid_twice',
  'number_twice',
  'iccid_in_stock',
  'number_in_use',
  'number_reserved',
  'number_in_stock',
] as const
export type LineFault = (typeof lineFaults)[number]

/** An invalid line. `typed` contains its ICCID and number if those columns could be read, but never its PUK. */
export type BadLine = { fault: LineFault; typed?: { iccid: string | null; msisdn: string | null } }

/** The number of columns in a SIM file, and the character between them. */
export type SimFileLayout = { columns: number; separator: string }

/**
 * Parses a line of a SIM file. Phone numbers are in the national format of `region`. Returns `null` for a line whose fields are all empty.
 */
export function readSimLine(
  text: string,
  { columns, separator }: SimFileLayout,
  region: Region,
): ParsedSimPack | BadLine | null {
  const values = splitFields(text, separator)
  if (values.every((value) => value === '')) return null
  if (values.length < columns || values.slice(columns).some((value) => value !== '')) return { fault: 'fields' }
  const [serial = '', number = '', puk = ''] = values
  const iccid = withoutFiller(serial.replaceAll(/[\s\p{Dash}]/gu, ''))
  const createBadLine = (fault: LineFault): BadLine => ({
    fault,
    typed: { iccid: toPrintableText(iccid), msisdn: toPrintableText(number) },
  })
  if (!/^89\d{17,18}$/.test(iccid)) return createBadLine('iccid')
  if (!passesLuhn(iccid)) return createBadLine('check_digit')
  const msisdn = parseDomesticMobile(number, region)
  if (msisdn === null) return createBadLine('number')
  if (!/^(?:\d{8})?$/.test(puk)) return createBadLine('puk')
  return { iccid, msisdn, puk: puk || null }
}

/** Removes the F that fills up an ICCID of 19 digits on the SIM itself, where each byte has two digits. */
const withoutFiller = (iccid: string): string => iccid.replace(/^(\d{19})F$/i, '$1')

/** Splits a line into fields. A field may be quoted, but cannot contain the separator. */
export const splitFields = (text: string, separator: string): string[] => text.split(separator).map(cleanField)

const maxShownLength = 40
const pukLength = 8

/**
 * Makes a field from an invalid line printable, for review. Returns `null` for a value as long as a PUK, because a PUK
 * may have slipped into the wrong column.
 */
function toPrintableText(field: string): string | null {
  const text = field.slice(0, maxShownLength).replaceAll(/[^\x20-\x7e]/g, '?')
  return text === '' || text.replaceAll(/\D/g, '').length === pukLength ? null : text
}

/** Explains why a line is invalid. The message never includes the line's content, which may contain a PUK. */
export function getLineFaultMessage(
  fault: LineFault,
  { line, region }: { line: number | null; region: Region },
): string {
  const messages: Record<LineFault, string> = {
    too_long: 'The line is too long to describe a SIM pack.',
    fields: 'The line has a different number of fields from the first line.',
    iccid: 'The ICCID must have 19 or 20 digits and start with 89.',
    check_digit: 'The check digit (last digit) of the ICCID is wrong.',
    number: `The number is not a mobile number in ${region === 'NZ' ? 'New Zealand' : 'Australia'}.`,
    puk: 'The PUK must have 8 digits.',
    iccid_twice: `The ICCID is already on line ${line}.`,
    number_twice: `The number is already on line ${line}.`,
    iccid_in_stock: 'The ICCID is already in stock.',
    number_in_use: 'The number is in use by a customer.',
    number_reserved: 'The number is being transferred from another provider.',
    number_in_stock: 'The number is already in stock, with another ICCID.',
  }
  return messages[fault]
}
