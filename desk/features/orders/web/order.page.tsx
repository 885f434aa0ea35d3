import { useState } from 'react'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { DetailHead } from '#kit/web/desk/DetailHead.tsx'
import { DeskNotice } from '#kit/web/desk/DeskNotice.tsx'
import { Notices } from '#kit/web/desk/Notices.tsx'
import { UnavailableActions } from '#kit/web/desk/UnavailableActions.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useShortcuts } from '#kit/web/desk/use-shortcuts.ts'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { cancelledByOperatorCode } from '#features/orders/orders.states.ts'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import { durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { DeskOrder } from '../orders.contract.ts'
import { ActionDrawer, type OrderAction } from './ActionDrawer.tsx'
import { LedgerPanel } from './LedgerPanel.tsx'
import { NetworkPanel, PaymentPanel } from './OrderTables.tsx'
import { orderQuery } from './orders.queries.ts'
import { DocumentsPanel } from './DocumentsPanel.tsx'
import { OrderTimeline } from './OrderTimeline.tsx'
import { RefundDrawer } from './RefundDrawer.tsx'
import { Settlement } from './Settlement.tsx'
import * as s from './order.module.css'

export default function OrderPage({ params: { code = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(orderQuery(useApi(), code))
  if (data) return <Order order={data} onChanged={() => void refetch()} />
  if (data === null)
    return (
      <DeskNotice title="No order with this code">
        Check the code. If you only have part of it, search for its beginning.
      </DeskNotice>
    )
  if (error)
    return (
      <>
        <h1>Order {code}</h1>
        <Unavailable what="We couldn’t load this order." error={error} onRetry={() => void refetch()} />
      </>
    )
  return <Skeleton lines={8} />
}

type OpenDrawer = OrderAction | 'refund' | null

function Order({ order, onChanged }: { order: DeskOrder; onChanged: () => void }) {
  const [drawer, setDrawer] = useState<OpenDrawer>(null)
  const [doneMessage, setDoneMessage] = useState<string | null>(null)
  const isSupport = hasRole(useMe(), ['support'])
  const acts = {
    refund: order.refund_why === null && (order.asked === null || order.asked.is_stale),
    retry: isSupport && order.retry_why === null,
    cancel: (isSupport || order.plan_waits) && order.cancel_why === null,
  }
  const openDrawer = (act: Exclude<OpenDrawer, null>) => {
    if (!acts[act]) return
    setDoneMessage(null)
    setDrawer(act)
  }
  useShortcuts({ r: () => openDrawer('refund'), x: () => openDrawer('cancel'), t: () => openDrawer('retry') })
  const close = () => setDrawer(null)
  const handleDone = (text: string) => {
    close()
    setDoneMessage(text)
    onChanged()
  }
  return (
    <>
      <OrderHead order={order}>
        {acts.retry && (
          <DenseButton icon="renew" keys="T" onClick={() => openDrawer('retry')}>
            Try again
          </DenseButton>
        )}
        {acts.cancel && (
          <DenseButton icon="close" keys="X" onClick={() => openDrawer('cancel')}>
            {order.plan_waits ? 'Cancel next plan' : 'Cancel order'}
          </DenseButton>
        )}
        {acts.refund && (
          <DenseButton kind="primary" keys="R" onClick={() => openDrawer('refund')}>
            Refund
          </DenseButton>
        )}
      </OrderHead>
      <OrderNotices order={order} done={doneMessage} />
      <Settlement order={order} onDone={handleDone} onStale={onChanged} />
      <OrderTimeline rail={order.rail} />
      <PaymentPanel order={order} />
      <NetworkPanel order={order} />
      <div className={s.two}>
        <LedgerPanel books={order.books} />
        <DocumentsPanel order={order} onSent={onChanged} />
      </div>
      <UnavailableOrderActions order={order} isSupport={isSupport} />
      <RefundDrawer order={order} open={drawer === 'refund'} onClose={close} onDone={handleDone} onStale={onChanged} />
      <ActionDrawer order={order} act={drawer === 'refund' ? null : drawer} onClose={close} onDone={handleDone} />
    </>
  )
}

function OrderHead({ order, children }: { order: DeskOrder; children: React.ReactNode }) {
  const { customer } = order
  return (
    <DetailHead
      title={order.code}
      acts={children}
      crumbs={
        <>
          <Link href="/orders/">Orders</Link>
          {customer.id ? (
            <Link href={`/customers/${customer.id}/`}>{customer.name}</Link>
          ) : (
            <span>{customer.name}</span>
          )}
          <span>{order.number}</span>
          <span>{customer.email}</span>
        </>
      }
    >
      <TonePill tone={order.tone}>{order.state_words}</TonePill>
      <p className="muted">
        {order.kind_words} · {order.title} ·{' '}
        {decimalToCents(order.amount) > 0
          ? `${formatPriceWithCommas(decimalToCents(order.amount))} including GST`
          : 'nothing to pay'}
      </p>
    </DetailHead>
  )
}

type PendingRequest = NonNullable<DeskOrder['asked']>

const failureLabel = (code: string): string =>
  code === cancelledByOperatorCode ? 'cancelled by staff' : code.replaceAll('_', ' ')

function OrderNotices({ order: { asked, tasks, failure, state }, done }: { order: DeskOrder; done: string | null }) {
  return (
    <Notices said={done && <Banner kind="good">{done}</Banner>}>
      {asked && (
        <Banner kind="info">
          {describeRequest(asked)} {!asked.is_own && <Link href="/">See the request on Today</Link>}
        </Banner>
      )}
      {failure && state !== 'completed' && <Banner kind="warn">Reason: {failureLabel(failure)}.</Banner>}
      {tasks.map(({ id, reason }) => (
        <Banner key={id} kind="warn">
          <b>Open task:</b> {reason}. <Link href="/">See the task on Today</Link>
        </Banner>
      ))}
    </Notices>
  )
}

function describeRequest({ by, amount, left_seconds: left, is_own: isOwn, is_stale: isStale }: PendingRequest): string {
  const requestSummary = `${isOwn ? 'You' : by} requested a refund of ${formatPriceWithCommas(decimalToCents(amount))}.`
  return isStale
    ? `${requestSummary} That is more than is left to refund, so it can’t be approved. Make a new request for what is left.`
    : `${requestSummary} The request needs approval and expires in ${durationLabel(left)}.`
}

function UnavailableOrderActions({ order, isSupport }: { order: DeskOrder; isSupport: boolean }) {
  const supportOnlyActions = [
    ['Try again', order.retry_why],
    [order.plan_waits ? 'Cancel next plan' : 'Cancel order', order.cancel_why],
  ] as const
  return <UnavailableActions acts={[['Refund', order.refund_why], ...(isSupport ? supportOnlyActions : [])]} />
}
