import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import { maxOrders, type NumberOrder } from '../number.contract.ts'

const columns = [
  { title: 'Order', isName: true, isShort: true },
  { title: 'State' },
  { title: 'Type' },
  { title: 'Plan', isExtra: true },
  { title: 'Placed', isShort: true },
  { title: 'Amount', isFigure: true },
]

export function NumberOrders({ orders }: { orders: readonly NumberOrder[] }) {
  const { zone } = useBootstrap().market
  return (
    <Panel title="Orders" note={orders.length === maxOrders && 'latest ten'} inset={false}>
      <DataTable
        caption="Orders for this number, newest first"
        columns={columns}
        rows={orders.map(({ code, said, tone, what, title, at, amount }) => ({
          key: code,
          href: `/orders/${code}/`,
          cells: [
            code,
            <TonePill key="state" tone={tone}>
              {said}
            </TonePill>,
            what,
            title,
            formatDayAndTime(at, zone),
            formatPriceWithCommas(decimalToCents(amount)),
          ],
        }))}
        empty="No orders yet."
      />
    </Panel>
  )
}
