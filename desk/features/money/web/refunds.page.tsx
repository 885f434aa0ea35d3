import { useState } from 'react'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { formatDateAndTime } from '#desk/features/staff/web/date-time.labels.ts'
import { durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { RefundList, RefundRow } from '../refunds.contract.ts'
import { refundsFilterFromUrl, refundsParams, refundsPath, refundsQuery } from './money.queries.ts'
import { MoneyHead } from './MoneyHead.tsx'
import { PageLinks } from './PageLinks.tsx'
import { RefundDownloadForm, RefundFilterForm } from './RefundForms.tsx'
import { RetryDrawer } from './RetryDrawer.tsx'
import * as s from './money.module.css'

const lists: Record<RefundList, { text: string; title: string; empty: string }> = {
  waiting: { text: 'Not arrived', title: 'Refunds that have not arrived', empty: 'No refunds to follow up.' },
  all: { text: 'All', title: 'All refunds', empty: 'No refunds.' },
  received: { text: 'Refunded', title: 'Refunds that the gateway accepted', empty: 'No accepted refunds.' },
  open: { text: 'No answer', title: 'Refunds without an answer', empty: 'No refunds are waiting for an answer.' },
  refused: { text: 'Refused', title: 'Refused refunds', empty: 'No refused refunds.' },
  returned: { text: 'Returned', title: 'Refunds that the bank returned', empty: 'No returned refunds.' },
}
const chips = (Object.keys(lists) as RefundList[]).map((value) => ({ value, text: lists[value].text }))

const columns = [
  { title: 'Order', isName: true, isShort: true },
  { title: 'Requested' },
  { title: 'State' },
  { title: 'Details' },
  { title: 'Amount', isFigure: true },
  { title: 'Action', isShort: true },
]

export default function RefundsPage() {
  const navigate = useNavigate()
  const filter = refundsFilterFromUrl(useRawLocation().search)
  const { data, error, refetch } = useQuery(refundsQuery(useApi(), filter))
  const [refundToRetry, setRefundToRetry] = useState<RefundRow | null>(null)
  const [doneMessage, setDoneMessage] = useState<string | null>(null)
  const { title, empty } = lists[filter.of]
  return (
    <>
      <MoneyHead at="/money/refunds/" />
      <ChipRow
        label="Filter refunds by state"
        chips={chips}
        value={filter.of}
        onChange={(of) => navigate(refundsPath({ ...filter, of, before: null }))}
      />
      <RefundFilterForm filter={filter} />
      <div role="status" className={s.status}>
        {doneMessage && <Banner kind="good">{doneMessage}</Banner>}
      </div>
      <Panel title={title} note="newest first" inset={false}>
        {error && !data && (
          <Unavailable what="We couldn’t load the refunds." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={6} />}
        {data && (
          <RefundTable
            caption={title}
            refunds={data.refunds}
            empty={filter.from || filter.to ? 'No refunds match the filter.' : empty}
            more={
              (data.next ?? filter.before) && (
                <PageLinks
                  path="/money/refunds/"
                  query={refundsParams({ ...filter, before: null })}
                  before={filter.before}
                  next={data.next}
                />
              )
            }
            onRetry={(refund) => {
              setDoneMessage(null)
              setRefundToRetry(refund)
            }}
          />
        )}
      </Panel>
      {data && <RefundDownloadForm filter={filter} today={data.today} />}
      <RetryDrawer
        refund={refundToRetry}
        onClose={() => setRefundToRetry(null)}
        onDone={() => {
          setRefundToRetry(null)
          setDoneMessage('The refund was sent to the gateway again.')
          void refetch()
        }}
      />
    </>
  )
}

type RefundTableProps = {
  caption: string
  refunds: RefundRow[]
  empty: string
  more: React.ReactNode
  onRetry: (refund: RefundRow) => void
}

function RefundTable({ caption, refunds, empty, more, onRetry }: RefundTableProps) {
  const { zone } = useBootstrap().market
  const rows = refunds.map((refund) => ({
    key: refund.id,
    href: `/orders/${refund.order}/`,
    cells: [
      refund.order,
      `${formatDateAndTime(refund.created, zone)} (${durationLabel(refund.age_seconds)} ago)`,
      <TonePill key="state" tone={refund.tone}>
        {refund.words}
      </TonePill>,
      `${refund.why}.`,
      formatPriceWithCommas(decimalToCents(refund.amount)),
      refund.may_retry ? (
        <DenseButton key="do" small onClick={() => onRetry(refund)}>
          Try again
        </DenseButton>
      ) : (
        ''
      ),
    ],
  }))
  return <DataTable caption={caption} columns={columns} rows={rows} empty={empty} more={more} />
}
