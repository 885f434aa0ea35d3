import { useState } from 'react'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { RefundRow } from '../money.contract.ts'
import { cursorFromUrl, refundsQuery } from './money.queries.ts'
import { MoneyHead } from './MoneyHead.tsx'
import { PageLinks } from './PageLinks.tsx'
import { RetryDrawer } from './RetryDrawer.tsx'
import * as s from './money.module.css'

const columns = [
  { title: 'Order', isName: true, isShort: true },
  { title: 'State' },
  { title: 'Reason' },
  { title: 'Since', isShort: true },
  { title: 'Amount', isFigure: true },
  { title: 'Action', isShort: true },
]

export default function RefundsPage() {
  const beforeCursor = cursorFromUrl(useRawLocation().search)
  const { data, error, refetch } = useQuery(refundsQuery(useApi(), beforeCursor))
  const [refundToRetry, setRefundToRetry] = useState<RefundRow | null>(null)
  const [doneMessage, setDoneMessage] = useState<string | null>(null)
  const rows = (data?.refunds ?? []).map((refund) => ({
    key: refund.id,
    href: `/orders/${refund.order}/`,
    cells: [
      refund.order,
      <TonePill key="state" tone={refund.tone}>
        {refund.words}
      </TonePill>,
      `${refund.why}.`,
      durationLabel(refund.age_seconds),
      formatPriceWithCommas(decimalToCents(refund.amount)),
      refund.may_retry ? (
        <DenseButton key="do" small onClick={() => (setDoneMessage(null), setRefundToRetry(refund))}>
          Try again
        </DenseButton>
      ) : (
        ''
      ),
    ],
  }))
  return (
    <>
      <MoneyHead at="/money/refunds/" />
      <div role="status" className={s.status}>
        {doneMessage && <Banner kind="good">{doneMessage}</Banner>}
      </div>
      <Panel title="Refunds that have not arrived" note="newest first" inset={false}>
        {error && !data && (
          <Unavailable what="We couldn’t load the refunds." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={6} />}
        {data && (
          <DataTable
            caption="Refunds that have not arrived"
            columns={columns}
            rows={rows}
            empty="No refunds to follow up."
            more={
              (data.next ?? beforeCursor) && <PageLinks path="/money/refunds/" before={beforeCursor} next={data.next} />
            }
          />
        )}
      </Panel>
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
