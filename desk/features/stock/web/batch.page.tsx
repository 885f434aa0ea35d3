import { useState } from 'react'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { type Fact, FactStrip } from '#kit/web/desk/FactStrip.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import { formatDayAndTime, durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { BatchPage as BatchData } from '../batches.contract.ts'
import { batchLabel, formatLastValidDay } from './batch.labels.ts'
import { pluralize, formatCount } from './count.labels.ts'
import { batchQuery } from './stock.queries.ts'
import { DownloadCodes } from './DownloadCodes.tsx'
import { VoidDrawer } from './VoidDrawer.tsx'
import * as s from './stock.module.css'

export default function BatchPage({ params: { id = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(batchQuery(useApi(), id))
  const isAdmin = hasRole(useMe(), ['admin'])
  const [isVoiding, setVoiding] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  if (!data)
    return error ? (
      <>
        <h1>Batch {id}</h1>
        <Unavailable what="We couldn’t load this batch." error={error} onRetry={() => void refetch()} />
      </>
    ) : (
      <Skeleton lines={6} />
    )
  const { batch } = data
  const handleDone = (text: string) => {
    setVoiding(false)
    setMessage(text)
    void refetch()
  }
  return (
    <>
      <header className={s.title}>
        <nav aria-label="Breadcrumb" className="muted">
          <Link href="/stock/">Stock</Link>
        </nav>
        <div className={s.head}>
          <h1>Batch {batch.id}</h1>
          <TonePill tone={batchLabel(batch).tone}>{batchLabel(batch).text}</TonePill>
          <p className="muted">
            {pluralize(batch.count, 'voucher', 'vouchers')} for {batch.plan}
          </p>
          {isAdmin && batch.state === 'complete' && (
            <div className={s.acts}>
              <DenseButton kind="bad" onClick={() => setVoiding(true)}>
                Void batch
              </DenseButton>
            </div>
          )}
        </div>
      </header>
      <div role="status">{message && <Banner kind="good">{message}</Banner>}</div>
      <Facts data={data} />
      <p className={s.sum}>{batchStateSentence(data)}</p>
      {isAdmin && data.is_own && <DownloadCodes batch={batch} onTaken={() => void refetch()} onGood={handleDone} />}
      <VoidDrawer batch={batch} open={isVoiding} onClose={() => setVoiding(false)} onDone={handleDone} />
    </>
  )
}

function Facts({ data: { batch, worth, reason, note } }: { data: BatchData }) {
  const { zone } = useBootstrap().market
  const facts: Fact[] = [
    { label: 'Made by', value: `${batch.made_by}, ${formatDayAndTime(batch.created, zone)}` },
    { label: 'Approved by', value: batch.approved_by ?? 'Nobody' },
    {
      label: 'Valid until',
      value: `${formatLastValidDay(batch)}${batch.days_left >= 0 ? `, ${pluralize(batch.days_left, 'day', 'days')} left` : ', expired'}`,
    },
    { label: 'Redeemed', value: formatCount(batch.redeemed) },
    { label: 'Held by orders', value: formatCount(batch.held) },
    { label: 'Unused', value: formatCount(batch.unused) },
    { label: 'Total value', value: formatPriceWithCommas(decimalToCents(worth)) },
    ...(reason ? [{ label: 'Reason', value: note ? `${reason}: ${note}` : reason }] : []),
  ]
  return <FactStrip facts={facts} />
}

function batchStateSentence({
  batch: { state },
  deciders,
  is_own: isOwn,
  left_seconds: left,
  words,
}: BatchData): string {
  const time = left === null ? '' : durationLabel(left)
  const said = words ? ` “${words}”` : ''
  switch (state) {
    case 'asked':
      return deciders.length > 0
        ? `Waiting for approval by ${deciders.join(' or ')}. The request expires in ${time}.`
        : `A team lead or someone in finance has to approve this, but nobody can right now. The request expires in ${time}.`
    case 'declined':
      return `The request was declined.${said}`
    case 'lapsed':
      return 'Either nobody approved the request in time, or the codes were not downloaded in time. Request another batch.'
    case 'approved':
      return `${isOwn ? 'You' : 'The requester'} can download the codes once, within ${time}.${said}`
    case 'making':
      return 'The codes were downloaded. They become valid when the requester confirms that the file is complete.'
    case 'broken_off':
      return 'The download was not confirmed in time, so none of the codes is valid. Request another batch.'
    case 'void':
      return 'This batch was voided. Its unused vouchers can no longer be used.'
    case 'complete':
      return 'The codes are valid. They can’t be shown again.'
  }
}
