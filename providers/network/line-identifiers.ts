import type { NetworkMapping } from './mapping.ts'
import type { NetworkOrder, LineIdentifiers } from './network.port.ts'
import type { ServiceOrder } from './tmf.response.ts'

export const getLineIdentifiers = (order: NetworkOrder): LineIdentifiers =>
  order.kind === 'port_in'
    ? { iccid: order.iccid, portingMsisdn: order.portingMsisdn }
    : { iccid: order.iccid, msisdn: order.msisdn }

/**
 * Describes how a service order contradicts the expected line, such as `SIM ending 0042 instead of 0011`. Returns `null` if there is no
 * contradiction or the order does not name a line. Carriers may write a SIM with or without its check digit, and a number with or without
 * its country code.
 */
export function findContradiction(order: ServiceOrder, line: LineIdentifiers, mapping: NetworkMapping): string | null {
  const { characteristics } = mapping
  const readDigits = (name: string): string => readCharacteristic(order, name).replaceAll(/\D/g, '')
  const iccid = readDigits(characteristics.iccid)
  if (line.iccid && iccid !== '' && !isSameSim(iccid, line.iccid)) return describeDifference('SIM', iccid, line.iccid)
  const [ours, name] = line.portingMsisdn
    ? [line.portingMsisdn, characteristics.portingMsisdn]
    : [line.msisdn, characteristics.msisdn]
  const reportedNumber = readDigits(name)
  return ours && reportedNumber !== '' && !reportedNumber.endsWith(getNationalDigits(ours))
    ? describeDifference('number', reportedNumber, ours)
    : null
}

export function readCharacteristic({ serviceOrderItem }: Pick<ServiceOrder, 'serviceOrderItem'>, name: string): string {
  const givenValue = serviceOrderItem?.[0]?.service?.serviceCharacteristic?.find((one) => one.name === name)?.value
  // A long ICCID loses its last digits when it is parsed as a JSON number, so such a value is unusable.
  return typeof givenValue === 'string' || Number.isSafeInteger(givenValue) ? String(givenValue) : ''
}

const isSameSim = (one: string, other: string): boolean =>
  (one.startsWith(other) || other.startsWith(one)) && Math.abs(one.length - other.length) <= 1

const getNationalDigits = (msisdn: string): string => msisdn.replaceAll(/\D/g, '').slice(2)

/**
 * Describes a mismatch with the expected line. The network's value may belong to another customer, so the text shows only the last four
 * digits.
 */
const describeDifference = (what: string, theirs: string, ours: string): string =>
  `${what} ending ${theirs.slice(-4)} instead of ${ours.slice(-4)}`
