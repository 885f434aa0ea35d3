import { useState } from 'react'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Notices } from '#kit/web/desk/Notices.tsx'
import { Link } from '#kit/web/Link.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { formatDateAndTime } from '#desk/features/staff/web/date-time.labels.ts'
import { durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { DeskOrder } from '../orders.contract.ts'
import { SettleDrawer } from './SettleDrawer.tsx'

type Props = { order: DeskOrder; onDone: (text: string) => void; onStale: () => void }

const outcomeQuestions = {
  payment: 'whether the payment is reserved',
  capture: 'whether the money was taken',
  refund: 'whether the refund was made',
} as const

export function Settlement({ order, onDone, onStale }: Props) {
  const { disputes, unsettled } = order
  const { zone } = useBootstrap().market
  const [isOpen, setOpen] = useState(false)
  if (disputes.length === 0 && !unsettled) return null
  return (
    <Notices>
      {disputes.map(({ reference, words, amount }) => (
        <Banner key={reference} kind="info">
          {formatPriceWithCommas(decimalToCents(amount))} of this order is disputed: {words}.{' '}
          <Link href={`/money/disputes/${reference}/`}>Dispute {reference}</Link>
        </Banner>
      ))}
      {unsettled && (
        <Banner kind="warn">
          <p>
            No answer from the gateway since {formatDateAndTime(unsettled.since, zone)}: we don’t know yet{' '}
            {outcomeQuestions[unsettled.of]}. We’ll keep checking.
          </p>
          {unsettled.asked ? (
            <p>
              {unsettled.asked.is_own ? 'You' : unsettled.asked.by} asked to settle it by hand. The request needs
              approval and expires in {durationLabel(unsettled.asked.left_seconds)}.{' '}
              {!unsettled.asked.is_own && <Link href="/">See the request on Today</Link>}
            </p>
          ) : (
            <DenseButton small onClick={() => setOpen(true)}>
              Settle by hand
            </DenseButton>
          )}
        </Banner>
      )}
      {unsettled && (
        <SettleDrawer
          code={order.code}
          unsettled={unsettled}
          deciders={order.deciders}
          open={isOpen}
          onClose={() => setOpen(false)}
          onDone={(text) => {
            setOpen(false)
            onDone(text)
          }}
          onStale={onStale}
        />
      )}
    </Notices>
  )
}
