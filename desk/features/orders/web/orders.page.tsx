import { type FormEvent, useRef } from 'react'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { PageHead } from '#kit/web/desk/PageHead.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { OrderRow } from '../orders.contract.ts'
import { ordersQuery, ordersFilterFromUrl } from './orders.queries.ts'
import * as s from './orders.module.css'

const chips = [
  { value: 'all', text: 'All' },
  { value: 'open', text: 'In progress' },
  { value: 'held', text: 'Held' },
  { value: 'failed', text: 'Failed' },
] as const

export default function OrdersPage() {
  const navigate = useNavigate()
  const filter = ordersFilterFromUrl(useRawLocation().search)
  const { data, error, refetch } = useQuery(ordersQuery(useApi(), filter))
  const buildListPath = (query: Record<string, string>) => `/orders/?${new URLSearchParams(query)}`
  return (
    <>
      <PageHead title="Orders">
        <OpenByCodeForm />
      </PageHead>
      <Panel
        title="Not completed"
        note="newest first"
        inset={false}
        action={
          <ChipRow
            label="Filter orders"
            chips={chips}
            value={filter.of}
            onChange={(of) => navigate(buildListPath({ of }))}
          />
        }
      >
        {error && !data && (
          <Unavailable what="We couldn’t load the orders." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={6} />}
        {data && (
          <Orders
            orders={data.orders}
            more={
              (data.next ?? filter.before) && (
                <>
                  {filter.before && (
                    <DenseButton small href={buildListPath({ of: filter.of })}>
                      Newest
                    </DenseButton>
                  )}{' '}
                  {data.next && (
                    <DenseButton small href={buildListPath({ of: filter.of, before: data.next })}>
                      Older
                    </DenseButton>
                  )}
                </>
              )
            }
          />
        )}
      </Panel>
    </>
  )
}

const columns = [
  { title: 'Order', isName: true, isShort: true },
  { title: 'State' },
  { title: 'What', isExtra: true },
  { title: 'Plan' },
  { title: 'Customer' },
  { title: 'Placed', isShort: true },
  { title: 'Amount', isFigure: true },
]

function Orders({ orders, more }: { orders: OrderRow[]; more: React.ReactNode }) {
  const { zone } = useBootstrap().market
  const rows = orders.map((order) => ({
    key: order.code,
    href: `/orders/${order.code}/`,
    cells: [
      order.code,
      <TonePill key="state" tone={order.tone}>
        {order.state_words}
      </TonePill>,
      order.kind_words,
      order.title,
      order.name,
      formatDayAndTime(order.created, zone),
      formatPriceWithCommas(decimalToCents(order.amount)),
    ],
  }))
  return <DataTable caption="Orders" columns={columns} rows={rows} more={more} empty="No orders to show." />
}

function OpenByCodeForm() {
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  function open(event: FormEvent) {
    event.preventDefault()
    const code = field.current?.value.trim().toUpperCase() ?? ''
    if (/^[0-9A-Z]{6,24}$/.test(code)) navigate(`/orders/${code}/`)
    else field.current?.focus()
  }
  return (
    <form className={s.open} onSubmit={open} aria-label="Open an order">
      <label>
        <span className="visually-hidden">Order code</span>
        <input
          ref={field}
          name="code"
          placeholder="Order code"
          autoComplete="off"
          spellCheck={false}
          maxLength={24}
          enterKeyHint="go"
        />
      </label>
      <DenseButton type="submit">Open</DenseButton>
    </form>
  )
}
