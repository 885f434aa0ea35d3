import { fromWire } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { minuteOf } from '#desk/features/staff/web/span-words.ts'
import { mostOrders, type NumberOrder } from '../number.contract.ts'

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
    <Panel title="Orders" note={orders.length === mostOrders && 'latest ten'} inset={false}>
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
            minuteOf(at, zone),
            formatSum(fromWire(amount)),
          ],
        }))}
        empty="No orders yet."
      />
    </Panel>
  )
}
