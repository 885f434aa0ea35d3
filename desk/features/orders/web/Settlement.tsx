import { useState } from 'react'
import { fromWire } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Notices } from '#kit/web/desk/Notices.tsx'
import { Link } from '#kit/web/Link.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { minuteOf, spanWords } from '#desk/features/staff/web/span-words.ts'
import type { DeskOrder } from '../orders.contract.ts'
import { SettleDrawer } from './SettleDrawer.tsx'

type Props = { order: DeskOrder; onDone: (words: string) => void; onStale: () => void }

const what = {
  payment: 'whether its payment is reserved',
  capture: 'whether its money was taken',
  refund: 'whether its refund went back',
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
          Of its money {formatSum(fromWire(amount))} is in a dispute: {words}.{' '}
          <Link href={`/money/disputes/${reference}/`}>Dispute {reference}</Link>
        </Banner>
      ))}
      {unsettled && (
        <Banner kind="warn">
          <p>
            Since {minuteOf(unsettled.since, zone)} the gateway has not said {what[unsettled.of]}. It is asked on.
          </p>
          {unsettled.asked ? (
            <p>
              {unsettled.asked.is_own ? 'You have' : `${unsettled.asked.by} has`} asked to settle it by hand. It waits
              for a second person, and lapses in {spanWords(unsettled.asked.left_seconds)}.{' '}
              {!unsettled.asked.is_own && <Link href="/">See it on Today</Link>}
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
          onDone={(words) => {
            setOpen(false)
            onDone(words)
          }}
          onStale={onStale}
        />
      )}
    </Notices>
  )
}
