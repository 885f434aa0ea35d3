import { type Finding, createFaultUnless } from '#quality/support/findings.ts'
import type { ProductRecords } from '#quality/support/product-records.ts'

export function auditStock({ sims, vouchers, services, orders }: ProductRecords): Finding[] {
  const codes = new Map(orders.map(({ id, order_code: code }) => [id, code]))
  const serviceIccids = new Set(services.map(({ iccid }) => iccid))
  const faults = [
    ...sims.flatMap(({ iccid, order_id: id, activated_at: at }) =>
      createFaultUnless(
        at === null || (id !== null && serviceIccids.has(iccid)),
        'unexplained',
        `the SIM ${iccid} is used, and ${id === null ? 'by no order' : 'no service has it'}`,
      ).map((fault) => ({ ...fault, id })),
    ),
    ...vouchers.flatMap(({ id: voucher, order_id: id, redeemed_at: at, voided_at: voided }) => [
      ...createFaultUnless(at === null || id !== null, 'lost', `the voucher ${voucher} is used, and by no order`).map(
        (fault) => ({
          ...fault,
          id,
        }),
      ),
      ...createFaultUnless(
        at === null || voided === null,
        'unexplained',
        `the voucher ${voucher} was taken back, and is used`,
      ).map((fault) => ({ ...fault, id })),
    ]),
  ]
  const spent = Map.groupBy(
    orders.filter(({ state, voucher_id: voucher }) => state === 'completed' && voucher !== null),
    (order) => order.voucher_id,
  )
  return [
    ...faults.map(({ kind, text, id }) => ({ kind, text, order_code: (id && codes.get(id)) ?? null })),
    ...[...spent].flatMap(([voucher, [, ...more]]) =>
      more.map(({ order_code: code }) => ({
        kind: 'doubled' as const,
        order_code: code,
        text: `${code} was paid with the voucher ${voucher}, which also paid for another order`,
      })),
    ),
  ]
}
