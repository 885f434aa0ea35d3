import type { DeskOrder } from '../orders.contract.ts'

type TicketSource = Pick<DeskOrder, 'code' | 'payments' | 'network'>

export const gatewaySupportText = ({ code, payments }: TicketSource): string =>
  formatLines(
    `Order ${code}, times in UTC`,
    payments.map(({ at, what, reference, said, psp_reference, amount }) => [
      at,
      what,
      reference && `our reference ${reference}`,
      psp_reference && `your reference ${psp_reference}`,
      amount,
      said,
    ]),
  )

/**
 * Returns the text for a ticket to the carrier: each network operation with its external id and outcome. It contains no
 * phone or SIM numbers.
 */
export const carrierTicketText = ({ code, network }: TicketSource): string =>
  formatLines(
    `Order ${code}, times in UTC`,
    network.map(({ at, what, external_id, said, seconds }) => [
      at,
      what,
      external_id && `external id ${external_id}`,
      said,
      seconds !== null && `after ${seconds} s`,
    ]),
  )

const formatLines = (head: string, rows: (string | null | false)[][]): string =>
  [head, ...rows.map((parts) => parts.filter(Boolean).join('  '))].join('\n')
